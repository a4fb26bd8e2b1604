/**
 * @module
 * The built-in components.
 */
import {
  callback,
  checkOption,
  checkOptions,
  dict,
  list,
  type OptionCheck,
  type OptionTable,
  required,
  text,
} from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import {
  BaseComponent,
  type CallbackManager,
  ComponentInputError,
  type ComponentInputKeys,
  ComponentOutputError,
  ConfigurationError,
  DefinedComponent,
  type Dict,
  type OutputParser,
  type QueryComponent,
} from '@x/core-model'
import { checkInputKeys, inputTextOrStream } from '@x/core-model/components'
import { type ModuleLike, type PipelineRunOptions, runInContext, toComponent } from './component.ts'
import { PipelineConfigError } from './errors.ts'
import { workers } from './options.ts'
import { mapInSlots } from './slots.ts'

/** A component that accepts any inputs. It declares no input keys, so a link to it needs a `destKey`. */
abstract class OpenComponent extends BaseComponent {
  get inputKeys(): ComponentInputKeys {
    return { required: [], optional: [] }
  }

  get outputKeys(): readonly string[] {
    return ['output']
  }

  protected abstract pack(inputs: Dict, options: PipelineRunOptions): Dict | Promise<Dict>

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    return this.pack({ ...inputs, ...this.partialInputs }, options)
  }
}

/** Returns its inputs unchanged. Use it as the root of a pipeline whose modules share inputs. */
export class InputComponent extends OpenComponent {
  /** Its outputs are a result only where no link leads away from it. @internal */
  readonly returnsInputs = true

  override get outputKeys(): readonly string[] {
    return []
  }

  protected pack(inputs: Dict): Dict {
    return inputs
  }
}

/** The options of {@link ArgPackComponent} and {@link KwargPackComponent}. */
interface PackOptions {
  /** Converts each value. @defaultValue the values are packed unchanged */
  convertFn?: ((value: never, options: { signal: AbortSignal }) => unknown) | undefined
  /** The maximum number of values that are converted at the same time. @defaultValue 4 */
  maxConcurrency?: number | undefined
  /** Fixed values that are packed with the inputs. They override inputs of the same name. */
  partial?: Dict | undefined
}

const packOptions: OptionTable<PackOptions> = {
  convertFn: callback,
  maxConcurrency: workers,
  partial: dict,
}

/** A component that packs its inputs, converted by a function. */
abstract class PackComponent extends OpenComponent {
  private readonly convertFn: PackOptions['convertFn']
  private readonly maxConcurrency: number

  /** @throws {ModelValidationError} if an option is unknown or out of range. */
  constructor(options: PackOptions = {}) {
    checkOptions(new.target.name, options, packOptions)
    super(options)
    this.convertFn = options.convertFn
    this.maxConcurrency = options.maxConcurrency ?? 4
  }

  /** The converted values, in their order. */
  protected async convert(values: readonly unknown[], options: PipelineRunOptions): Promise<unknown[]> {
    const { convertFn, maxConcurrency: limit } = this
    if (!convertFn) return [...values]
    const convert = (value: unknown, _index: number, { signal }: { signal: AbortSignal }) =>
      convertFn(value as never, { signal })
    return mapInSlots(values, convert, { limit, slots: options['~slots'], signal: options.signal })
  }
}

/**
 * Packs its inputs into an array, in the static order of their source modules. Fixed values come last.
 * @example
 * const pack = new ArgPackComponent()
 * await pack.runComponent({ a: 1, b: 2 }) // => { output: [1, 2] }
 */
export class ArgPackComponent extends PackComponent {
  protected async pack(inputs: Dict, options: PipelineRunOptions): Promise<Dict> {
    const keys = [...new Set([...(options.order ?? []), ...Object.keys(inputs)])]
    const values = keys.filter((key) => Object.hasOwn(inputs, key)).map((key) => inputs[key])
    return { output: await this.convert(values, options) }
  }
}

/** Packs its inputs into an object. */
export class KwargPackComponent extends PackComponent {
  protected async pack(inputs: Dict, options: PipelineRunOptions): Promise<Dict> {
    const values = await this.convert(Object.values(inputs), options)
    return { output: Object.fromEntries(Object.keys(inputs).map((key, index) => [key, values[index]])) }
  }
}

