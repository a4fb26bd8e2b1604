/**
 * @module
 * The components that come with pipelines.
 */
import {
  ComponentInputError,
  ComponentOutputError,
  ConfigurationError,
  type Dict,
  inputTextOrStream,
  type OutputParser,
  QueryComponent,
} from '@x/core-model'
import { type ModuleLike, type PipelineRunOptions, toComponent } from './component.ts'
import { PipelineConfigError } from './errors.ts'

/** A component that takes any inputs: it declares none, and a link into it names the input. */
abstract class OpenComponent extends QueryComponent {
  constructor(name: string, outputKeys: readonly string[], partial: Dict | undefined) {
    super({ name, inputKeys: () => ({ required: [], optional: [] }), outputKeys, partial, run: (inputs) => inputs })
  }

  protected abstract pack(inputs: Dict, order?: readonly string[]): Dict | Promise<Dict>

  override async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    return this.pack({ ...inputs, ...this.partialInputs }, options.order)
  }
}

/** Where the inputs of a pipeline come in: gives them as they are. */
export class InputComponent extends OpenComponent {
  constructor(options: { partial?: Dict | undefined } = {}) {
    super('InputComponent', [], options.partial)
  }

  protected pack(inputs: Dict): Dict {
    return inputs
  }
}

/** How packed values are converted, one by one. */
export interface PackOptions {
  /** Changes each value. */
  convertFn?: ((value: never) => unknown) | undefined
  /** Values that are packed with the others, and win over those of the same name. */
  partial?: Dict | undefined
}

/**
 * Packs its inputs into a list, in the order of the static order of their sources; fixed values come last.
 * @example
 * const pack = new ArgPackComponent()
 * await pack.runComponent({ a: 1, b: 2 }) // => { output: [1, 2] }
 */
export class ArgPackComponent extends OpenComponent {
  private readonly convert: (value: never) => unknown

  constructor(options: PackOptions = {}) {
    super('ArgPackComponent', ['output'], options.partial)
    this.convert = options.convertFn ?? ((value) => value)
  }

  protected async pack(inputs: Dict, order: readonly string[] = []): Promise<Dict> {
    const keys = [...new Set([...order, ...Object.keys(inputs)])].filter((key) => Object.hasOwn(inputs, key))
    return { output: await Promise.all(keys.map((key) => this.convert(inputs[key] as never))) }
  }
}

/** Packs its inputs into an object. */
export class KwargPackComponent extends OpenComponent {
  private readonly convert: (value: never) => unknown

  constructor(options: PackOptions = {}) {
    super('KwargPackComponent', ['output'], options.partial)
    this.convert = options.convertFn ?? ((value) => value)
  }

  protected async pack(inputs: Dict): Promise<Dict> {
    const entries = Object.entries(inputs).map(
      async ([key, value]) => [key, await this.convert(value as never)] as const,
    )
    return { output: Object.fromEntries(await Promise.all(entries)) }
  }
}

/** The names of a function's inputs: lists, or a TypeBox object. */
export type FnParams =
  | { required: readonly string[]; optional?: readonly string[] | undefined }
  | { properties: Readonly<Record<string, unknown>>; required?: readonly string[] | undefined }

/** The keys that are declared. */
export function paramKeys(params: FnParams): { required: readonly string[]; optional: readonly string[] } {
  if (!('properties' in params)) return { required: params.required, optional: params.optional ?? [] }
  const required = params.required ?? []
  return { required, optional: Object.keys(params.properties).filter((key) => !required.includes(key)) }
}

/** How a function becomes a component. */
export interface FnComponentOptions {
  /** Gets one object with the inputs. */
  fn: (inputs: never, options: PipelineRunOptions) => unknown
  /** Taken instead of `fn` when it is given. */
  asyncFn?: ((inputs: never, options: PipelineRunOptions) => Promise<unknown>) | undefined
  /** The names of its inputs. */
  params: FnParams
  /** The name of its output. @defaultValue 'output' */
  outputKey?: string | undefined
  /** Inputs that are fixed; they win over those of the run. */
  partial?: Dict | undefined
}

/**
 * A function as a component.
 * @example
 * const add = new FnComponent({ fn: ({ a, b }) => a + b, params: { required: ['a', 'b'] } })
 * await add.runComponent({ a: 1, b: 2 }) // => { output: 3 }
 */
export class FnComponent extends QueryComponent {
  constructor({ fn, asyncFn, params, outputKey = 'output', partial }: FnComponentOptions) {
    const keys = paramKeys(params)
    super({
      name: 'FnComponent',
      inputKeys: () => keys,
      outputKeys: [outputKey],
      partial,
      run: async (inputs, options) => ({ [outputKey]: await (asyncFn ?? fn)(inputs as never, options) }),
    })
  }
}

