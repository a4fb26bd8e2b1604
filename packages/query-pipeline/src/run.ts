/**
 * @module
 * One run of a pipeline.
 */
import type { CallbackManager, Dict, QueryComponent } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { checkNotFixed, inputKey, outputKey } from './check-link.ts'
import { type PipelineRunOptions, returnsInputs, runInContext } from './component.ts'
import { describe } from './describe.ts'
import { PipelineModuleError } from './errors.ts'
import { type Link, type Links, Schedule } from './graph.ts'
import { closeStream, isStream, letIdle, SharedStream } from './shared-stream.ts'
import { OwnSlots, runInSlots, type Slots } from './slots.ts'

/** The data of a pipeline that its runs need. */
export interface RunSettings {
  readonly modules: ReadonlyMap<string, QueryComponent>
  readonly links: Links
  /** The keys of the modules in static order. */
  readonly order: readonly string[]
  readonly maxConcurrency: number
  readonly strictPartials: boolean
  /** Receives one line per module. */
  readonly log: ((line: string) => void) | undefined
  readonly onProgress: ((done: number, all: number) => void) | undefined
}

/** The options and state of one run. */
export interface RunScope {
  readonly signal?: AbortSignal | undefined
  readonly context?: Readonly<Dict> | undefined
  readonly parentId?: string | undefined
  readonly callbackManager?: CallbackManager | undefined
  readonly slots?: Slots | undefined
  readonly onModuleStart?: ((key: string, inputs: Readonly<Dict>) => void) | undefined
  readonly onModuleEnd?: ((key: string, inputs: Readonly<Dict>, outputs: Readonly<Dict>) => void) | undefined
}

/** The result of a module that ran or was skipped. */
interface Settled {
  ran: boolean
  outputs: Dict
  /** Whether at least one of its outgoing links was followed. */
  delivered: boolean
}

/** The state of one run. It is not stored in the pipeline, so that several runs may overlap. */
export class Run {
  private readonly settings: RunSettings
  private readonly scope: RunScope
  private readonly contextKeys: readonly string[]
  /** The position of each module in the static order. */
  private readonly position: ReadonlyMap<string, number>
  private readonly settled = new Map<string, Settled>()
  /** Per followed link: the value that it delivers, the input that receives it, and the value that `inputFn` received. */
  private readonly carried = new Map<Link, { key: string; value: unknown; source: unknown }>()
  /** The modules that have received their inputs. */
  private readonly started = new Set<string>()
  private readonly controller = new AbortController()

  constructor(settings: RunSettings, scope: RunScope) {
    this.settings = settings
    this.scope = scope
    this.contextKeys = Object.keys(scope.context ?? {})
    this.position = new Map(settings.order.map((key, position) => [key, position]))
  }

