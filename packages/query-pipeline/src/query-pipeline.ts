/**
 * @module
 * A directed acyclic graph of components, connected by their outputs and inputs.
 */
import {
  BaseComponent,
  CallbackManager,
  ComponentInputError,
  ConfigurationError,
  type Dict,
  inputText,
  type InputKeys as Keys,
  type QueryComponent,
} from '@x/core-model'
import { isPlainObject, newId, untilAborted } from '@x/core-model/internal'
import { type ModuleLike, type PipelineRunOptions, toComponent } from './component.ts'
import {
  PipelineConfigError,
  PipelineCycleError,
  PipelineInputError,
  PipelineOutputError,
  PipelineRootError,
} from './errors.ts'
import { isLink, Link, type LinkOptions, Links, Schedule } from './graph.ts'

/** The options of {@link QueryPipeline}: either `chain`, or `modules` and `links`. */
export interface QueryPipelineOptions {
  /** Modules to run one after the other. Cannot be combined with `modules` and `links`. */
  chain?: readonly (ModuleLike | string)[] | null | undefined
  /** Modules by key. */
  modules?: Readonly<Record<string, ModuleLike>> | null | undefined
  /** The links between modules; requires `modules`. */
  links?: readonly Link[] | null | undefined
  /** Receives the events of each run, including those of the wrapped models and retrievers. @defaultValue a manager without handlers */
  callbackManager?: CallbackManager | null | undefined
  /** Whether each module that runs is logged with its inputs, to `logger`. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives one line per module that runs, when `verbose` is set. @defaultValue nothing is logged */
  logger?: ((text: string) => void) | undefined
  /** Whether `onProgress` is called. @defaultValue false */
  showProgress?: boolean | undefined
  /** Called after each module, run or skipped, when `showProgress` is set; receives the number of modules that are done, and of all. */
  onProgress?: ((done: number, all: number) => void) | undefined
  /** The maximum number of modules that run at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether an input that a fixed value would override is an error. @defaultValue false */
  strictPartials?: boolean | undefined
  /** Fixed inputs when the pipeline is a component of another pipeline. `run` ignores them. */
  partial?: Dict | undefined
}

/** The options of one run. */
export interface RunOptions extends Omit<PipelineRunOptions, 'callbackManager'> {
  /** Whether a single output is returned as its value, not as an object by name. @defaultValue true */
  returnValuesDirect?: boolean | undefined
  /**
   * Receives the events of this run instead of the pipeline's own manager.
   * Wrapped models and retrievers have one manager at a time: that of the latest run.
   */
  callbackManager?: CallbackManager | null | undefined
  /** Called after each module that ran, with its inputs and outputs. */
  onModuleEnd?: ((key: string, inputs: Readonly<Dict>, outputs: Readonly<Dict>) => void) | undefined
}

/** The inputs and outputs of a module in one run. */
export interface Intermediate {
  /** The values that the links delivered, or the inputs of the run for a root. Fixed values are not included. */
  inputs: Readonly<Dict>
  /** The outputs by name. */
  outputs: Readonly<Dict>
}

/** The keys and links of a pipeline as plain data, without functions. */
export interface PipelineDag {
  /** The module keys, in the order they were added. */
  modules: string[]
  /** The links, in the order they were added; `conditional` is true for a link with a `conditionFn`. */
  links: { src: string; dest: string; src_key: string | null; dest_key: string | null; conditional: boolean }[]
}

/** The result of a module in a run, whether it ran or was skipped. */
interface Settled {
  ran: boolean
  outputs: Dict
  /** Whether at least one of its outgoing links was followed. */
  delivered: boolean
}

/**
 * Runs components in the order that their links require. Modules that do not depend on each other run in parallel.
 *
 * A pipeline keeps no state between runs, so several runs may overlap. A pipeline is itself a component.
 * @throws {ConfigurationError} when `chain` is combined with `modules` or `links`.
 * @example
 * import { PromptTemplate } from '@x/prompts'
 * const llm = new ScriptedLLM({ answers: ['Green.'] })
 * const prompt = new PromptTemplate({ template: 'Which color has {thing}?' })
 * const pipeline = new QueryPipeline({ chain: [prompt, llm] })
 * String(await pipeline.run({ thing: 'tea' })) // => 'Green.'
 */
export class QueryPipeline extends BaseComponent {
  callbackManager: CallbackManager
  verbose: boolean
  private readonly options: QueryPipelineOptions
  private readonly moduleMap = new Map<string, QueryComponent>()
  private readonly links = new Links()

