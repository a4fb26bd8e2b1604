import { ToolkitError } from '@x/core'

/**
 * Thrown when inputs of a query component are missing, unknown or of the wrong type. Compare the inputs that you pass with those of
 * `inputKeys`.
 */
export class ComponentInputError extends ToolkitError {
  /** The names of these inputs. */
  readonly keys: readonly string[]

  constructor(message: string, keys: readonly string[] = []) {
    super('ComponentInputError', 'component_input', message)
    this.keys = keys
  }
}

/**
 * Thrown when a query component returns outputs other than those that it declares. Return an object with the keys that `outputKeys`
 * declares, and no others.
 */
export class ComponentOutputError extends ToolkitError {
  constructor(message: string) {
    super('ComponentOutputError', 'component_output', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    component_input: ComponentInputError
    component_output: ComponentOutputError
  }
}