  /** Runs all modules and returns the outputs of the leaves that ran, by key; if none ran, those of the last modules that computed. */
  async run(inputs: Readonly<Record<string, Readonly<Dict>>>): Promise<[string, Dict][]> {
    const { signal } = this.scope
    const stop = () => this.controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      // Rejects at once even if a module ignores the signal.
      await untilAborted(signal, () => this.runAll(inputs))
      const results = this.outputs()
      const last = new Set(results.map(([key]) => key))
      for (const [key, { outputs }] of this.settled) if (!last.has(key)) closeAll(outputs)
      return results
    } catch (error) {
      // The run owns what no module has received. A module that runs owns its inputs, until it ends.
      for (const { outputs } of this.settled.values()) closeAll(outputs)
      for (const key of this.settings.order) if (!this.started.has(key)) this.closeInputs(key)
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Closes the streams that a module has received over links, or would have. */
  private closeInputs(key: string): void {
    for (const link of this.settings.links.to(key)) closeAll({ ...this.carried.get(link) })
  }

  /** Runs all modules as they become ready: in parallel, if slots are free. */
  private runAll(inputs: Readonly<Record<string, Readonly<Dict>>>): Promise<void> {
    const { maxConcurrency, modules, links, onProgress } = this.settings
    const slots = new OwnSlots(this.scope.slots, maxConcurrency)
    const schedule = new Schedule(modules.keys(), links)
    const next = async () => {
      const key = schedule.next()!
      await this.runModule(key, Object.hasOwn(inputs, key) ? inputs[key] : undefined, slots.shared)
      schedule.done(key)
      await onProgress?.(this.settled.size, modules.size)
    }
    const work = {
      get hasNext() {
        return schedule.hasNext
      },
      next,
    }
    return runInSlots(work, { limit: maxConcurrency, slots, controller: this.controller })
  }

  private async runModule(key: string, rootInputs: Readonly<Dict> | undefined, slots: Slots): Promise<void> {
    const component = this.settings.modules.get(key)!
    const delivered = this.inputsOf(key, component, rootInputs)
    if (!delivered) {
      this.closeInputs(key)
      this.settled.set(key, { ran: false, outputs: {}, delivered: false })
      return
    }
    this.started.add(key)
    try {
      this.settled.set(key, await this.settledModule(key, component, delivered, slots))
    } catch (error) {
      this.closeInputs(key)
      throw error
    }
  }

  /** Runs a module, and delivers its outputs. */
  private async settledModule(
    key: string,
    component: QueryComponent,
    delivered: ReadonlyMap<string, unknown>,
    slots: Slots,
  ): Promise<Settled> {
    const inputs = Object.fromEntries(delivered)
    const { context, onModuleStart, onModuleEnd } = this.scope
    this.settings.log?.(`${key}: ${describe(inputs, context, 200)}`)
    if (this.settings.strictPartials) checkNotFixed(key, component, inputs)
    await onModuleStart?.(key, inputs)
    const outputs = await this.outputsOf(key, component, inputs, [...delivered.keys()], slots)
    const values = new OutputValues(outputs)
    try {
      this.controller.signal.throwIfAborted()
      await onModuleEnd?.(key, inputs, values.view({ passive: true }))
      letIdle(delivered.values(), outputs)
      const settled = await this.deliver(key, values)
      this.controller.signal.throwIfAborted()
      return settled
    } catch (error) {
      values.seal()
      closeAll(outputs)
      for (const link of this.settings.links.from(key)) closeAll({ ...this.carried.get(link) })
      throw error
    }
  }

  private async outputsOf(
    key: string,
    component: QueryComponent,
    inputs: Dict,
    order: readonly string[],
    slots: Slots,
  ): Promise<Dict> {
    const { context, parentId, callbackManager } = this.scope
    const options: PipelineRunOptions = {
      signal: this.controller.signal,
      context,
      order,
      parentId,
      callbackManager,
      '~slots': slots,
    }
    try {
      return await runInContext(component, inputs, options)
    } catch (error) {
      // After an abort, the run rejects with the reason of the signal.
      this.controller.signal.throwIfAborted()
      throw new PipelineModuleError(key, error)
    }
  }

  /** Returns the delivered inputs, in the static order of their source modules; `undefined` if the module is skipped. */
  private inputsOf(
    key: string,
    component: QueryComponent,
    rootInputs: Readonly<Dict> | undefined,
  ): ReadonlyMap<string, unknown> | undefined {
    if (rootInputs) return new Map(Object.entries(rootInputs))
    const { links } = this.settings
    const incoming = links.to(key).toSorted((a, b) => this.position.get(a.src)! - this.position.get(b.src)!)
    const delivered = new Map<string, unknown>()
    let isIncomplete = false
    for (const link of incoming) {
      const value = this.carried.get(link)
      if (!value) isIncomplete = true
      // If several links deliver to an input, the last value is used, at the position of the first.
      else delivered.set(value.key, value.value)
    }
    if (delivered.size === 0) return undefined
    const isEmpty = (required: string) => !delivered.has(required) && !this.contextKeys.includes(required)
    if (isIncomplete && component.freeReqInputKeys.some(isEmpty)) return undefined
    return delivered
  }

  /** Delivers the outputs of a module over its links. */
  private async deliver(key: string, values: OutputValues): Promise<Settled> {
    const links = this.settings.links.from(key).map((link) => ({
      link,
      srcKey: outputKey(values.keys, link.options.srcKey, key),
    }))
    values.expect(links)
    let delivered = false
    for (const { link, srcKey } of links) if (await this.follow(link, srcKey, values)) delivered = true
    // If a module delivered no value, its outputs are a result of the run.
    const outputs = delivered ? {} : values.view()
    values.seal()
    return { ran: true, outputs, delivered }
  }

  /** Delivers a value over a link. Returns false when its condition is false. */
  private async follow(link: Link, srcKey: string, values: OutputValues): Promise<boolean> {
    const { destKey, conditionFn, inputFn } = link.options
    const place = `of the link from "${link.src}" to "${link.dest}"`
    const call = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw new PipelineModuleError(link.src, error, `${name} ${place}`)
      }
    }
    // The condition does not read on after its result, so a stream may be stopped without it.
    if (conditionFn) {
      const observed = values.read(srcKey)
      const isTrue = await call('conditionFn', () => conditionFn(observed as never))
      closeStream(observed)
      if (!isTrue) return false
    }
    const key = inputKey(this.settings.modules.get(link.dest)!, destKey, link.dest, this.contextKeys)
    const source = values.read(srcKey)
    this.carried.set(link, { key, value: source, source })
    if (inputFn) {
      const value = await call('inputFn', () => inputFn(source as never))
      this.carried.set(link, { key, value, source })
    }
    return true
  }

  private outputs(): [string, Dict][] {
    const { order, links, modules } = this.settings
    const ran = order.filter((key) => this.settled.get(key)!.ran)
    const leaves = ran.filter((key) => links.from(key).length === 0)
    const isLast = (key: string) => !this.settled.get(key)!.delivered && !returnsInputs(modules.get(key)!)
    const last = leaves.length > 0 ? leaves : ran.filter(isLast)
    return last.map((key) => [key, this.settled.get(key)!.outputs])
  }
}

