/**
 * @module
 * The components that a pipeline accepts, and the validation of their input and output keys.
 */
import { checkGiven, checkOption, required } from '@x/core/options'
import {
  DefinedComponent,
  type Dict,
  type ComponentInputKeys as Keys,
  NotSupportedError,
  type QueryComponent,
  type RunComponentOptions,
} from '@x/core-model'
import { checkInputKeys, checkOutputKeys } from '@x/core-model/components'
import { PipelineInputError } from './errors.ts'
import type { Slots } from './slots.ts'

/** The options that a pipeline passes to each component it runs. */
export interface PipelineRunOptions extends RunComponentOptions {
  /**
   * Inputs that each component with these keys receives without a link, such as the user of a request. Events and logs do not contain them.
   */
  context?: Readonly<Dict> | undefined
  /** The names of the inputs in order of arrival. Needed because an object lists integer keys first. */
  order?: readonly string[] | undefined
  /** The limit that nested pipelines share. @internal */
  '~slots'?: Slots | undefined
}

/** A value with `asQueryComponent`, such as a prompt, a model, a postprocessor or a retriever. */
interface Chainable {
  asQueryComponent(options?: { partial?: Dict }): QueryComponent
}

/** A component, or a value with `asQueryComponent`. */
export type ModuleLike = QueryComponent | Chainable

/** Returns the component of a module; `undefined` for a value that is not a module. */
export function toComponent(module: ModuleLike): QueryComponent | undefined {
  if (isComponent(module)) return module
  if (typeof (module as Partial<Chainable> | null)?.asQueryComponent === 'function') return module.asQueryComponent()
  return undefined
}

function isComponent(value: unknown): value is QueryComponent {
  return typeof (value as Partial<QueryComponent> | null)?.runComponent === 'function'
}

/** Returns the components nested in a component: the modules of a pipeline, the choices of a router, otherwise `[]`. */
export function subQueryComponents(component: QueryComponent): readonly QueryComponent[] {
  checkOption('subQueryComponents', 'component', component, required('a component'))
  return (component as { subQueryComponents?: readonly QueryComponent[] }).subQueryComponents ?? []
}

/** Returns the inputs that a component takes from the context of the run. */
export function contextKeys(component: QueryComponent): readonly string[] {
  return (component as { contextKeys?: readonly string[] }).contextKeys ?? []
}

/** Whether a component returns its inputs, which are no result of a pipeline: an `InputComponent`. */
export function returnsInputs(component: QueryComponent): boolean {
  return (component as { returnsInputs?: boolean }).returnsInputs === true
}

/**
 * Runs a component with its inputs and with the values of the run's context that it declares as inputs; a link overrides the context.
 * Components that contain other components receive the whole context.
 * @throws {PipelineInputError} if another value was passed for an input of `contextKeys` that the context has.
 */
export async function runInContext(
  component: QueryComponent,
  inputs: Readonly<Dict>,
  options: PipelineRunOptions,
): Promise<Dict> {
  const { context } = options
  const isNested = 'subQueryComponents' in component
  // Starts asynchronously, so that deeply nested components do not overflow the stack.
  if (isNested) await null
  if (!context || isNested) return component.runComponent(inputs, options)
  const twice = contextKeys(component).find((key) => {
    const isPassed = Object.hasOwn(context, key) && Object.hasOwn(inputs, key)
    return isPassed && inputs[key] !== context[key]
  })
  if (twice !== undefined)
    throw new PipelineInputError(`the input "${twice}" is in contextKeys: expected it from the context alone`)
  const { required, optional } = component.inputKeys
  const wanted = Object.entries(context).filter(([key]) => required.includes(key) || optional.includes(key))
  return component.runComponent({ ...Object.fromEntries(wanted), ...inputs }, options)
}

function asRecord(keys: Iterable<string>): Dict {
  return Object.fromEntries(Array.from(keys, (key) => [key, true]))
}

/** The names of required and optional inputs. */
export class InputKeys implements Keys {
  readonly required: readonly string[]
  readonly optional: readonly string[]

  constructor(required: Iterable<string>, optional: Iterable<string> = []) {
    checkGiven('InputKeys', { required, optional }, 'an iterable of names', Symbol.iterator)
    this.required = [...required]
    this.optional = [...optional]
  }

  /** @throws {ComponentInputError} if a required key is missing, or a key is unknown. */
  validate(keys: Iterable<string>): void {
    checkInputKeys('InputKeys', this, asRecord(keys))
  }
}

/** The names of outputs. */
export class OutputKeys {
  readonly required: readonly string[]

  constructor(required: Iterable<string>) {
    checkGiven('OutputKeys', { required }, 'an iterable of names', Symbol.iterator)
    this.required = [...required]
  }

  /** @throws {ComponentOutputError} if the keys are not exactly the required keys. */
  validate(keys: Iterable<string>): void {
    checkOutputKeys('OutputKeys', this.required, asRecord(keys))
  }
}

/**
 * Base class of your own components: override the keys and `_runComponent`.
 * @example
 * class Shout extends CustomQueryComponent {
 *   protected override get _inputKeys() { return ['text'] }
 *   protected override get _outputKeys() { return ['text'] }
 *   protected override _runComponent({ text }: { text: string }) { return { text: `${text}!` } }
 * }
 */
export abstract class CustomQueryComponent extends DefinedComponent {
  constructor(options: { partial?: Dict | undefined } = {}) {
    super({
      name: 'Custom component',
      inputKeys: () => ({ required: this._inputKeys, optional: this._optionalInputKeys }),
      outputKeys: [],
      partial: options?.partial,
      prepare: (inputs) => this._validateComponentInputs(inputs),
      run: (inputs, runOptions) => this._runComponent(inputs, runOptions),
      setCallbackManager: () => {},
    })
  }

  override get outputKeys(): readonly string[] {
    return this._outputKeys
  }

  /** The names of the required inputs. */
  protected get _inputKeys(): readonly string[] {
    throw new NotSupportedError('CustomQueryComponent: override _inputKeys.')
  }

  /** The names of the optional inputs. @defaultValue `[]` */
  protected get _optionalInputKeys(): readonly string[] {
    return []
  }

  /** The names of the outputs. */
  protected get _outputKeys(): readonly string[] {
    throw new NotSupportedError('CustomQueryComponent: override _outputKeys.')
  }

  /** Validates and converts the inputs before `_runComponent`. Returns them unchanged unless overridden. */
  protected _validateComponentInputs(inputs: Dict): Dict {
    return inputs
  }

  /** Computes the outputs from the inputs. */
  protected _runComponent(_inputs: Dict, _options: PipelineRunOptions): Dict | Promise<Dict> {
    throw new NotSupportedError('CustomQueryComponent: override _runComponent.')
  }
}