/** The names of a function's inputs: arrays of names, or a TypeBox object schema. */
export type FnParams =
  | { required: readonly string[]; optional?: readonly string[] | undefined }
  | { properties: Readonly<Record<string, unknown>>; required?: readonly string[] | undefined }

/** Returns the declared keys. */
export function paramKeys(params: FnParams): { required: readonly string[]; optional: readonly string[] } {
  checkOption('paramKeys', 'params', params, required('a schema, or an object of parameters'))
  if (!('properties' in params)) return { required: params.required, optional: params.optional ?? [] }
  const needed = params.required ?? []
  return { required: needed, optional: Object.keys(params.properties).filter((key) => !needed.includes(key)) }
}

/** The options of {@link FnComponent}. */
interface FnComponentOptions {
  /** The function. Receives one object with all inputs. */
  fn: (inputs: never, options: PipelineRunOptions) => unknown
  /** An async function that is called instead of `fn`. */
  asyncFn?: ((inputs: never, options: PipelineRunOptions) => Promise<unknown>) | undefined
  /** The names of the inputs. */
  params: FnParams
  /** The name of the output. @defaultValue 'output' */
  outputKey?: string | undefined
  /** Required inputs that the context of a run provides; a link without `destKey` never writes them. */
  contextKeys?: readonly string[] | undefined
  /** Fixed inputs. They override inputs of the run. */
  partial?: Dict | undefined
}

const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const paramsCheck: OptionCheck = (value) => {
  const { required: names, optional, properties } = Object(value) as Dict
  const isValid = isPlainObject(properties)
    ? names === undefined || isNames(names)
    : isNames(names) && (optional === undefined || isNames(optional))
  return isValid ? undefined : 'an object with the names of required inputs, or an object schema'
}

const FN_OPTIONS: OptionTable<FnComponentOptions> = {
  fn: callback,
  asyncFn: callback,
  params: required(paramsCheck),
  outputKey: text,
  contextKeys: list,
  partial: dict,
}

/**
 * Wraps a function as a component.
 * @example
 * const fn = ({ a, b }: { a: number; b: number }) => a + b
 * const add = new FnComponent({ fn, params: { required: ['a', 'b'] } })
 * await add.runComponent({ a: 1, b: 2 }) // => { output: 3 }
 */
export class FnComponent extends DefinedComponent {
  /** Required inputs that the context of a run provides. */
  readonly contextKeys: readonly string[]

  constructor(options: FnComponentOptions) {
    checkOptions('FnComponent', options, FN_OPTIONS)
    if (!options.asyncFn) checkOption('FnComponent', 'fn', options.fn ?? undefined, callback)
    const { fn, asyncFn, params, outputKey = 'output', contextKeys = [], partial } = options
    const keys = paramKeys(params)
    super({
      name: 'FnComponent',
      inputKeys: () => keys,
      outputKeys: [outputKey],
      partial,
      run: async (inputs, options) => ({ [outputKey]: await (asyncFn ?? fn)(inputs as never, options) }),
    })
    this.contextKeys = contextKeys
  }
}

/** An alias of {@link FnComponent}. */
export const FunctionComponent = FnComponent

const PARSER_OPTIONS = { outputParser: required('an output parser', 'parse'), partial: dict }

/** Wraps an output parser as a component: its input is `input`, its output is `output`. */
export class OutputParserComponent extends DefinedComponent {
  /** @throws {ModelValidationError} if an option is unknown or missing. */
  constructor(options: { outputParser: OutputParser; partial?: Dict | undefined }) {
    checkOptions('OutputParserComponent', options, PARSER_OPTIONS)
    super({
      name: 'OutputParserComponent',
      inputKeys: () => ({ required: ['input'], optional: [] }),
      outputKeys: ['output'],
      partial: options.partial,
      run: async ({ input }) => ({ output: options.outputParser.parse(await inputTextOrStream(input, 'input')) }),
    })
  }
}

/** A choice that a selector has picked. */
interface Selection {
  /** The position of the choice, starting at 0. */
  index: number
  /** The reason for the choice. */
  reason?: string
}

/** Picks the choices that match a query. */
export interface Selector {
  /** Returns the choices that match the query. A router needs exactly one. */
  select(
    choices: readonly string[],
    query: string,
    options?: { signal?: AbortSignal | undefined },
  ): readonly Selection[] | Promise<readonly Selection[]>
}