/** Closes the streams among values. */
function closeAll(values: Readonly<Dict>): void {
  for (const value of Object.values(values)) closeStream(value)
}

/** The outputs of a module. Streams with several readers are shared. */
class OutputValues {
  private readonly outputs: Dict
  private readonly shared = new Map<string, SharedStream>()

  constructor(outputs: Dict) {
    this.outputs = outputs
  }

  get keys(): readonly string[] {
    return Object.keys(this.outputs)
  }

  /** Shares the streams that more than one link or condition reads. */
  expect(links: readonly { link: Link; srcKey: string }[]): void {
    for (const key of this.keys) {
      const own = links.filter(({ srcKey }) => srcKey === key)
      const conditions = own.filter(({ link }) => link.options.conditionFn).length
      if (own.length + conditions > 1) this.share(key)
    }
  }

  /** Returns the value of an output for an additional reader. */
  read(key: string): unknown {
    return this.shared.get(key)?.read() ?? this.outputs[key]
  }

  /** Returns all outputs for an additional reader; a passive reader does not keep streams open. */
  view({ passive = false } = {}): Dict {
    if (passive) for (const key of this.keys) this.share(key)
    return Object.fromEntries(
      this.keys.map((key) => [key, this.shared.get(key)?.read({ passive }) ?? this.outputs[key]]),
    )
  }

  /** Declares that there will be no further readers. */
  seal(): void {
    for (const stream of this.shared.values()) stream.seal()
  }

  private share(key: string): void {
    const value = this.outputs[key]
    if (isStream(value) && !this.shared.has(key)) this.shared.set(key, new SharedStream(value))
  }
}
