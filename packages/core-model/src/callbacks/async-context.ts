/**
 * @module
 * The event that an operation belongs to, propagated through promises if the platform supports it.
 */
import { type Platform, platformModule } from '../platform-module.ts'

/** The ids of the events in a trace, each after the id of its parent. */
export type Trace = string[]

/** The event and the trace that an operation belongs to. */
export interface EventContext {
  readonly parentId: string
  readonly trace: Trace | null
  /** The errors that an inner event has reported; created for the first one, because few contexts have any. */
  reported: WeakSet<object> | undefined
}

/** Propagates a context through promises. */
export interface ContextStorage {
  getStore(): EventContext | undefined
  run<T>(context: EventContext, fn: () => T): T
}

/** A storage of the platform (Node, Deno, Bun, edge workers), or null if the platform has no async context (browsers). */
export function newContextStorage(platform: Platform): ContextStorage | null {
  const hooks = platformModule<{ AsyncLocalStorage: new () => ContextStorage }>('node:async_hooks', platform)
  return hooks ? new hooks.AsyncLocalStorage() : null
}
