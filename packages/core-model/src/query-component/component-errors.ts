import { ToolkitError } from '../errors.ts'

/** The inputs of a query component do not fit. */
export class ComponentInputError extends ToolkitError {
  /** Inputs that are missing, unknown, or of the wrong kind. */
  readonly keys: readonly string[]

  constructor(message: string, keys: readonly string[] = []) {
    super('ComponentInputError', 'component_input', message)
    this.keys = keys
  }
}

/** A query component gave other outputs than it declares. */
export class ComponentOutputError extends ToolkitError {
  constructor(message: string) {
    super('ComponentOutputError', 'component_output', message)
  }
}
