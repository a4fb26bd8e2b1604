/**
 * @module
 * Notifies handlers of events with a start and an end, nested by the async context.
 */
import { callback, checkGiven, checkOptions, type OptionTable, unchecked } from '@x/core/options'
import { invalid } from '@x/core/reading'
import { addToList } from '@x/core/values'
import { isPromise } from '../abort.ts'
import { idSeries } from '../new-id.ts'
import type { Platform } from '../platform-module.ts'
import { type ContextStorage, contextStorage, type EventContext, runInside, type Trace } from './async-context.ts'
import type { CallbackHandler, EventOutcome } from './callback-handler.ts'
import { type EventPayload, type EventType, leafEventTypes } from './callback-handler.ts'

/** An event that has started. */
export interface CallbackEvent {
  readonly id: string
  readonly type: EventType
  /** Runs `fn` inside the event: events that it starts, also later, are children of this one. */
  run<T>(fn: () => T): T
  /**
   * Ends the event; further calls do nothing.
   * @param outcome - what handlers receive in addition, such as the failure of work that reports it as a result.
   */
  end(payload?: EventPayload | null, outcome?: Omit<EventOutcome, 'failed'>): void
  /** Ends the event as failed, with `{ exception }`, or with null when an inner event has already reported that error. */
  fail(error: unknown): void
}

/** The payload at the start of an event. A function is called only if the manager has handlers. */
type PayloadSource = EventPayload | null | (() => EventPayload)

/** The parent of an event, for platforms without async context. */
export interface EventOptions {
  /** Id of the parent event. @defaultValue the innermost open event of the async context, else `root` */
  parentId?: string | undefined
}

/** The parent and the trace of an event that work runs in. */
interface EventScopeOptions extends EventOptions {
  /** Runs the event inside this trace, unless a trace is open; see {@link CallbackManager.asTrace}. */
  trace?: string | undefined
}

/** Options of {@link CallbackManager}. */
export interface CallbackManagerOptions {
  /** Receives the first error of each handler. @defaultValue the platform's way to report uncaught errors */
  onHandlerError?: (error: unknown, handler: CallbackHandler) => void
  /** Creates the ids of events. @defaultValue UUIDs of an {@link idSeries} */
  newId?: () => string
  /** Has the async context and reports uncaught errors. @defaultValue globalThis */
  platform?: Platform
}

const managerOptions: OptionTable<CallbackManagerOptions> = {
  onHandlerError: callback,
  newId: callback,
  platform: unchecked,
}

const noEvent: CallbackEvent = { id: 'root', type: 'exception', run: (fn) => fn(), end() {}, fail() {} }

/**
 * Notifies handlers of events and traces.
 * Parents follow the async context where the platform has one (Node, Deno, Bun, edge workers); elsewhere pass `parentId`.
 * @example
 * const seen: string[] = []
 * const manager = new CallbackManager([{ onEventStart: (type) => void seen.push(type) }])
 * await manager.event('query', { query_str: 'q' }, () => 1) // => 1
 * seen // => ['query']
 */
export class CallbackManager {
  /**
   * The handlers, in the order in which they are notified. Replaced and never changed in place, so that a handler may add or remove
   * handlers while it is notified.
   */
  readonly handlers: readonly CallbackHandler[]
  readonly #onHandlerError: NonNullable<CallbackManagerOptions['onHandlerError']>
  readonly #newId: () => string
  #failed: WeakSet<CallbackHandler> | undefined
  /** The errors that were reported outside any context, and all of them where the platform has no async context. */
  #reported: WeakSet<object> | undefined
  readonly #platform: Platform
  #storage: ContextStorage | null | undefined
  /** The contexts of open events by their ids, where the platform has no async context. */
  #open: Map<string, EventContext> | undefined
  /** The contexts of traces by the options that their work receives, where the platform has no async context. */
  #traces: WeakMap<EventOptions, EventContext> | undefined

  constructor(handlers: Iterable<CallbackHandler> = [], options: CallbackManagerOptions = {}) {
    if (!(Symbol.iterator in Object(handlers))) throw invalid('CallbackManager', 'an array of handlers', handlers)
    checkOptions('CallbackManager', options, managerOptions)
    this.handlers = [...handlers]
    const { platform = globalThis as Platform } = options
    this.#platform = platform
    this.#onHandlerError = options.onHandlerError ?? ((error) => reportToPlatform(error, platform))
    this.#newId = options.newId ?? idSeries()
  }

  /** Adds a handler at the end. */
  addHandler(handler: CallbackHandler): void {
    this.setHandlers([...this.handlers, handler])
  }

  /** Removes a handler. Does nothing if the manager does not have it. */
  removeHandler(handler: CallbackHandler): void {
    const index = this.handlers.indexOf(handler)
    if (index !== -1) this.setHandlers(this.handlers.toSpliced(index, 1))
  }

  /** Replaces all handlers. */
  setHandlers(handlers: Iterable<CallbackHandler>): void {
    ;(this as { handlers: readonly CallbackHandler[] }).handlers = [...handlers]
  }