  constructor(options: QueryPipelineOptions = {}) {
    super(options)
    this.options = options
    this.callbackManager = options.callbackManager ?? new CallbackManager()
    this.verbose = options.verbose ?? false
    const { chain, modules, links } = options
    if (chain && (modules || links)) {
      throw new ConfigurationError('QueryPipeline: pass either chain, or modules and links, not both.')
    }
    if (links && !modules) throw new PipelineConfigError('links requires modules')
    if (chain) this.addChain(chain)
    if (modules) this.addModules(modules)
    if (links) this.addLinks(links)
  }

  // ---- building

  /** The modules by key, in the order they were added. */
  get modules(): ReadonlyMap<string, QueryComponent> {
    return this.moduleMap
  }

  /** The components of the modules, in the order they were added. */
  get subQueryComponents(): readonly QueryComponent[] {
    return [...this.moduleMap.values()]
  }

  /**
   * Adds a module.
   * @throws {PipelineConfigError} when the key already exists, or the module is not a component.
   */
  add(key: string, module: ModuleLike): void {
    if (this.moduleMap.has(key)) throw new PipelineConfigError(`module "${key}" already exists`)
    const component = toComponent(module)
    if (!component) throw new PipelineConfigError(`module "${key}" is not a component`)
    this.moduleMap.set(key, component)
  }

  /** Adds modules by key, in order. */
  addModules(modules: Readonly<Record<string, ModuleLike>>): void {
    for (const [key, module] of Object.entries(modules)) this.add(key, module)
  }

  /** Adds modules under generated keys and links each to the next. A string is the key of an existing module. */
  addChain(chain: readonly (ModuleLike | string)[]): void {
    const keys = chain.map((item) => {
      if (typeof item === 'string') {
        this.module(item)
        return item
      }
      const key = newId()
      this.add(key, item)
      return key
    })
    for (let i = 1; i < keys.length; i++) this.addLink(keys[i - 1]!, keys[i]!)
  }

  /**
   * Links an output of one module to an input of another. Two modules may have several links.
   * @throws {PipelineConfigError} when a module does not exist.
   * @throws {PipelineCycleError} when the link would create a cycle.
   */
  addLink(src: string, dest: string, options: LinkOptions = {}): void {
    this.module(src)
    this.module(dest)
    if (this.links.hasPath(dest, src)) throw new PipelineCycleError(src, dest)
    this.links.add(new Link(src, dest, options))
  }

  /**
   * Adds links in order.
   * @throws {PipelineConfigError} when an element is not a `Link`.
   */
  addLinks(links: readonly Link[]): void {
    for (const link of links) {
      if (!isLink(link)) throw new PipelineConfigError('expected an array of Link objects')
      this.addLink(link.src, link.dest, link.options)
    }
  }

  /** Returns the keys of the modules without incoming links. */
  getRootKeys(): string[] {
    return [...this.moduleMap.keys()].filter((key) => this.links.to(key).length === 0)
  }

  /** Returns the keys of the modules without outgoing links. */
  getLeafKeys(): string[] {
    return [...this.moduleMap.keys()].filter((key) => this.links.from(key).length === 0)
  }

  override setCallbackManager(manager: CallbackManager): void {
    this.callbackManager = manager
    for (const component of this.moduleMap.values()) component.setCallbackManager(manager)
  }

  get outputKeys(): readonly string[] {
    const leaves = this.getLeafKeys()
    if (leaves.length !== 1)
      throw new PipelineOutputError(`expected exactly one leaf module, found ${leaves.join(', ') || 'none'}`)
    return this.moduleMap.get(leaves[0]!)!.outputKeys
  }

  get inputKeys(): Keys {
    return this.onlyRoot().inputKeys
  }

  override get freeReqInputKeys(): readonly string[] {
    return this.onlyRoot().freeReqInputKeys.filter((key) => !Object.hasOwn(this.partialInputs, key))
  }

  /** Returns the keys in the order in which the modules run with `numWorkers: 1`. */
  getStaticOrder(): string[] {
    const schedule = new Schedule(this.moduleMap.keys(), this.links)
    const order: string[] = []
    for (let key = schedule.next(); key !== undefined; key = schedule.next()) {
      order.push(key)
      schedule.done(key)
    }
    return order
  }

  /** Returns the keys and links as plain data, without functions. */
  cleanDag(): PipelineDag {
    return {
      modules: [...this.moduleMap.keys()],
      links: this.links.all.map(({ src, dest, options }) => ({
        src,
        dest,
        src_key: options.srcKey ?? null,
        dest_key: options.destKey ?? null,
        conditional: Boolean(options.conditionFn),
      })),
    }
  }

  // ---- running

