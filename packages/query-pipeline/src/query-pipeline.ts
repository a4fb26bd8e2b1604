/**
 * @module
 * A graph of components: what comes out of one goes into the next.
 */
import {
  CallbackManager,
  ComponentInputError,
  ConfigurationError,
  type Dict,
  inputText,
  isPlainObject,
  type InputKeys as Keys,
  newId,
  QueryComponent,
  untilAborted,
} from '@x/core-model'
import { type ModuleLike, type PipelineRunOptions, toComponent } from './component.ts'
import {
  PipelineConfigError,
  PipelineCycleError,
  PipelineInputError,
  PipelineOutputError,
  PipelineRootError,
} from './errors.ts'
import { Link, type LinkOptions, Links, Schedule } from './graph.ts'

/** How a pipeline is made: of a chain, or of modules and links. */
export interface QueryPipelineOptions {
  /** Modules one after the other; not together with `modules` and `links`. */
  chain?: readonly (ModuleLike | string)[] | null | undefined
  /** Modules by key. */
  modules?: Readonly<Record<string, ModuleLike>> | null | undefined
  /** What goes from module to module; needs `modules`. */
  links?: readonly Link[] | null | undefined
  /** Told about runs, also by what the modules wrap. @defaultValue one without handlers */
  callbackManager?: CallbackManager | null | undefined
  /** Whether each module with its inputs goes to `logger`. @defaultValue false */
  verbose?: boolean | undefined
  /** Gets a line per module that runs, when `verbose` is set. @defaultValue none: nothing is logged */
  logger?: ((text: string) => void) | undefined
  /** Whether `onProgress` is called. @defaultValue false */
  showProgress?: boolean | undefined
  /** Told after each module, run or skipped, when `showProgress` is set. */
  onProgress?: ((done: number, all: number) => void) | undefined
  /** How many modules run at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Refuse inputs that a fixed value would replace. @defaultValue false */
  strictPartials?: boolean | undefined
  /** Fixed inputs of the pipeline as a component of another one; `run` does not use them. */
  partial?: Dict | undefined
}

/** What goes along with a run. */
export interface RunOptions extends PipelineRunOptions {
  /** Give the bare value when there is exactly one. @defaultValue true */
  returnValuesDirect?: boolean | undefined
  /** Told about this run, in place of the pipeline's. What the modules wrap knows one at a time: that of the latest run. */
  callbackManager?: CallbackManager | null | undefined
  /** Told of each module that has run. */
  onModuleEnd?: ((key: string, inputs: Readonly<Dict>, outputs: Readonly<Dict>) => void) | undefined
}

/** What went into a module and came out of it. */
export interface Intermediate {
  /** What the links delivered, or the inputs of the run; without fixed values. */
  inputs: Readonly<Dict>
  /** By name. */
  outputs: Readonly<Dict>
}

/** A pipeline without its functions. */
export interface PipelineDag {
  /** The keys, in the order they were added. */
  modules: string[]
  /** In the order they were added; `conditional` when there is a condition. */
  links: { src: string; dest: string; src_key: string | null; dest_key: string | null; conditional: boolean }[]
}

/** What became of a module in a run. */
interface Settled {
  ran: boolean
  outputs: Dict
  /** Whether a link out of it was taken. */
  delivered: boolean
}

/**
 * Runs components in the order that their links ask for, side by side where nothing stands against it.
 *
 * A pipeline keeps nothing between runs, so it may run several times at once. It is a component itself.
 * @example
 * import { PromptTemplate } from '@x/prompts'
 * const llm = new ScriptedLLM({ answers: ['Green.'] })
 * const prompt = new PromptTemplate({ template: 'Which color has {thing}?' })
 * const pipeline = new QueryPipeline({ chain: [prompt, llm] })
 * String(await pipeline.run({ thing: 'tea' })) // => 'Green.'
 */
export class QueryPipeline extends QueryComponent {
  callbackManager: CallbackManager
  verbose: boolean
  private readonly options: QueryPipelineOptions
  private readonly moduleMap = new Map<string, QueryComponent>()
  private readonly links = new Links()

