/**
 * @module
 * Tells handlers what happens: events with a start and an end, nested by the async context.
 */
import { platformModule } from '../model/read-text.ts'
import { idSeries } from '../new-id.ts'
import type { CallbackHandler } from './callback-handler.ts'
import { type EventPayload, type EventType, leafEventTypes } from './event-type.ts'

/** An event that has started. */
export interface CallbackEvent {
  readonly id: string
  readonly type: EventType
  /** Runs `fn` inside the event: what starts in there, also later, is its child. */
  run<T>(fn: () => T): T
  /** Ends the event; further calls do nothing. */
  end(payload?: EventPayload | null): void
  /** Ends the event with `{ exception }`, with null when an event inside has told that error; no outer event tells it again. */
  fail(error: unknown): void
}

/** What an event starts with; a function is called only when somebody listens. */
export type PayloadSource = EventPayload | null | (() => EventPayload)

/** Where an event belongs when there is no async context. */
export interface EventOptions {
  /** Id of the parent event. @defaultValue the innermost open event of the async context, else `root` */
  parentId?: string | undefined
}

/** Where an event belongs that work runs in. */
export interface EventScopeOptions extends EventOptions {
  /** Runs the event inside this trace, unless one is open; see {@link CallbackManager.asTrace}. */
  trace?: string | undefined
}

/** How a callback manager is made. */
export interface CallbackManagerOptions {
  /** Told of the first error of each handler. @defaultValue the platform's way to report errors that nobody catches */
  onHandlerError?: (error: unknown, handler: CallbackHandler) => void
  /** Makes the ids of events. @defaultValue UUIDs of an {@link idSeries} */
  newId?: () => string
}

/** The ids of the events in a trace, each behind the id of its parent. */
type Trace = string[]

/** What the async context of an operation knows. */
interface Context {
  readonly parentId: string
  readonly trace: Trace | null
  /** The errors that an event inside has told; made for the first, as few contexts have any. */
  told: WeakSet<object> | undefined
}

interface ContextStorage {
  getStore(): Context | undefined
  run<T>(context: Context, fn: () => T): T
}

const noEvent: CallbackEvent = { id: 'root', type: 'exception', run: (fn) => fn(), end() {}, fail() {} }

function reportByPlatform(error: unknown): void {
  const { reportError, process } = globalThis as {
    reportError?: (error: unknown) => void
    process?: { emitWarning?(error: unknown): void }
  }
  if (reportError) reportError(error)
  else process?.emitWarning?.(error instanceof Error ? error : String(error))
}

/**
 * Tells handlers about events and traces.
 * Parents follow the async context where the platform has one (Node, Deno, Bun, edge workers); elsewhere pass `parentId`.
 * @example
 * const seen: string[] = []
 * const manager = new CallbackManager([{ onEventStart: (type) => void seen.push(type) }])
 * await manager.event('query', { query_str: 'q' }, () => 1) // => 1
 * seen // => ['query']
 */
export class CallbackManager {
  /** Never changed in place, so that who is being told does not depend on what a handler does. */
  #handlers: readonly CallbackHandler[]
  readonly #onHandlerError: NonNullable<CallbackManagerOptions['onHandlerError']>
  readonly #newId: () => string
  readonly #failed = new WeakSet<CallbackHandler>()
  /** The errors that were told outside of any context, and all of them where the platform has none. */
  readonly #told = new WeakSet<object>()
  #storage: ContextStorage | null | undefined

  constructor(handlers: Iterable<CallbackHandler> = [], options: CallbackManagerOptions = {}) {
    this.#handlers = [...handlers]
    this.#onHandlerError = options.onHandlerError ?? reportByPlatform
    this.#newId = options.newId ?? idSeries()
  }

  /** The handlers, in the order in which they are told. */
  get handlers(): readonly CallbackHandler[] {
    return this.#handlers
  }

  /** Adds a handler at the end. */
  addHandler(handler: CallbackHandler): void {
    this.#handlers = [...this.#handlers, handler]
  }

