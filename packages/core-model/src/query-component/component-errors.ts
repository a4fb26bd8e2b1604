import { ToolkitError } from '../errors.ts'

/** A query component received inputs that are missing, unknown or of the wrong type. */
export class ComponentInputError extends ToolkitError {
  /** The names of these inputs. */
  readonly keys: readonly string[]

  constructor(message: string, keys: readonly string[] = []) {
    super('ComponentInputError', 'component_input', message)
    this.keys = keys
  }
}

/** A query component returned outputs that differ from those it declares. */
export class ComponentOutputError extends ToolkitError {
  constructor(message: string) {
    super('ComponentOutputError', 'component_output', message)
  }
}