  /** @throws {ConfigurationError} when a chain is given together with modules or links. */
  constructor(options: QueryPipelineOptions = {}) {
    super({
      name: 'QueryPipeline',
      inputKeys: () => this.onlyRoot().inputKeys,
      outputKeys: [],
      partial: options.partial,
      run: (inputs) => inputs,
      setCallbackManager: (manager) => {
        this.callbackManager = manager
        for (const component of this.moduleMap.values()) component.setCallbackManager(manager)
      },
    })
    this.options = options
    this.callbackManager = options.callbackManager ?? new CallbackManager()
    this.verbose = options.verbose ?? false
    const { chain, modules, links } = options
    if (chain && (modules || links)) {
      throw new ConfigurationError('QueryPipeline: give a chain, or modules and links, not both.')
    }
    if (links && !modules) throw new PipelineConfigError('links need modules')
    if (chain) this.addChain(chain)
    if (modules) this.addModules(modules)
    if (links) this.addLinks(links)
  }

  // ---- building

  /** The modules by key, in the order they were added. */
  get modules(): ReadonlyMap<string, QueryComponent> {
    return this.moduleMap
  }

  /** The components inside. */
  get subQueryComponents(): readonly QueryComponent[] {
    return [...this.moduleMap.values()]
  }

  /** @throws {PipelineConfigError} when the key is taken, or the module is no component. */
  add(key: string, module: ModuleLike): void {
    if (this.moduleMap.has(key)) throw new PipelineConfigError(`there is a module "${key}" already`)
    const component = toComponent(module)
    if (!component) throw new PipelineConfigError(`module "${key}" is no component`)
    this.moduleMap.set(key, component)
  }

  /** Adds each module in order. */
  addModules(modules: Readonly<Record<string, ModuleLike>>): void {
    for (const [key, module] of Object.entries(modules)) this.add(key, module)
  }

  /** Adds modules under new keys and links neighbours; a text stands for a module that is there already. */
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
   * Carries an output of one module to an input of another. Several links between two modules are fine.
   * @throws {PipelineConfigError} when a module is unknown.
   * @throws {PipelineCycleError} when the link would close a cycle.
   */
  addLink(src: string, dest: string, options: LinkOptions = {}): void {
    this.module(src)
    this.module(dest)
    if (this.links.lead(dest, src)) throw new PipelineCycleError(src, dest)
    this.links.add(new Link(src, dest, options))
  }

  /** @throws {PipelineConfigError} when something in the list is no link. */
  addLinks(links: readonly Link[]): void {
    for (const link of links) {
      if (!(link instanceof Link)) throw new PipelineConfigError('expected links')
      this.addLink(link.src, link.dest, link.options)
    }
  }

  /** The modules that no link leads to. */
  getRootKeys(): string[] {
    return [...this.moduleMap.keys()].filter((key) => this.links.to(key).length === 0)
  }

  /** The modules that no link leads away from. */
  getLeafKeys(): string[] {
    return [...this.moduleMap.keys()].filter((key) => this.links.from(key).length === 0)
  }

  override get outputKeys(): readonly string[] {
    const leaves = this.getLeafKeys()
    if (leaves.length !== 1)
      throw new PipelineOutputError(`expected exactly one leaf; it has ${leaves.join(', ') || 'none'}`)
    return this.moduleMap.get(leaves[0]!)!.outputKeys
  }

  override get inputKeys(): Keys {
    return this.onlyRoot().inputKeys
  }

  override get freeReqInputKeys(): readonly string[] {
    return this.onlyRoot().freeReqInputKeys.filter((key) => !Object.hasOwn(this.partialInputs, key))
  }

  /** The keys in the order in which modules run when nothing runs side by side. */
  getStaticOrder(): string[] {
    const schedule = new Schedule(this.moduleMap.keys(), this.links)
    const order: string[] = []
    for (let key = schedule.next(); key !== undefined; key = schedule.next()) {
      order.push(key)
      schedule.done(key)
    }
    return order
  }

  /** Keys and links without functions. */
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
   * Runs a pipeline with one root and one output. A plain object is taken as named inputs, anything else as the only
   * free input of the root; `{ inputs: { ... } }` and `{ args: [value] }` say which it is.
   * @throws {PipelineRootError} when there is not exactly one root.
   * @throws {PipelineInputError} when a single value has no single place to go.
   * @throws {PipelineOutputError} when there is not exactly one output.
   */
  async run(input?: unknown, options: RunOptions = {}): Promise<unknown> {
    return (await this.runSingle(input, options)).result
  }

