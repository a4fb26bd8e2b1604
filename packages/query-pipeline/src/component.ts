/**
 * @module
 * What a pipeline needs of a component, and how keys are checked.
 */
import {
  ComponentInputError,
  ComponentOutputError,
  type Dict,
  type InputKeys as Keys,
  NotSupportedError,
  QueryComponent,
  type RunComponentOptions,
} from '@x/core-model'

/** What goes along with a run of a component in a pipeline. */
export interface PipelineRunOptions extends RunComponentOptions {
  /** Inputs that every component with such keys gets without a link, such as the task of an agent. */
  context?: Readonly<Dict> | undefined
  /** The names of the inputs in the order in which they came; an object would put whole numbers first. */
  order?: readonly string[] | undefined
}

/** Anything that can become a component: prompts, models, postprocessors, retrievers, agents. */
export interface Chainable {
  asQueryComponent(options?: { partial?: Dict }): QueryComponent
}

/** A component, or something that can become one. */
export type ModuleLike = QueryComponent | Chainable

/** The component of a module. */
export function toComponent(module: ModuleLike): QueryComponent | undefined {
  if (isComponent(module)) return module
  if (typeof (module as Partial<Chainable> | null)?.asQueryComponent === 'function') return module.asQueryComponent()
  return undefined
}

function isComponent(value: unknown): value is QueryComponent {
  return (
    value instanceof QueryComponent || typeof (value as Partial<QueryComponent> | null)?.runComponent === 'function'
  )
}

/** The components inside a component: the modules of a pipeline, the choices of a router; else none. */
export function subQueryComponents(component: QueryComponent): readonly QueryComponent[] {
  return (component as { subQueryComponents?: readonly QueryComponent[] }).subQueryComponents ?? []
}

/** The names of inputs, with their check. */
export class InputKeys implements Keys {
  readonly required: readonly string[]
  readonly optional: readonly string[]

  constructor(required: Iterable<string>, optional: Iterable<string> = []) {
    this.required = [...required]
    this.optional = [...optional]
  }

  /** @throws {ComponentInputError} when a required key is missing, or a key is unknown. */
  validate(keys: Iterable<string>): void {
    const given = new Set(keys)
    const missing = this.required.filter((key) => !given.has(key))
    const unknown = [...given].filter((key) => !this.required.includes(key) && !this.optional.includes(key))
    if (missing.length > 0) throw new ComponentInputError(`Missing input ${missing.join(', ')}.`, missing)
    if (unknown.length > 0) throw new ComponentInputError(`Unknown input ${unknown.join(', ')}.`, unknown)
  }
}

/** The names of outputs, with their check. */
export class OutputKeys {
  readonly required: readonly string[]

  constructor(required: Iterable<string>) {
    this.required = [...required]
  }

  /** @throws {ComponentOutputError} when the keys are not exactly these. */
  validate(keys: Iterable<string>): void {
    const given = new Set(keys)
    if (given.size === this.required.length && this.required.every((key) => given.has(key))) return
    throw new ComponentOutputError(
      `Expected the outputs ${this.required.join(', ')}, got ${[...given].join(', ') || 'none'}.`,
    )
  }
}

/**
 * A component of one's own: give the keys, and what it does.
 * @example
 * class Shout extends CustomQueryComponent {
 *   protected override get _inputKeys() { return ['text'] }
 *   protected override get _outputKeys() { return ['text'] }
 *   protected override _runComponent({ text }: { text: string }) { return { text: `${text}!` } }
 * }
 */
export abstract class CustomQueryComponent extends QueryComponent {
  constructor(options: { partial?: Dict | undefined } = {}) {
    super({
      name: 'Custom component',
      inputKeys: () => ({ required: this._inputKeys, optional: this._optionalInputKeys }),
      outputKeys: [],
      partial: options.partial,
      prepare: (inputs) => this._validateComponentInputs(inputs),
      run: (inputs, runOptions) => this._runComponent(inputs, runOptions),
      setCallbackManager: () => {},
    })
  }

  override get outputKeys(): readonly string[] {
    return this._outputKeys
  }

  /** The inputs that must be given. */
  protected get _inputKeys(): readonly string[] {
    throw new NotSupportedError('CustomQueryComponent: give _inputKeys.')
  }

  /** The inputs that may be given. */
  protected get _optionalInputKeys(): readonly string[] {
    return []
  }

  /** The outputs it gives. */
  protected get _outputKeys(): readonly string[] {
    throw new NotSupportedError('CustomQueryComponent: give _outputKeys.')
  }

  /** Checks and converts the inputs. */
  protected _validateComponentInputs(inputs: Dict): Dict {
    return inputs
  }

  /** What it does. */
  protected _runComponent(_inputs: Dict, _options: PipelineRunOptions): Dict | Promise<Dict> {
    throw new NotSupportedError('CustomQueryComponent: give _runComponent.')
  }
}
