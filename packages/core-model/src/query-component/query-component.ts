/**
 * @module
 * A step of a query pipeline: named inputs in, named outputs out.
 */
import type { CallbackManager } from '../callbacks/callback-manager.ts'
import type { Dict } from '../model/model-class.ts'
import { own } from '../model/plain.ts'
import { ComponentInputError, ComponentOutputError } from './component-errors.ts'

/** The names of inputs. */
export interface InputKeys {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** Options of one run. */
export interface RunComponentOptions {
  /** Cancels the run. */
  signal?: AbortSignal | undefined
}

/** The options of {@link QueryComponent}. */
export interface QueryComponentDefinition {
  /** The name in error messages. */
  name: string
  /** Returns the current names of the inputs. */
  inputKeys: () => InputKeys
  outputKeys: readonly string[]
  /** Checks and converts the inputs. Throws a `ComponentInputError` when they do not fit. */
  prepare?: (inputs: Dict) => Dict
  run: (inputs: Dict, options: RunComponentOptions) => Dict | Promise<Dict>
  /** Inputs that are set in advance. */
  partial?: Readonly<Dict> | undefined
  setCallbackManager?: (manager: CallbackManager) => void
}

/** A step of a query pipeline. */
export class QueryComponent {
  readonly #definition: QueryComponentDefinition
  #partial: Dict

  constructor(definition: QueryComponentDefinition) {
    this.#definition = definition
    this.#partial = { ...definition.partial }
  }

  /** The names of inputs. */
  get inputKeys(): InputKeys {
    return this.#definition.inputKeys()
  }

  /** The names of outputs. */
  get outputKeys(): readonly string[] {
    return this.#definition.outputKeys
  }

  /** Required inputs that are not set in advance. */
  get freeReqInputKeys(): readonly string[] {
    return this.inputKeys.required.filter((key) => !Object.hasOwn(this.#partial, key))
  }

  /** Inputs that are set in advance. */
  get partialInputs(): Readonly<Dict> {
    return this.#partial
  }

  /** Sets inputs in advance. They win over those of a run. */
  partial(values: Readonly<Dict>): void {
    this.#partial = { ...this.#partial, ...values }
  }

  /** Sets the callback manager of the components inside. */
  setCallbackManager(manager: CallbackManager): void {
    this.#definition.setCallbackManager?.(manager)
  }

  /**
   * Runs the step.
   * @throws {ComponentInputError} when an input is missing, unknown or of the wrong type.
   * @throws {ComponentOutputError} when the outputs differ from those that the step declares.
   */
  async runComponent(inputs: Readonly<Dict> = {}, options: RunComponentOptions = {}): Promise<Dict> {
    const { name, prepare, run } = this.#definition
    const given = { ...inputs, ...this.#partial }
    const { required, optional } = this.inputKeys
    const missing = required.filter((key) => own(given, key) === undefined)
    if (missing.length > 0) throw new ComponentInputError(`${name}: missing input ${missing.join(', ')}.`, missing)
    const unknown = Object.keys(given).filter((key) => !required.includes(key) && !optional.includes(key))
    if (unknown.length > 0)
      throw new ComponentInputError(
        `${name}: unknown input ${unknown.join(', ')}; it takes ${[...required, ...optional].join(', ') || 'none'}.`,
        unknown,
      )
    const outputs = (await run(prepare ? prepare(given) : given, options)) ?? {}
    const keys = Object.keys(outputs)
    if (keys.length !== this.outputKeys.length || !this.outputKeys.every((key) => Object.hasOwn(outputs, key))) {
      throw new ComponentOutputError(
        `${name}: expected the outputs ${this.outputKeys.join(', ')}, received ${keys.join(', ') || 'none'}.`,
      )
    }
    return outputs
  }
}
