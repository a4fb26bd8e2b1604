import { checkOptions, dict, type OptionTable, text, unchecked } from '@x/core/options'
import {
  BaseComponent,
  ComponentInputError,
  type ComponentInputKeys,
  ConfigurationError,
  type Dict,
  type QueryComponent,
} from '@x/core-model'
import { contextKeys, type ModuleLike, type PipelineRunOptions, runInContext, toComponent } from './component.ts'
import { PipelineConfigError, PipelineModuleError } from './errors.ts'
import { workers } from './options.ts'
import { SharedInputs } from './shared-stream.ts'
import { mapInSlots, type Slots } from './slots.ts'

/** The options of {@link MapComponent}. */
interface MapComponentOptions {
  /** The component, such as a pipeline, that runs once per item. Needs exactly one output. */
  component: ModuleLike
  /** The input that receives the item. @defaultValue the only required input of the component that has no fixed value */
  itemKey?: string | undefined
  /** The maximum number of items at the same time; the limit of the pipeline applies too. @defaultValue 4 */
  maxConcurrency?: number | undefined
  /** Fixed inputs. They override inputs of the run. */
  partial?: Dict | undefined
}

const mapOptions: OptionTable<MapComponentOptions> = {
  component: unchecked,
  itemKey: text,
  maxConcurrency: workers,
  partial: dict,
}

/**
 * Runs a component once per item. Its input `items` is an array, another iterable, or a stream, of which each item is read when it can
 * start; other inputs are passed to each run unchanged. Its output `output` is the array of results, in the order of the items. The first
 * error or an abort of the signal ends the run, aborts the other items and closes the stream.
 * @throws {ConfigurationError} if the component does not have one output, or not exactly one free required input and no `itemKey`.
 * @throws {PipelineConfigError} if `component` is not a component.
 * @example
 * const double = new FnComponent({ fn: ({ n }: { n: number }) => n * 2, params: { required: ['n'] } })
 * const map = new MapComponent({ component: double, maxConcurrency: 2 })
 * await map.runComponent({ items: [1, 2, 3] }) // => { output: [2, 4, 6] }
 */
export class MapComponent extends BaseComponent {
  readonly subQueryComponents: readonly QueryComponent[]
  private readonly component: QueryComponent
  private readonly itemKey: string
  private readonly maxConcurrency: number

  constructor(options: MapComponentOptions) {
    checkOptions('MapComponent', options, mapOptions)
    const { component: module, itemKey, maxConcurrency = 4, partial } = options
    super({ partial })
    const component = toComponent(module)
    if (!component) throw new PipelineConfigError('MapComponent.component is not a component')
    const free = component.freeReqInputKeys
    const key = itemKey ?? (free.length === 1 ? free[0] : undefined)
    if (key === undefined)
      throw new ConfigurationError(
        `MapComponent: the component needs exactly one required input without a fixed value, found ${free.join(', ') || 'none'}; set itemKey.`,
      )
    if (component.outputKeys.length !== 1)
      throw new ConfigurationError(
        `MapComponent: the component needs exactly one output, found ${component.outputKeys.join(', ') || 'none'}.`,
      )
    this.component = component
    this.subQueryComponents = [component]
    this.itemKey = key
    this.maxConcurrency = maxConcurrency
  }

  get inputKeys(): ComponentInputKeys {
    const { required, optional } = this.component.inputKeys
    const others = (keys: readonly string[]) => keys.filter((key) => key !== this.itemKey)
    return { required: ['items', ...others(required)], optional: others(optional) }
  }

  override get freeReqInputKeys(): readonly string[] {
    const others = this.component.freeReqInputKeys.filter((key) => key !== this.itemKey)
    return ['items', ...others].filter((key) => !Object.hasOwn(this.partialInputs, key))
  }

  get outputKeys(): readonly string[] {
    return ['output']
  }

  /** Inputs that the component takes from the context of a run. */
  get contextKeys(): readonly string[] {
    return contextKeys(this.component)
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const { items: given, ...others }: Dict = { ...inputs, ...this.partialInputs }
    const items = itemsOf(given)
    const { component, itemKey, maxConcurrency: limit } = this
    const { '~slots': slots, signal, order: _, ...rest } = options
    const shared = new SharedInputs(others)
    const run = async (item: unknown, index: number, own: { signal: AbortSignal; slots: Slots }) => {
      try {
        const itemInputs = { ...shared.read(), [itemKey]: item }
        return await runInContext(component, itemInputs, { ...rest, signal: own.signal, '~slots': own.slots })
      } catch (error) {
        own.signal.throwIfAborted()
        throw new PipelineModuleError(`items[${index}]`, error)
      }
    }
    try {
      const outputs = await mapInSlots(items, run, { limit, slots, signal })
      return { output: outputs.map((each) => Object.values(each)[0]) }
    } finally {
      shared.seal()
    }
  }
}

/** Returns an iterable or a stream. @throws {ComponentInputError} for another value. */
function itemsOf(given: unknown): Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof given === 'object' && given !== null)
    if (Symbol.asyncIterator in given || Symbol.iterator in given) return given as Iterable<unknown>
  const received = given === null ? 'null' : typeof given
  throw new ComponentInputError(
    `MapComponent: input items: expected an array, another iterable or a stream, received ${received}.`,
    ['items'],
  )
}