  /**
   * Runs a pipeline that has one root and one output.
   * A plain object is read as named inputs. Any other value becomes the only required input of the root that has no
   * fixed value. Pass `{ inputs: { ... } }` or `{ args: [value] }` to state which of the two is meant.
   * @throws {PipelineRootError} when the pipeline does not have exactly one root.
   * @throws {PipelineInputError} when a single value is passed and the root does not have exactly one such input.
   * @throws {PipelineOutputError} when the run does not have exactly one output.
   */
  async run(input?: unknown, options: RunOptions = {}): Promise<unknown> {
    return (await this.runSingle(input, options)).result
  }

  /** Like `run`, but returns `[output, intermediates]`: the second has the inputs and outputs of each module that ran. */
  async runWithIntermediates(
    input?: unknown,
    options: RunOptions = {},
  ): Promise<[unknown, Record<string, Intermediate>]> {
    const seen: [string, Intermediate][] = []
    const onModuleEnd: RunOptions['onModuleEnd'] = (key, inputs, outputs) => {
      seen.push([key, { inputs, outputs }])
      options.onModuleEnd?.(key, inputs, outputs)
    }
    const { result } = await this.runSingle(input, { ...options, onModuleEnd })
    return [result, Object.fromEntries(seen)]
  }

  /** Runs a pipeline with any number of roots and leaves. Takes the inputs by root key and returns the outputs by leaf key. */
  async runMulti(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    options: RunOptions = {},
  ): Promise<Record<string, Dict>> {
    return this.withQueryEvent(inputs, options, async () => Object.fromEntries(await this.runGraph(inputs, options)))
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const run = { ...options, returnValuesDirect: false }
    return (await this.runSingle({ inputs: { ...inputs, ...this.partialInputs } }, run)).outputs
  }

  private async runSingle(input: unknown, options: RunOptions): Promise<{ result: unknown; outputs: Dict }> {
    const root = this.onlyRootKey()
    const inputs = this.namedInputs(input)
    return this.withQueryEvent(inputs, options, async () => {
      const found = await this.runGraph({ [root]: inputs }, options)
      if (found.length !== 1) {
        throw new PipelineOutputError(
          `expected exactly one output, found outputs of ${found.map(([key]) => key).join(', ') || 'no module'}`,
        )
      }
      const outputs = found[0]![1]
      const values = Object.values(outputs)
      const direct = (options.returnValuesDirect ?? true) && values.length === 1
      return { result: direct ? values[0] : outputs, outputs }
    })
  }

  private namedInputs(input: unknown): Dict {
    if (input === undefined) return {}
    const explicit = isExplicit(input)
    if (!explicit && isPlainObject(input)) return input
    const { args = [], inputs = {} } = explicit ? input : { args: [input] }
    if (args.length === 0) return inputs
    if (args.length > 1 || Object.keys(inputs).length > 0) {
      throw new PipelineInputError('expected named inputs or one value, received several values or both')
    }
    const free = this.onlyRoot().freeReqInputKeys
    if (free.length !== 1) {
      throw new PipelineInputError(
        `a single value needs a root with exactly one required input without a fixed value, found ${free.join(', ') || 'none'}`,
      )
    }
    return { [free[0]!]: args[0] }
  }

  private withQueryEvent<T>(inputs: Readonly<Dict>, options: RunOptions, run: () => Promise<T>): Promise<T> {
    const manager = options.callbackManager ?? this.callbackManager
    for (const component of this.moduleMap.values()) component.setCallbackManager(manager)
    return manager.event('query', () => ({ query_str: describe(inputs, options.context) }), run, { trace: 'query' })
  }

  private async runGraph(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    options: RunOptions,
  ): Promise<[string, Dict][]> {
    const roots = this.getRootKeys()
    const keys = Object.keys(inputs)
    if (keys.length !== roots.length || !roots.every((key) => Object.hasOwn(inputs, key))) {
      throw new PipelineInputError(
        `expected inputs for the roots ${roots.join(', ') || '(none)'}, received inputs for ${keys.join(', ') || '(none)'}`,
      )
    }
    return new Run(
      this.moduleMap,
      this.links,
      this.getStaticOrder(),
      { ...this.options, verbose: this.verbose },
      options,
    ).run(inputs)
  }

  private onlyRootKey(): string {
    const roots = this.getRootKeys()
    if (roots.length !== 1) throw new PipelineRootError(roots)
    return roots[0]!
  }

  private onlyRoot(): QueryComponent {
    return this.moduleMap.get(this.onlyRootKey())!
  }

  private module(key: string): QueryComponent {
    const component = this.moduleMap.get(key)
    if (!component) throw new PipelineConfigError(`module "${key}" does not exist`)
    return component
  }
}

