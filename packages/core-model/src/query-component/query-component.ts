/**
 * @module
 * A step of a query pipeline: named inputs in, named outputs out.
 */

import type { Dict } from '@x/core'
import { checkGiven, dict } from '@x/core/options'
import type { CallbackManager } from '../callbacks/callback-manager.ts'
import { type ComponentInputKeys, checkInputKeys, checkOutputKeys } from './check-keys.ts'

/** Options of one run. */
export interface RunComponentOptions {
  /** Cancels the run. */
  signal?: AbortSignal | undefined
  /** Id of the event that the run belongs to, where the platform has no async context. */
  parentId?: string | undefined
  /** Receives the events of the run. @defaultValue the managers of the components inside */
  callbackManager?: CallbackManager | undefined
}

/** A step of a query pipeline. Extend {@link BaseComponent} or {@link DefinedComponent}, or implement this interface. */
export interface QueryComponent {
  /** The names of inputs. */
  readonly inputKeys: ComponentInputKeys
  /** The names of outputs. */
  readonly outputKeys: readonly string[]
  /** Required inputs that are not set in advance. */
  readonly freeReqInputKeys: readonly string[]
  /** Inputs that are set in advance. */
  readonly partialInputs: Readonly<Dict>
  /** Sets inputs in advance. They have priority over those of a run. */
  partial(values: Readonly<Dict>): void
  /** Sets the callback manager of the components inside. */
  setCallbackManager(manager: CallbackManager): void
  /**
   * Runs the step.
   * @throws {ComponentInputError} if an input is missing, unknown or of the wrong type.
   * @throws {ComponentOutputError} if the outputs differ from those that the step declares.
   */
  runComponent(inputs?: Readonly<Dict>, options?: RunComponentOptions): Promise<Dict>
}

/** The base of components with their own keys and their own run. Stores the inputs that are set in advance. */
export abstract class BaseComponent implements QueryComponent {
  #partial: Dict

  constructor(options: { partial?: Readonly<Dict> | undefined } = {}) {
    const values = options?.partial ?? {}
    checkGiven('partial', { values }, dict)
    this.#partial = { ...values }
  }

  abstract get inputKeys(): ComponentInputKeys
  abstract get outputKeys(): readonly string[]
  abstract runComponent(inputs?: Readonly<Dict>, options?: RunComponentOptions): Promise<Dict>

  get freeReqInputKeys(): readonly string[] {
    return this.inputKeys.required.filter((key) => !Object.hasOwn(this.#partial, key))
  }

  get partialInputs(): Readonly<Dict> {
    return this.#partial
  }

  partial(values: Readonly<Dict>): void {
    checkGiven('partial', { values }, dict)
    this.#partial = { ...this.#partial, ...values }
  }

  /** Does nothing unless overridden. */
  setCallbackManager(_manager: CallbackManager): void {}
}

/** The options of {@link DefinedComponent}. */
export interface QueryComponentDefinition {
  /** The name in error messages. */
  name: string
  /** Returns the current names of the inputs. */
  inputKeys: () => ComponentInputKeys
  outputKeys: readonly string[]
  /** Checks and converts the inputs. Throws a `ComponentInputError` if they are invalid. */
  prepare?: (inputs: Dict) => Dict
  run: (inputs: Dict, options: RunComponentOptions) => Dict | Promise<Dict>
  /** Inputs that are set in advance. */
  partial?: Readonly<Dict> | undefined
  setCallbackManager?: (manager: CallbackManager) => void
}

/**
 * A component created from a definition. Its inputs and outputs are checked against the declared keys.
 * @example
 * const double = new DefinedComponent({
 *   name: 'Double',
 *   inputKeys: () => ({ required: ['n'], optional: [] }),
 *   outputKeys: ['output'],
 *   run: ({ n }) => ({ output: Number(n) * 2 }),
 * })
 * await double.runComponent({ n: 2 }) // => { output: 4 }
 */
export class DefinedComponent extends BaseComponent {
  readonly #definition: QueryComponentDefinition

  constructor(definition: QueryComponentDefinition) {
    super(definition)
    this.#definition = definition
  }

  get inputKeys(): ComponentInputKeys {
    return this.#definition.inputKeys()
  }

  get outputKeys(): readonly string[] {
    return this.#definition.outputKeys
  }

  override setCallbackManager(manager: CallbackManager): void {
    this.#definition.setCallbackManager?.(manager)
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: RunComponentOptions = {}): Promise<Dict> {
    checkGiven('runComponent', { options }, dict)
    const { name, prepare, run } = this.#definition
    const given = { ...inputs, ...this.partialInputs }
    checkInputKeys(name, this.inputKeys, given)
    const outputs = (await run(prepare ? prepare(given) : given, options)) ?? {}
    checkOutputKeys(name, this.outputKeys, outputs)
    return outputs
  }
}