  /** Removes a handler; one that is not there is no error. */
  removeHandler(handler: CallbackHandler): void {
    const index = this.#handlers.indexOf(handler)
    if (index !== -1) this.#handlers = this.#handlers.toSpliced(index, 1)
  }

  /** Replaces all handlers. */
  setHandlers(handlers: Iterable<CallbackHandler>): void {
    this.#handlers = [...handlers]
  }

  /** Starts an event that is ended by hand, such as that of a stream. Only what its `run` runs is inside of it. */
  startEvent(type: EventType, payload?: PayloadSource, options?: EventOptions): CallbackEvent {
    const context = this.#context()
    if (this.#handlers.length === 0 && context === undefined) return noEvent
    return this.#start(type, payload, context, options?.parentId)
  }

  #start(
    type: EventType,
    payload: PayloadSource | undefined,
    outer: Context | undefined,
    parent = outer?.parentId ?? 'root',
    trace = outer?.trace ?? null,
  ): CallbackEvent {
    const id = this.#newId()
    trace?.push(parent, id)
    if (this.#handlers.length > 0) {
      const told = typeof payload === 'function' ? payload() : (payload ?? null)
      this.#tell(
        (handler) => handler.eventStartsToIgnore?.includes(type) || handler.onEventStart?.(type, told, id, parent),
      )
    }
    const inner: Context = { parentId: leafEventTypes.includes(type) ? parent : id, trace, told: undefined }
    let open = true
    const end = (ending: EventPayload | null = null) => {
      if (!open) return
      open = false
      if (ending && 'exception' in ending) this.#remember(ending['exception'], outer)
      this.#tell((handler) => handler.eventEndsToIgnore?.includes(type) || handler.onEventEnd?.(type, ending, id))
    }
    const fail = (error: unknown) => {
      end(this.#isTold(error, inner) ? null : { exception: error })
      this.#remember(error, outer)
    }
    return { id, type, run: (fn) => this.#run(inner, fn), end, fail }
  }

  /**
   * Runs `fn` inside an event, which ends with it: with the payload that `fn` gave to `event.end`, else with null.
   * An error ends the innermost event with `{ exception }`, outer ones with null, and is thrown on.
   */
  event<T>(
    type: EventType,
    payload: PayloadSource,
    fn: (event: CallbackEvent) => T | Promise<T>,
    options: EventScopeOptions = {},
  ): Promise<T> {
    const outer = this.#context()
    if (this.#handlers.length === 0 && outer === undefined) return promised(() => fn(noEvent))
    return this.#inEvent(type, payload, fn, options, outer)
  }

  #inEvent<T>(
    type: EventType,
    payload: PayloadSource,
    fn: (event: CallbackEvent) => T | Promise<T>,
    options: EventScopeOptions,
    outer: Context | undefined,
  ): Promise<T> {
    const { trace: traceId } = options
    let opened: Trace | undefined
    const endTrace = () => opened && this.#endTrace(traceId!, opened)
    let event: CallbackEvent | undefined
    const end = (result: T): T => {
      try {
        event!.end()
        return result
      } finally {
        endTrace()
      }
    }
    const fail = (error: unknown): never => {
      try {
        if (event) event.fail(error)
        else if (opened) this.#failTrace(error, { parentId: 'root', trace: opened, told: undefined }, outer)
        throw error
      } finally {
        endTrace()
      }
    }
    // Not an asynchronous function, which would make more promises: every run of an agent comes through here.
    return promised(() => {
      if (traceId !== undefined && !outer?.trace && this.#handlers.length > 0) opened = this.#startTrace(traceId)
      const parent = options.parentId ?? (opened && 'root')
      event = this.#start(type, payload, outer, parent, opened)
      return event.run(() => fn(event!))
    }).then(end, fail)
  }

  /**
   * Runs `fn` inside a trace. Only the outermost trace is told to the handlers.
   * An error that no event has told becomes one `exception` event, in the innermost trace that it leaves.
   */
  asTrace<T>(traceId: string, fn: () => T | Promise<T>): Promise<T> {
    if (this.#handlers.length === 0) return promised(fn)
    const outer = this.#context()
    if (!outer?.trace) return this.#inTrace(traceId, fn, outer)
    return promised(fn).catch((error) => this.#failTrace(error, outer, outer))
  }

  async #inTrace<T>(traceId: string, fn: () => T | Promise<T>, outer: Context | undefined): Promise<T> {
    const trace = this.#startTrace(traceId)
    const inner: Context = { parentId: 'root', trace, told: undefined }
    try {
      return await this.#run(inner, fn)
    } catch (error) {
      return this.#failTrace(error, inner, outer)
    } finally {
      this.#endTrace(traceId, trace)
    }
  }

  /** Makes an error that leaves a trace untold an event of its own. */
  #failTrace(error: unknown, inner: Context, outer: Context | undefined): never {
    if (!this.#isTold(error, inner)) this.#start('exception', { exception: error }, inner)
    this.#remember(error, outer)
    throw error
  }

  #startTrace(traceId: string): Trace {
    this.#tell((handler) => handler.startTrace?.(traceId))
    return []
  }

  #endTrace(traceId: string, trace: Trace): void {
    this.#tell((handler) => handler.endTrace?.(traceId, childrenIn(trace)))
  }

  /** Notes that an error was told by an event in a context; in each, because several operations may fail with one object. */
  #remember(error: unknown, context: Context | undefined): void {
    if (typeof error !== 'object' || error === null) return
    const told = context ? (context.told ??= new WeakSet()) : this.#told
    told.add(error)
  }