  /** As `run`; also gives what went into each module and came out of it. */
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

  /** Runs a pipeline with any number of roots and leaves: inputs by root, outputs by leaf. */
  async runMulti(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    options: RunOptions = {},
  ): Promise<Record<string, Dict>> {
    return this.told(inputs, options, async () => Object.fromEntries(await this.runGraph(inputs, options)))
  }

  override async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const run = { ...options, returnValuesDirect: false }
    return (await this.runSingle({ inputs: { ...inputs, ...this.partialInputs } }, run)).outputs
  }

  private async runSingle(input: unknown, options: RunOptions): Promise<{ result: unknown; outputs: Dict }> {
    const root = this.onlyRootKey()
    const inputs = this.namedInputs(input)
    return this.told(inputs, options, async () => {
      const found = await this.runGraph({ [root]: inputs }, options)
      if (found.length !== 1) {
        throw new PipelineOutputError(
          `expected exactly one output; it has ${found.map(([key]) => key).join(', ') || 'none'}`,
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
      throw new PipelineInputError('expected named inputs or one value, not several values or both')
    }
    const free = this.onlyRoot().freeReqInputKeys
    if (free.length !== 1) {
      throw new PipelineInputError(
        `a single value needs a root with exactly one free required input; it has ${free.join(', ') || 'none'}`,
      )
    }
    return { [free[0]!]: args[0] }
  }

  private told<T>(inputs: Readonly<Dict>, options: RunOptions, run: () => Promise<T>): Promise<T> {
    const manager = options.callbackManager ?? this.callbackManager
    for (const component of this.moduleMap.values()) component.setCallbackManager(manager)
    return manager.event('query', () => ({ query_str: describe(inputs) }), run, { trace: 'query' })
  }

  private async runGraph(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    options: RunOptions,
  ): Promise<[string, Dict][]> {
    const roots = this.getRootKeys()
    const given = Object.keys(inputs)
    if (given.length !== roots.length || !roots.every((key) => Object.hasOwn(inputs, key))) {
      throw new PipelineInputError(
        `expected inputs for the roots ${roots.join(', ') || '(none)'}, got ${given.join(', ') || 'none'}`,
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
    if (!component) throw new PipelineConfigError(`there is no module "${key}"`)
    return component
  }
}

/** One run: all its state is here, so that a pipeline may run several times at once. */
class Run {
  private readonly modules: ReadonlyMap<string, QueryComponent>
  private readonly links: Links
  /** The static order, and the place of each module in it. */
  private readonly order: readonly string[]
  private readonly place: ReadonlyMap<string, number>
  private readonly settings: QueryPipelineOptions
  private readonly options: RunOptions
  private readonly settled = new Map<string, Settled>()
  /** Per link: the value it carries, once its source ran and it was taken. */
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
    this.place = new Map(order.map((key, place) => [key, place]))
    this.settings = settings
    this.options = options
  }

  async run(inputs: Readonly<Record<string, Readonly<Dict>>>): Promise<[string, Dict][]> {
    const { signal } = this.options
    const stop = () => this.controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      // A module that does not listen must not keep the caller waiting.
      await untilAborted(signal, () => this.runAll(inputs))
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    return this.outputs()
  }

  /** Modules that are free run side by side, at most `numWorkers` at once. */
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
    const came = this.inputsOf(key, component, rootInputs)
    if (!came) {
      this.settled.set(key, { ran: false, outputs: {}, delivered: false })
      return
    }
    this.controller.signal.throwIfAborted()
    const inputs = Object.fromEntries(came)
    if (this.settings.verbose) this.settings.logger?.(`${key}: ${describe(inputs, 200)}`)
    if (this.settings.strictPartials) refuseFixed(key, component, inputs)
    const { context } = this.options
    const given = withContext(component, inputs, context)
    const outputs = await component.runComponent(given, {
      signal: this.controller.signal,
      context,
      order: [...came.keys()],
    } as PipelineRunOptions)
    this.controller.signal.throwIfAborted()
    this.options.onModuleEnd?.(key, inputs, outputs)
    const settled: Settled = { ran: true, outputs, delivered: false }
    for (const link of this.links.from(key)) await this.carry(link, settled)
    this.settled.set(key, settled)
  }

  /** What the links have delivered, in the static order of their sources; nothing when the module is to be skipped. */
  private inputsOf(
    key: string,
    component: QueryComponent,
    rootInputs: Readonly<Dict> | undefined,
  ): ReadonlyMap<string, unknown> | undefined {
    if (rootInputs) return new Map(Object.entries(rootInputs))
    const incoming = this.links.to(key).toSorted((a, b) => this.place.get(a.src)! - this.place.get(b.src)!)
    const delivered = new Map<string, unknown>()
    let untaken = false
    for (const link of incoming) {
      const value = this.carried.get(link)
      if (!value) untaken = true
      // A later delivery to the same input wins, and keeps the place of the first.
      else delivered.set(value.key, value.value)
    }
    if (delivered.size === 0) return undefined
    const { context = {} } = this.options
    const isEmpty = (required: string) => !delivered.has(required) && !Object.hasOwn(context, required)
    if (untaken && component.freeReqInputKeys.some(isEmpty)) return undefined
    return delivered
  }

  private async carry(link: Link, source: Settled): Promise<void> {
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

/** Inputs that come from the circumstances of the run, for a component that knows them. */
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
        `a link from "${src}" without srcKey needs exactly one output; it has ${keys.join(', ') || 'none'}`,
      )
    }
    return outputs[keys[0]!]
  }
  if (!Object.hasOwn(outputs, srcKey)) {
    throw new PipelineOutputError(`module "${src}" has no output "${srcKey}"; it has ${keys.join(', ') || 'none'}`)
  }
  return outputs[srcKey]
}