/** The state of one run. It is not stored in the pipeline, so that several runs may overlap. */
class Run {
  private readonly modules: ReadonlyMap<string, QueryComponent>
  private readonly links: Links
  /** The static order, and the position of each module in it. */
  private readonly order: readonly string[]
  private readonly position: ReadonlyMap<string, number>
  private readonly settings: QueryPipelineOptions
  private readonly options: RunOptions
  private readonly settled = new Map<string, Settled>()
  /** Per followed link: the value that it delivers and the input that receives it. */
  private readonly carried = new Map<Link, { key: string; value: unknown }>()
  private readonly controller = new AbortController()

  constructor(
    modules: ReadonlyMap<string, QueryComponent>,
    links: Links,
    order: readonly string[],
    settings: QueryPipelineOptions,
    options: RunOptions,
  ) {
    this.modules = modules
    this.links = links
    this.order = order
    this.position = new Map(order.map((key, position) => [key, position]))
    this.settings = settings
    this.options = options
  }

  async run(inputs: Readonly<Record<string, Readonly<Dict>>>): Promise<[string, Dict][]> {
    const { signal } = this.options
    const stop = () => this.controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      // A module that ignores the signal must not delay the rejection.
      await untilAborted(signal, () => this.runAll(inputs))
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    return this.outputs()
  }

  /** Runs all modules: in parallel once they are ready, at most `numWorkers` at a time. */
  private runAll(inputs: Readonly<Record<string, Readonly<Dict>>>): Promise<void> {
    const { numWorkers = 4, showProgress, onProgress } = this.settings
    const schedule = new Schedule(this.modules.keys(), this.links)
    let running = 0
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        this.controller.abort(error)
        reject(error)
      }
      const start = () => {
        while (running < (numWorkers >= 1 ? numWorkers : 1)) {
          const key = schedule.next()
          if (key === undefined) break
          running++
          const end = () => {
            running--
            schedule.done(key)
            if (showProgress) onProgress?.(this.settled.size, this.modules.size)
            start()
          }
          this.runModule(key, Object.hasOwn(inputs, key) ? inputs[key] : undefined)
            .then(end)
            .catch(fail)
        }
        if (running === 0) resolve()
      }
      start()
    })
  }

  private async runModule(key: string, rootInputs: Readonly<Dict> | undefined): Promise<void> {
    const component = this.modules.get(key)!
    const delivered = this.inputsOf(key, component, rootInputs)
    if (!delivered) {
      this.settled.set(key, { ran: false, outputs: {}, delivered: false })
      return
    }
    this.controller.signal.throwIfAborted()
    const inputs = Object.fromEntries(delivered)
    if (this.settings.verbose) this.settings.logger?.(`${key}: ${describe(inputs, this.options.context, 200)}`)
    if (this.settings.strictPartials) rejectOverriddenInputs(key, component, inputs)
    const { context } = this.options
    const outputs = await component.runComponent(withContext(component, inputs, context), {
      signal: this.controller.signal,
      context,
      order: [...delivered.keys()],
    } as PipelineRunOptions)
    this.controller.signal.throwIfAborted()
    this.options.onModuleEnd?.(key, inputs, outputs)
    const settled: Settled = { ran: true, outputs, delivered: false }
    for (const link of this.links.from(key)) await this.follow(link, settled)
    this.settled.set(key, settled)
  }

  /** Returns the delivered inputs, in the static order of their source modules; `undefined` when the module is skipped. */
  private inputsOf(
    key: string,
    component: QueryComponent,
    rootInputs: Readonly<Dict> | undefined,
  ): ReadonlyMap<string, unknown> | undefined {
    if (rootInputs) return new Map(Object.entries(rootInputs))
    const incoming = this.links.to(key).toSorted((a, b) => this.position.get(a.src)! - this.position.get(b.src)!)
    const delivered = new Map<string, unknown>()
    let isIncomplete = false
    for (const link of incoming) {
      const value = this.carried.get(link)
      if (!value) isIncomplete = true
      // A later delivery overrides an earlier one to the same input, at the position of the earlier one.
      else delivered.set(value.key, value.value)
    }
    if (delivered.size === 0) return undefined
    const { context = {} } = this.options
    const isEmpty = (required: string) => !delivered.has(required) && !Object.hasOwn(context, required)
    if (isIncomplete && component.freeReqInputKeys.some(isEmpty)) return undefined
    return delivered
  }

  private async follow(link: Link, source: Settled): Promise<void> {
    const { srcKey, destKey, conditionFn, inputFn } = link.options
    const value = pick(source.outputs, srcKey, link.src)
    if (conditionFn && !(await conditionFn(value as never))) return
    const component = this.modules.get(link.dest)!
    const key = destKey ?? onlyFreeKey(component, link.dest, this.options.context)
    this.carried.set(link, { key, value: inputFn ? await inputFn(value as never) : value })
    source.delivered = true
  }

  private outputs(): [string, Dict][] {
    const ran = this.order.filter((key) => this.settled.get(key)!.ran)
    const leaves = ran.filter((key) => this.links.from(key).length === 0)
    const last = leaves.length > 0 ? leaves : ran.filter((key) => !this.settled.get(key)!.delivered)
    return last.map((key) => [key, this.settled.get(key)!.outputs])
  }
}