/** The same as {@link FnComponent}. */
export const FunctionComponent = FnComponent

/** An output parser as a component: takes `input`, gives `output`. */
export class OutputParserComponent extends QueryComponent {
  constructor(options: { outputParser: OutputParser; partial?: Dict | undefined }) {
    super({
      name: 'OutputParserComponent',
      inputKeys: () => ({ required: ['input'], optional: [] }),
      outputKeys: ['output'],
      partial: options.partial,
      run: async ({ input }) => ({ output: options.outputParser.parse(await inputTextOrStream(input, 'input')) }),
    })
  }
}

/** One of the choices. */
export interface Selection {
  /** The number of the choice, from 0. */
  index: number
  /** Why it was picked. */
  reason?: string
}

/** Picks choices for a query. */
export interface Selector {
  /** The choices that suit the query; a router needs exactly one. */
  select(
    choices: readonly string[],
    query: string,
    options?: { signal?: AbortSignal | undefined },
  ): readonly Selection[] | Promise<readonly Selection[]>
}

/** A selector as a component: takes `choices` and `query`, gives `output`, the selections. */
export class SelectorComponent extends QueryComponent {
  constructor({ selector, partial }: { selector: Selector; partial?: Dict | undefined }) {
    super({
      name: 'SelectorComponent',
      inputKeys: () => ({ required: ['choices', 'query'], optional: [] }),
      outputKeys: ['output'],
      partial,
      run: async ({ choices, query }, { signal }) => {
        if (!Array.isArray(choices)) {
          throw new ComponentInputError('SelectorComponent: expected a list of choices.', ['choices'])
        }
        const texts = await Promise.all(choices.map((choice, i) => inputTextOrStream(choice, `choices[${i}]`)))
        return { output: [...(await selector.select(texts, await inputTextOrStream(query, 'query'), { signal }))] }
      },
    })
  }
}

/** How a router is made. */
export interface RouterComponentOptions {
  /** Picks one of the choices for the query. */
  selector: Selector
  /** What each component is for, in the order of the components. */
  choices: readonly string[]
  /** Each with exactly one free required input, which gets the text of the query. */
  components: readonly ModuleLike[]
  /** A fixed `query`. */
  partial?: Dict | undefined
}

/** Hands a query to the component that a selector picks, and gives the outputs of that one. */
export class RouterComponent extends QueryComponent {
  readonly subQueryComponents: readonly QueryComponent[]
  private readonly selector: Selector
  private readonly choices: readonly string[]

  /** @throws {ConfigurationError} when a component has not exactly one free required input. */
  constructor({ selector, choices, components, partial }: RouterComponentOptions) {
    super({
      name: 'RouterComponent',
      inputKeys: () => ({ required: ['query'], optional: [] }),
      outputKeys: [],
      partial,
      run: (inputs) => inputs,
      setCallbackManager: (manager) => {
        for (const component of this.subQueryComponents) component.setCallbackManager(manager)
      },
    })
    this.selector = selector
    this.choices = choices
    this.subQueryComponents = components.map((module, i) => {
      const component = toComponent(module)
      if (!component) throw new PipelineConfigError(`component ${i} of the router is no component`)
      if (component.freeReqInputKeys.length !== 1) {
        const keys = component.freeReqInputKeys.join(', ') || 'none'
        throw new ConfigurationError(
          `RouterComponent: component ${i} must have exactly one free required input; it has ${keys}.`,
        )
      }
      return component
    })
    if (choices.length !== components.length) {
      throw new ConfigurationError(
        `RouterComponent: expected a choice per component, got ${choices.length} for ${components.length}.`,
      )
    }
  }

  override async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const given = { ...inputs, ...this.partialInputs }
    const unknown = Object.keys(given).filter((key) => key !== 'query')
    if (unknown.length > 0)
      throw new ComponentInputError(`RouterComponent: unknown input ${unknown.join(', ')}.`, unknown)
    if (!('query' in given)) throw new ComponentInputError('RouterComponent: missing input query.', ['query'])
    const query = await inputTextOrStream(given['query'], 'query')
    const selections = await this.selector.select(this.choices, query, { signal: options.signal })
    const chosen = selections.length === 1 ? this.subQueryComponents[selections[0]!.index] : undefined
    if (!chosen) {
      const picked = selections.map(({ index }) => index).join(', ') || 'none'
      throw new ComponentOutputError(
        `RouterComponent: the selector must pick exactly one of the choices; it picked ${picked}.`,
      )
    }
    return chosen.runComponent({ [chosen.freeReqInputKeys[0]!]: query }, options)
  }
}