  /** Starts an event that the caller ends, such as that of a stream. Only events that start in its `run` are inside it. */
  startEvent(type: EventType, payload?: PayloadSource, options?: EventOptions): CallbackEvent {
    const context = this.#context(options)
    if (this.handlers.length === 0 && context === undefined) return noEvent
    return this.#start(type, payload, context, options?.parentId)
  }

  /**
   * Runs `fn` inside an event, which ends with it: with the payload that `fn` passed to `event.end`, else with null.
   * An error ends the innermost event with `{ exception }` and outer ones with null, all as failed, and is rethrown.
   */
  async event<T>(
    type: EventType,
    payload: PayloadSource,
    fn: (event: CallbackEvent) => T | Promise<T>,
    options: EventScopeOptions = {},
  ): Promise<T> {
    const outer = this.#context(options)
    if (this.handlers.length === 0 && outer === undefined) return fn(noEvent)
    const { trace: traceId } = options
    const opened = traceId !== undefined && !outer?.trace && this.handlers.length > 0
    const trace = opened ? this.#startTrace(traceId) : undefined
    let event: CallbackEvent | undefined
    try {
      const started = this.#start(type, payload, outer, options.parentId, trace)
      event = started
      const result = await started.run(() => fn(started))
      started.end()
      return result
    } catch (error) {
      if (event) event.fail(error)
      else if (trace) this.#failTrace(error, { parentId: outer?.parentId ?? 'root', trace, reported: undefined }, outer)
      throw error
    } finally {
      if (trace) this.#endTrace(traceId!, trace)
    }
  }

  /**
   * Runs `fn` inside a trace. Handlers are notified of the outermost trace only.
   * An error that no event has reported becomes one `exception` event, in the innermost trace that it leaves.
   *
   * On platforms without async context, the parent event determines the open trace, and `fn` must pass the options that it receives to the
   * events that it starts.
   */
  async asTrace<T>(
    traceId: string,
    fn: (options: EventOptions) => T | Promise<T>,
    options: EventOptions = {},
  ): Promise<T> {
    if (this.handlers.length === 0) return fn(options)
    const outer = this.#context(options)
    const trace = outer?.trace ? null : this.#startTrace(traceId)
    const parentId = outer?.parentId ?? options.parentId ?? 'root'
    const inner = trace ? { parentId, trace, reported: undefined } : outer!
    try {
      return await (trace ? this.#inTrace(inner, options, fn) : fn(options))
    } catch (error) {
      this.#failTrace(error, inner, outer)
      throw error
    } finally {
      if (trace) this.#endTrace(traceId, trace)
    }
  }

  /** Runs `fn` inside a trace. Without async context, the trace is found by the parent event or by the options. */
  #inTrace<T>(inner: EventContext, options: EventOptions, fn: (options: EventOptions) => T): T | Promise<T> {
    if (this.#contexts() !== null) return this.#run(inner, () => fn(options))
    const { parentId } = options
    const own = { ...options }
    this.#traces ??= new WeakMap()
    this.#traces.set(own, inner)
    return parentId === undefined ? fn(own) : this.#inParent(parentId, inner, () => fn(own))
  }

  /** Runs `fn` with the trace as that of a parent event. */
  async #inParent<T>(parentId: string, inner: EventContext, fn: () => T): Promise<Awaited<T>> {
    this.#open ??= new Map()
    const open = this.#open
    const before = open.get(parentId)
    open.set(parentId, inner)
    try {
      return await fn()
    } finally {
      // The event may be over by now.
      if (before && open.get(parentId) === inner) open.set(parentId, before)
      else open.delete(parentId)
    }
  }