/** Adds the inputs of the run's context that the component declares. Inputs that a link delivered override them. */
function withContext(component: QueryComponent, inputs: Dict, context: Readonly<Dict> | undefined): Dict {
  if (!context || 'subQueryComponents' in component) return inputs
  const { required, optional } = component.inputKeys
  const wanted = Object.entries(context).filter(([key]) => required.includes(key) || optional.includes(key))
  return { ...Object.fromEntries(wanted), ...inputs }
}

function pick(outputs: Dict, srcKey: string | null | undefined, src: string): unknown {
  const keys = Object.keys(outputs)
  if (srcKey === null || srcKey === undefined) {
    if (keys.length !== 1) {
      throw new PipelineOutputError(
        `a link from "${src}" without srcKey needs a source with exactly one output, found ${keys.join(', ') || 'none'}`,
      )
    }
    return outputs[keys[0]!]
  }
  if (!Object.hasOwn(outputs, srcKey)) {
    throw new PipelineOutputError(
      `module "${src}" has no output "${srcKey}"; its outputs: ${keys.join(', ') || 'none'}`,
    )
  }
  return outputs[srcKey]
}

function onlyFreeKey(component: QueryComponent, dest: string, context: Readonly<Dict> | undefined): string {
  const all = component.freeReqInputKeys
  // A component with a single input takes it from the link, also when the context has a value of this name.
  const free = all.length === 1 ? all : all.filter((key) => !context || !Object.hasOwn(context, key))
  if (free.length !== 1) {
    throw new PipelineInputError(
      `a link to "${dest}" without destKey needs a target with exactly one required input without a fixed value, found ${free.join(', ') || 'none'}`,
    )
  }
  return free[0]!
}

function rejectOverriddenInputs(key: string, component: QueryComponent, inputs: Dict): void {
  const fixed = Object.keys(inputs).filter((input) => Object.hasOwn(component.partialInputs, input))
  if (fixed.length === 0) return
  throw new ComponentInputError(
    `Module "${key}": the fixed values of ${fixed.join(', ')} would override inputs of the run.`,
    fixed,
  )
}

/** Whether the inputs are named explicitly: `{ args }`, `{ inputs }` or both. */
function isExplicit(input: unknown): input is { args?: readonly unknown[]; inputs?: Dict } {
  if (!isPlainObject(input)) return false
  const { args, inputs, ...others } = input
  if ((args === undefined && inputs === undefined) || Object.keys(others).length > 0) return false
  return (args === undefined || Array.isArray(args)) && (inputs === undefined || isPlainObject(inputs))
}

/**
 * Returns the inputs as JSON, without those that the context of the run has too. A value without a JSON form appears as its text,
 * otherwise as the name of its type.
 */
function describe(
  inputs: Readonly<Dict>,
  context: Readonly<Dict> | undefined,
  most = Number.POSITIVE_INFINITY,
): string {
  const own = withoutContext(inputs, context)
  const entries = own.map(([key, value]) => [key, cut(shown(value, context, 0), most)] as const)
  return JSON.stringify(Object.fromEntries(entries))
}

function withoutContext(inputs: Readonly<Dict>, context: Readonly<Dict> | undefined): [string, unknown][] {
  return Object.entries(inputs).filter(([key]) => !context || !Object.hasOwn(context, key))
}

function cut(value: unknown, most: number): unknown {
  if (most === Number.POSITIVE_INFINITY) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : value
}

function shown(value: unknown, context: Readonly<Dict> | undefined, depth: number): unknown {
  if (typeof value === 'string' || value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth < 8 && Array.isArray(value)) return value.map((item) => shown(item, context, depth + 1))
  if (depth < 8 && isPlainObject(value)) {
    return Object.fromEntries(
      withoutContext(value, context).map(([key, item]) => [key, shown(item, context, depth + 1)]),
    )
  }
  try {
    return inputText(value)
  } catch {
    // No text form either: use the name of the type.
    return typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value
  }
}