function onlyFreeKey(component: QueryComponent, dest: string, context: Readonly<Dict> | undefined): string {
  const all = component.freeReqInputKeys
  // A prompt for a task may have that one variable, and is no component that works for the agent.
  const free = all.length === 1 ? all : all.filter((key) => !context || !Object.hasOwn(context, key))
  if (free.length !== 1) {
    throw new PipelineInputError(
      `a link to "${dest}" without destKey needs exactly one free required input; it has ${free.join(', ') || 'none'}`,
    )
  }
  return free[0]!
}

function refuseFixed(key: string, component: QueryComponent, inputs: Dict): void {
  const fixed = Object.keys(inputs).filter((input) => Object.hasOwn(component.partialInputs, input))
  if (fixed.length === 0) return
  throw new ComponentInputError(
    `Module "${key}": the fixed values of ${fixed.join(', ')} would replace its inputs.`,
    fixed,
  )
}

/** `{ args }`, `{ inputs }` or both: inputs in so many words. */
function isExplicit(input: unknown): input is { args?: readonly unknown[]; inputs?: Dict } {
  if (!isPlainObject(input)) return false
  const { args, inputs, ...others } = input
  if ((args === undefined && inputs === undefined) || Object.keys(others).length > 0) return false
  return (args === undefined || Array.isArray(args)) && (inputs === undefined || isPlainObject(inputs))
}

/** Inputs as JSON; what has no JSON form is its text or its kind, and the state of agents is left out. */
function describe(inputs: Readonly<Dict>, most = Number.POSITIVE_INFINITY): string {
  const named = Object.entries(inputs).filter(([key]) => key !== 'task' && key !== 'state')
  const texts = named.map(([key, value]) => [key, cut(shown(value, 0), most)] as const)
  return JSON.stringify(Object.fromEntries(texts))
}

function cut(value: unknown, most: number): unknown {
  if (most === Number.POSITIVE_INFINITY) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : value
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth < 8 && Array.isArray(value)) return value.map((item) => shown(item, depth + 1))
  if (depth < 8 && isPlainObject(value)) {
    const entries = Object.entries(value).filter(([key]) => key !== 'task' && key !== 'state')
    return Object.fromEntries(entries.map(([key, item]) => [key, shown(item, depth + 1)]))
  }
  try {
    return inputText(value)
  } catch {
    // It has no text form either: its kind must do.
    return typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value
  }
}
