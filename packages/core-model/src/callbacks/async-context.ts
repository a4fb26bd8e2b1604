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

/** The contexts of managers, propagated through promises. */
type Contexts = ReadonlyMap<object, EventContext>

/** A storage of the platform. */
interface PlatformStorage {
  getStore(): Contexts | undefined
  run<T>(contexts: Contexts, fn: () => T): T
}

/** Propagates the contexts of all managers. */
export class ContextStorage {
  private readonly storage: PlatformStorage

  constructor(storage: PlatformStorage) {
    this.storage = storage
  }

  contextOf(manager: object): EventContext | undefined {
    return this.storage.getStore()?.get(manager)
  }

  run<T>(manager: object, context: EventContext, fn: () => T): T {
    return this.storage.run(new Map(this.storage.getStore()).set(manager, context), fn)
  }
}

const storages = /* @__PURE__ */ new WeakMap<Platform, ContextStorage | null>()

/**
 * Returns the storage of a platform (Node, Deno, Bun, edge workers), or null if it has no async context (browsers). All managers share
 * one: platforms never free a storage, and each one costs time with every promise.
 */
export function contextStorage(platform: Platform): ContextStorage | null {
  let storage = storages.get(platform)
  if (storage === undefined) {
    const hooks = platformModule<{ AsyncLocalStorage: new () => PlatformStorage }>('node:async_hooks', platform)
    storage = hooks ? new ContextStorage(new hooks.AsyncLocalStorage()) : null
    storages.set(platform, storage)
  }
  return storage
}
