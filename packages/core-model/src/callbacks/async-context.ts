/**
 * @module
 * The event that an operation belongs to, propagated through promises if the platform supports it.
 */
import { type Platform, platformModule } from '../platform-module.ts'
import type { CallbackHandler } from './callback-handler.ts'

/** The ids of the events in a trace, each after the id of its parent. */
export type Trace = string[]

/** The event and the trace that an operation belongs to. */
export interface EventContext {
  readonly parentId: string
  readonly trace: Trace | null
  /** The errors that an inner event has reported; created for the first one, because few contexts have any. */
  reported: WeakSet<object> | undefined
}

/** The context of a manager, inside of the contexts of other managers. */
interface Frame {
  readonly manager: object
  readonly context: EventContext
  readonly outer: Frame | undefined
}

/** Propagates the contexts of all managers. */
export interface ContextStorage {
  getStore(): Frame | undefined
  run<T>(frame: Frame, fn: () => T): T
}

const storages = /* @__PURE__ */ new WeakMap<Platform, ContextStorage | null>()

/**
 * Returns the storage of a platform (Node, Deno, Bun, edge workers), or null if it has no async context (browsers). All managers share
 * one: platforms never free a storage, and each one costs time with every promise.
 */
export function contextStorage(platform: Platform): ContextStorage | null {
  const known = storages.get(platform)
  if (known !== undefined) return known
  const hooks = platformModule<{ AsyncLocalStorage: new () => ContextStorage }>('node:async_hooks', platform)
  const storage = hooks ? new hooks.AsyncLocalStorage() : null
  storages.set(platform, storage)
  return storage
}

/**
 * Runs `work` inside the context of a handler and returns its result. If the handler fails or does not call `work`, `work` runs anyway.
 * @param onHandlerError - receives an error of the handler itself.
 */
export function runInside<T>(
  handler: CallbackHandler,
  eventId: string,
  work: () => T,
  onHandlerError: (error: unknown) => void,
): T {
  let result: { value: T } | { error: unknown } | undefined
  const once = (): unknown => {
    result ??= settled(work)
    if ('error' in result) throw result.error
    return result.value
  }
  try {
    handler.runInside?.(eventId, once)
  } catch (error) {
    if (!(result && 'error' in result && result.error === error)) onHandlerError(error)
  }
  result ??= settled(work)
  if ('error' in result) throw result.error
  return result.value
}

function settled<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