  /** Says whether an error that leaves a context was told in there. */
  #isTold(error: unknown, context: Context | undefined): boolean {
    const told = this.#storage !== null && context ? context.told : this.#told
    return told?.has(error as object) ?? false
  }

  #context(): Context | undefined {
    return this.#storage?.getStore()
  }

  #run<T>(context: Context, fn: () => T): T {
    this.#storage ??= newContextStorage()
    return this.#storage === null ? fn() : this.#storage.run(context, fn)
  }

  #tell(tell: (handler: CallbackHandler) => unknown): void {
    for (const handler of this.#handlers) {
      try {
        tell(handler)
      } catch (error) {
        if (this.#failed.has(handler)) continue
        this.#failed.add(handler)
        this.#onHandlerError(error, handler)
      }
    }
  }
}

/** The ids of the children of each event. */
function childrenIn(trace: Trace): Record<string, string[]> {
  const children = new Map<string, string[]>()
  for (let i = 0; i < trace.length; i += 2) {
    const [parent, id] = [trace[i]!, trace[i + 1]!]
    const known = children.get(parent)
    if (known) known.push(id)
    else children.set(parent, [id])
  }
  return Object.fromEntries(children)
}

function newContextStorage(): ContextStorage | null {
  const hooks = platformModule<{ AsyncLocalStorage: new () => ContextStorage }>('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage() : null
}

/** Runs `fn` inside an event of a manager; without a manager, just runs it. */
export function withEvent<T>(
  manager: CallbackManager | null | undefined,
  type: EventType,
  payload: PayloadSource,
  fn: (event: CallbackEvent) => T | Promise<T>,
  options?: EventScopeOptions,
): Promise<T> {
  return manager ? manager.event(type, payload, fn, options) : promised(() => fn(noEvent))
}

/** Runs `fn` inside a trace of a manager; without a manager, just runs it. */
export function withTrace<T>(
  manager: CallbackManager | null | undefined,
  traceId: string,
  fn: () => T | Promise<T>,
): Promise<T> {
  return manager ? manager.asTrace(traceId, fn) : promised(fn)
}

/** What an asynchronous function gives, without a promise around its promise: every step of an agent comes through here. */
function promised<T>(fn: () => T | Promise<T>): Promise<T> {
  try {
    const result = fn()
    return result instanceof Promise ? result : Promise.resolve(result)
  } catch (error) {
    return Promise.reject(error)
  }
}
