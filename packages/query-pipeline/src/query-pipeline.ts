/**
 * @module
 * A directed acyclic graph of components, connected by their outputs and inputs.
 */

import { checkGiven, checkOptions, dict, list } from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import {
  BaseComponent,
  type CallbackEvent,
  CallbackManager,
  ConfigurationError,
  type Dict,
  type ComponentInputKeys as Keys,
  type QueryComponent,
  withEvent,
} from '@x/core-model'
import { insideEvent } from '@x/core-model/components'
import { checkLinkKeys } from './check-link.ts'
import { contextKeys, type ModuleLike, type PipelineRunOptions, toComponent } from './component.ts'
import { describe } from './describe.ts'
import {
  PipelineConfigError,
  PipelineCycleError,
  PipelineInputError,
  PipelineOutputError,
  PipelineRootError,
} from './errors.ts'
import { isLink, Link, type LinkOptions, Links, mermaid, Schedule } from './graph.ts'
import { pipelineOptions, type QueryPipelineOptions, type RunOptions, runOptions } from './options.ts'
import { Run, type RunScope, type RunSettings } from './run.ts'

/** The inputs and outputs of a module in one run. */
export interface Intermediate {
  /** The values that links delivered; for a root, the inputs of the run. Without fixed values. */
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

/**
 * Runs components in the order of their links. Modules that do not depend on each other run in parallel.
 *
 * A pipeline keeps no state between runs, so several runs may overlap. A pipeline is itself a component.
 * @throws {ConfigurationError} if `chain` is combined with `modules` or `links`.
 * @example
 * import { PromptTemplate } from '@x/prompts'
 * const llm = new ScriptedLLM({ answers: ['Green.'] })
 * const prompt = new PromptTemplate({ template: 'Which color has {thing}?' })
 * const pipeline = new QueryPipeline({ chain: [prompt, llm] })
 * String(await pipeline.run({ thing: 'tea' })) // => 'Green.'
 */
export class QueryPipeline extends BaseComponent {
  verbose: boolean
  private readonly options: QueryPipelineOptions
  private ownManager: CallbackManager | undefined
  private readonly noManager = new CallbackManager()
  private readonly moduleMap = new Map<string, QueryComponent>()
  private readonly links = new Links()

