/**
 * @module
 * Checks the inputs and outputs of a component against the keys that it declares.
 */
import { type Dict, ToolkitError } from '@x/core'
import { own } from '@x/core/values'

/** The names of inputs. */
export interface ComponentInputKeys {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/**
 * Checks that all required inputs are present, and that all inputs are declared.
 * @throws {ComponentInputError} if an input is missing or unknown.
 */
export function checkInputKeys(name: string, { required, optional }: ComponentInputKeys, inputs: Readonly<Dict>): void {
  const missing = required.filter((key) => own(inputs, key) === undefined)
  if (missing.length > 0) throw new ComponentInputError(`${name}: missing input ${missing.join(', ')}.`, missing)
  const unknown = Object.keys(inputs).filter((key) => !required.includes(key) && !optional.includes(key))
  if (unknown.length === 0) return
  const known = [...required, ...optional].join(', ') || 'none'
  throw new ComponentInputError(`${name}: unknown input ${unknown.join(', ')}; it takes ${known}.`, unknown)
}

/**
 * Checks that the outputs are exactly the declared ones.
 * @throws {ComponentOutputError} if they differ.
 */
export function checkOutputKeys(name: string, expected: readonly string[], outputs: Readonly<Dict>): void {
  const received = Object.keys(outputs)
  if (received.length === expected.length && expected.every((key) => Object.hasOwn(outputs, key))) return
  throw new ComponentOutputError(
    `${name}: expected the outputs ${expected.join(', ')}, received ${received.join(', ') || 'none'}.`,
  )
}

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
 * Thrown when a query component returns outputs other than those that it declares, or a model no answer of the expected kind. A component
 * returns an object with the keys that `outputKeys` declares, and no others.
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