  #start(
    type: EventType,
    payload: PayloadSource | undefined,
    outer: EventContext | undefined,
    parent = outer?.parentId ?? 'root',
    trace = outer?.trace ?? null,
  ): CallbackEvent {
    const id = this.#newId()
    trace?.push(parent, id)
    if (this.handlers.length > 0) {
      const content = typeof payload === 'function' ? payload() : (payload ?? null)
      this.#notify(
        (handler) => handler.eventStartsToIgnore?.includes(type) || handler.onEventStart?.(type, content, id, parent),
      )
    }
    const inner: EventContext = { parentId: leafEventTypes.includes(type) ? parent : id, trace, reported: undefined }
    const isExplicit = this.#contexts() === null
    const open = isExplicit ? (this.#open ??= new Map()) : undefined
    open?.set(id, inner)
    let isOpen = true
    const finish = (ending: EventPayload | null, outcome: EventOutcome): void => {
      if (!isOpen) return
      isOpen = false
      open?.delete(id)
      this.#notify(
        (handler) => handler.eventEndsToIgnore?.includes(type) || handler.onEventEnd?.(type, ending, id, outcome),
      )
    }
    return {
      id,
      type,
      run: (fn) => this.#run(inner, () => this.#inside(id, fn)),
      end: (ending = null, outcome = {}) => {
        const failed = ending !== null && 'exception' in ending
        if (isOpen && failed) this.#remember(ending['exception'], outer)
        finish(ending, { failed, ...outcome })
      },
      fail: (error) => {
        finish(this.#isReported(error, inner) ? null : { exception: error }, { failed: true })
        this.#remember(error, outer)
      },
    }
  }

  /** Emits an `exception` event for an error that leaves a trace and that no event has reported. */
  #failTrace(error: unknown, inner: EventContext, outer: EventContext | undefined): void {
    if (!this.#isReported(error, inner)) this.#start('exception', { exception: error }, inner)
    this.#remember(error, outer)
  }

  #startTrace(traceId: string): Trace {
    this.#notify((handler) => handler.startTrace?.(traceId))
    return []
  }

  #endTrace(traceId: string, trace: Trace): void {
    this.#notify((handler) => handler.endTrace?.(traceId, childrenIn(trace)))
  }

  /** Records that an event in a context has reported an error. Per context, because several operations may fail with the same object. */
  #remember(error: unknown, context: EventContext | undefined): void {
    if (typeof error !== 'object' || error === null) return
    const reported =
      this.#storage !== null && context ? (context.reported ??= new WeakSet()) : (this.#reported ??= new WeakSet())
    reported.add(error)
  }

  /** Whether an event in a context has reported an error that leaves the context. */
  #isReported(error: unknown, context: EventContext | undefined): boolean {
    const reported = this.#storage !== null && context ? context.reported : this.#reported
    return reported?.has(error as object) ?? false
  }

  /** The context of an operation: that of the platform; without async context, that of the options. */
  #context(options: EventOptions = {}): EventContext | undefined {
    if (this.#storage !== null) {
      let frame = this.#storage?.getStore()
      while (frame && frame.manager !== this) frame = frame.outer
      return frame?.context
    }
    const { parentId } = options
    return (parentId === undefined ? undefined : this.#open?.get(parentId)) ?? this.#traces?.get(options)
  }

  #contexts(): ContextStorage | null {
    if (this.#storage === undefined) this.#storage = contextStorage(this.#platform)
    return this.#storage
  }

  #run<T>(context: EventContext, fn: () => T): T {
    const storage = this.#contexts()
    if (storage === null) return fn()
    const now = storage.getStore()
    // The inner context of a manager replaces its outer one.
    return storage.run({ manager: this, context, outer: now?.manager === this ? now.outer : now }, fn)
  }

  /** Runs the work of an event inside the contexts of the handlers, that of the first handler outermost. */
  #inside<T>(id: string, fn: () => T): T {
    let work = fn
    for (const handler of this.handlers.toReversed()) {
      if (!handler.runInside) continue
      const inner = work
      work = () => runInside(handler, id, inner, (error) => this.#reportFirst(error, handler))
    }
    return work()
  }

  #notify(notify: (handler: CallbackHandler) => unknown): void {
    for (const handler of this.handlers) {
      try {
        const done = notify(handler)
        if (isPromise(done)) done.then(undefined, (error) => this.#reportFirst(error, handler))
      } catch (error) {
        this.#reportFirst(error, handler)
      }
    }
  }

  #reportFirst(error: unknown, handler: CallbackHandler): void {
    this.#failed ??= new WeakSet()
    if (this.#failed.has(handler)) return
    this.#failed.add(handler)
    this.#onHandlerError(error, handler)
  }
}

/** Runs `fn` inside an event of a manager; without a manager, only runs it. */
export async function withEvent<T>(
  manager: CallbackManager | null | undefined,
  type: EventType,
  payload: PayloadSource,
  fn: (event: CallbackEvent) => T | Promise<T>,
  options?: EventScopeOptions,
): Promise<T> {
  return manager ? manager.event(type, payload, fn, options) : fn(noEvent)
}

/**
 * Returns the options for work inside an event: `parentId` is the id of the event, so that events of the work have it as parent even
 * without async context. Returns the options unchanged if the manager of the event has no handlers.
 */
export function insideEvent<T extends EventOptions>(event: CallbackEvent, options: T): T {
  return event === noEvent ? options : { ...options, parentId: event.id }
}

/** Runs `fn` inside a trace of a manager; without a manager, only runs it. */
export async function withTrace<T>(
  manager: CallbackManager | null | undefined,
  traceId: string,
  fn: (options: EventOptions) => T | Promise<T>,
  options: EventOptions = {},
): Promise<T> {
  checkGiven('withTrace', { fn }, callback)
  return manager ? manager.asTrace(traceId, fn, options) : fn(options)
}

/** The ids of the children of each event. */
function childrenIn(trace: Trace): Record<string, string[]> {
  const children = new Map<string, string[]>()
  for (let i = 0; i < trace.length; i += 2) addToList(children, trace[i]!, trace[i + 1]!)
  return Object.fromEntries(children)
}

function reportToPlatform(error: unknown, { reportError, process }: Platform): void {
  try {
    if (reportError) reportError(error)
    else process?.emitWarning?.(error instanceof Error ? error : String(error))
  } catch {
    // The edge runtime of Next.js refuses the call and has nothing else that errors could be reported to.
  }
}