  constructor(options: QueryPipelineOptions = {}) {
    checkOptions('QueryPipeline', options, pipelineOptions)
    super(options)
    this.options = options
    this.ownManager = options.callbackManager ?? undefined
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

  /** Receives the events of runs without a callback manager. */
  get callbackManager(): CallbackManager {
    return this.ownManager ?? this.noManager
  }

  set callbackManager(manager: CallbackManager) {
    this.ownManager = manager
  }

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
   * @throws {PipelineConfigError} if the key already exists, or the module is not a component.
   */
  add(key: string, module: ModuleLike): void {
    if (this.moduleMap.has(key)) throw new PipelineConfigError(`module "${key}" already exists`)
    const component = toComponent(module)
    if (!component) throw new PipelineConfigError(`module "${key}" is not a component`)
    this.moduleMap.set(key, component)
  }

  /** Adds modules by key, in order. */
  addModules(modules: Readonly<Record<string, ModuleLike>>): void {
    checkGiven('QueryPipeline.addModules', { modules }, dict)
    for (const [key, module] of Object.entries(modules)) this.add(key, module)
  }

  /**
   * Adds modules and links each to the next. The key of a module contains its index: `chain[0]`, or `chain2[0]` in a second chain.
   * A string is the key of an existing module.
   */
  addChain(chain: readonly (ModuleLike | string)[]): void {
    checkGiven('QueryPipeline.addChain', { chain }, list)
    let name = 'chain'
    for (let n = 2; this.hasKeysOf(name, chain.length); n++) name = `chain${n}`
    const keys = chain.map((item, index) => {
      if (typeof item === 'string') {
        this.module(item)
        return item
      }
      const key = `${name}[${index}]`
      this.add(key, item)
      return key
    })
    for (let i = 1; i < keys.length; i++) this.addLink(keys[i - 1]!, keys[i]!)
  }

  /**
   * Links an output of one module to an input of another. Two modules may have several links.
   * @throws {PipelineConfigError} if a module does not exist.
   * @throws {ModelValidationError} if an option of the link is unknown or has the wrong type.
   * @throws {PipelineCycleError} if the link would create a cycle.
   * @throws {PipelineOutputError} if the source has no output `srcKey`; without `srcKey`, if it does not have exactly one output.
   * @throws {ComponentInputError} if the target has no input `destKey`.
   * @throws {PipelineInputError} without `destKey`, if the target does not have exactly one required input without a fixed value.
   */
  addLink(src: string, dest: string, options: LinkOptions = {}): void {
    const [source, target] = [this.module(src), this.module(dest)]
    const link = new Link(src, dest, options)
    if (this.links.hasPath(dest, src)) throw new PipelineCycleError(src, dest)
    checkLinkKeys(link, source, target)
    this.links.add(link)
  }

  /**
   * Adds links in order.
   * @throws {PipelineConfigError} if an element is not a `Link`.
   */
  addLinks(links: readonly Link[]): void {
    checkGiven('QueryPipeline.addLinks', { links }, list)
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

  /** Sets the callback manager of later runs. The components keep their own managers: a run passes its manager to each of them. */
  override setCallbackManager(manager: CallbackManager): void {
    this.ownManager = manager
  }

  /** The links, in the order they were added. */
  get allLinks(): readonly Link[] {
    return this.links.all
  }

  /** Inputs that the root takes from the context of a run. */
  get contextKeys(): readonly string[] {
    return contextKeys(this.onlyRoot())
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

  /** Returns the keys in the order in which the modules run with `maxConcurrency: 1`. */
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

  /**
   * Returns the pipeline as a Mermaid flowchart, for Markdown pages and logs. Links are labelled with their keys; links
   * with a condition are dotted; nested pipelines are boxes.
   */
  toMermaid(): string {
    return mermaid(this)
  }

  // ---- running

  /**
   * Runs a pipeline that has one root and one output.
   * A plain object is read as named inputs. Any other value becomes the only required input of the root that has no
   * fixed value. To avoid this guess, pass `{ inputs: { ... } }` or `{ args: [value] }`.
   * @throws {PipelineRootError} if the pipeline does not have exactly one root.
   * @throws {PipelineInputError} if a single value is passed and the root does not have exactly one such input.
   * @throws {PipelineOutputError} if the run does not have exactly one output: none if no link from an `InputComponent` is followed.
   */
  async run(input?: unknown, options: RunOptions = {}): Promise<unknown> {
    checkOptions('QueryPipeline.run', options, runOptions)
    return (await this.runSingle(input, options)).result
  }

  /** Like `run`, but returns `[output, intermediates]`: `intermediates` contains the inputs and outputs of each module that ran. */
  async runWithIntermediates(
    input?: unknown,
    options: RunOptions = {},
  ): Promise<[unknown, Record<string, Intermediate>]> {
    const seen: [string, Intermediate][] = []
    const onModuleEnd: RunOptions['onModuleEnd'] = (key, inputs, outputs) => {
      seen.push([key, { inputs, outputs }])
      return options.onModuleEnd?.(key, inputs, outputs)
    }
    const { result } = await this.runSingle(input, { ...options, onModuleEnd })
    return [result, Object.fromEntries(seen)]
  }

  /** Runs a pipeline with any number of roots and leaves: receives the inputs by root key, and returns the outputs by leaf key. */
  async runMulti(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    options: RunOptions = {},
  ): Promise<Record<string, Dict>> {
    checkOptions('QueryPipeline.runMulti', options, runOptions)
    return this.inQueryEvent(inputs, options, async (scope) => Object.fromEntries(await this.runGraph(inputs, scope)))
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const run = { ...options, returnValuesDirect: false }
    return (await this.runSingle({ inputs: { ...inputs, ...this.partialInputs } }, run)).outputs
  }

  protected async runSingle(input: unknown, options: RunOptions): Promise<{ result: unknown; outputs: Dict }> {
    const root = this.onlyRootKey()
    const inputs = this.namedInputs(input)
    return this.inQueryEvent(inputs, options, async (scope) => {
      const found = await this.runGraph({ [root]: inputs }, scope)
      if (found.length !== 1) {
        throw new PipelineOutputError(
          `expected exactly one output, found outputs of ${found.map(([key]) => key).join(', ') || 'no module: no condition of its links was true'}`,
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

  /** Runs `work` inside the event of a run, with the scope of this run. @internal */
  protected inQueryEvent<T>(
    inputs: Readonly<Dict>,
    options: RunOptions,
    work: (scope: RunScope) => Promise<T>,
  ): Promise<T> {
    const { callbackManager, '~slots': slots, ...rest } = options
    const manager = callbackManager ?? this.ownManager
    const payload = () => ({ query_str: describe(inputs, options.context) })
    const run = (event: CallbackEvent) => work({ ...insideEvent(event, rest), callbackManager: manager, slots })
    return withEvent(manager, 'query', payload, run, { trace: 'query', parentId: options.parentId })
  }

  /** Runs all modules. Returns the results by the key of their module. @internal */
  protected async runGraph(
    inputs: Readonly<Record<string, Readonly<Dict>>>,
    scope: RunScope,
  ): Promise<[string, Dict][]> {
    const roots = this.getRootKeys()
    const keys = Object.keys(inputs)
    if (keys.length !== roots.length || !roots.every((key) => Object.hasOwn(inputs, key))) {
      throw new PipelineInputError(
        `expected inputs for the roots ${roots.join(', ') || '(none)'}, received inputs for ${keys.join(', ') || '(none)'}`,
      )
    }
    const { maxConcurrency = 4, strictPartials = false, logger, showProgress, onProgress } = this.options
    const settings: RunSettings = {
      modules: this.moduleMap,
      links: this.links,
      order: this.getStaticOrder(),
      maxConcurrency,
      strictPartials,
      log: this.verbose ? logger : undefined,
      onProgress: showProgress ? onProgress : undefined,
    }
    return new Run(settings, scope).run(inputs)
  }

  /** Whether a key of a chain of this name is in use. */
  private hasKeysOf(name: string, length: number): boolean {
    return Array.from({ length }, (_, index) => `${name}[${index}]`).some((key) => this.moduleMap.has(key))
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

/** Whether the inputs are named explicitly: `{ args }`, `{ inputs }` or both. */
function isExplicit(input: unknown): input is { args?: readonly unknown[]; inputs?: Dict } {
  if (!isPlainObject(input)) return false
  const { args, inputs, ...others } = input
  if ((args === undefined && inputs === undefined) || Object.keys(others).length > 0) return false
  return (args === undefined || Array.isArray(args)) && (inputs === undefined || isPlainObject(inputs))
}