const SELECTOR_OPTIONS = { selector: required('a selector', 'select'), partial: dict }

/** Wraps a selector as a component: its inputs are `choices` and `query`, its output is `output`, the array of selections. */
export class SelectorComponent extends DefinedComponent {
  /** @throws {ModelValidationError} if an option is unknown or missing. */
  constructor(options: { selector: Selector; partial?: Dict | undefined }) {
    checkOptions('SelectorComponent', options, SELECTOR_OPTIONS)
    const { selector, partial } = options
    super({
      name: 'SelectorComponent',
      inputKeys: () => ({ required: ['choices', 'query'], optional: [] }),
      outputKeys: ['output'],
      partial,
      run: async ({ choices, query }, { signal }) => {
        if (!Array.isArray(choices)) {
          throw new ComponentInputError(
            `SelectorComponent.choices: expected an array, received ${choices === null ? 'null' : typeof choices}.`,
            ['choices'],
          )
        }
        const strings = await Promise.all(choices.map((choice, i) => inputTextOrStream(choice, `choices[${i}]`)))
        return { output: [...(await selector.select(strings, await inputTextOrStream(query, 'query'), { signal }))] }
      },
    })
  }
}

/** The options of {@link RouterComponent}. */
interface RouterComponentOptions {
  /** Picks exactly one of the choices for a query. */
  selector: Selector
  /** One description per component, in the same order. */
  choices: readonly string[]
  /** The components to choose from. Each has exactly one required input without a fixed value, which receives the query. */
  components: readonly ModuleLike[]
  /** A fixed value of `query`. */
  partial?: Dict | undefined
}

const ROUTER_OPTIONS: OptionTable<RouterComponentOptions> = {
  selector: required('a selector', 'select'),
  choices: required(list),
  components: required(list),
  partial: dict,
}

/**
 * Passes a query to the component that the selector picks, and returns the outputs of that component.
 * @throws {ConfigurationError} if a component does not have exactly one required input without a fixed value, or the number of choices
 * differs.
 */
export class RouterComponent extends BaseComponent {
  readonly subQueryComponents: readonly QueryComponent[]
  private readonly selector: Selector
  private readonly choices: readonly string[]

  constructor(options: RouterComponentOptions) {
    checkOptions('RouterComponent', options, ROUTER_OPTIONS)
    const { selector, choices, components, partial } = options
    super({ partial })
    this.selector = selector
    this.choices = choices
    this.subQueryComponents = components.map((module, i) => {
      const component = toComponent(module)
      if (!component) throw new PipelineConfigError(`component ${i} of the router is not a component`)
      if (component.freeReqInputKeys.length !== 1) {
        const keys = component.freeReqInputKeys.join(', ') || 'none'
        throw new ConfigurationError(
          `RouterComponent: component ${i} must have exactly one required input without a fixed value, found ${keys}.`,
        )
      }
      return component
    })
    if (choices.length !== components.length) {
      throw new ConfigurationError(
        `RouterComponent: expected one choice per component, received ${choices.length} choices for ${components.length} components.`,
      )
    }
  }

  get inputKeys(): ComponentInputKeys {
    return { required: ['query'], optional: [] }
  }

  /** Empty: the outputs are those of the component that the selector picks. */
  get outputKeys(): readonly string[] {
    return []
  }

  override setCallbackManager(manager: CallbackManager): void {
    for (const component of this.subQueryComponents) component.setCallbackManager(manager)
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const allInputs = { ...inputs, ...this.partialInputs }
    checkInputKeys('RouterComponent', this.inputKeys, allInputs)
    const query = await inputTextOrStream(allInputs['query'], 'query')
    const selections = await this.selector.select(this.choices, query, { signal: options.signal })
    const chosen = selections.length === 1 ? this.subQueryComponents[selections[0]!.index] : undefined
    if (!chosen) {
      const picked = selections.map(({ index }) => index).join(', ') || 'none'
      throw new ComponentOutputError(
        `RouterComponent: expected the selector to pick exactly one choice, received ${picked}.`,
      )
    }
    return runInContext(chosen, { [chosen.freeReqInputKeys[0]!]: query }, options)
  }
}
