/**
 * @module
 * The store of a layer: operations are repeated, so that a short failure does not end the task, and collections are cleared.
 */
import { checkGiven } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import type { KeyValueOperations, KeyValueStore } from '@x/storage'

/** Returns the same store, which repeats an operation that fails, up to four times within two seconds. @param where - the layer. */
export function steady(where: string, store: KeyValueStore): KeyValueStore {
  checkGiven(where, { store }, 'a store', 'getAll', 'putAll')
  return {
    put: (...args) => again(() => store.put(...args)),
    putAll: (...args) => again(() => store.putAll(...args)),
    get: (...args) => again(() => store.get(...args)),
    getMany: (...args) => again(() => store.getMany(...args)),
    getAll: (...args) => again(() => store.getAll(...args)),
    delete: (...args) => again(() => store.delete(...args)),
    deleteMany: (...args) => again(() => store.deleteMany(...args)),
    ...(store.transaction && { transaction: (work) => again(() => store.transaction!(work)) }),
  }
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let delayMs = 100; ; delayMs *= 2) {
    try {
      return await work()
    } catch (error) {
      // Clients of databases throw errors of their own, which do not say whether they last.
      const mayPass = !isToolkitError(error) || error.retryable
      if (!mayPass || delayMs > 800) throw error
      await pause(delayMs)
    }
  }
}

/** Deletes all values of collections. */
export async function clearAll(store: KeyValueOperations, ...collections: readonly string[]): Promise<void> {
  for (const collection of collections) await store.deleteMany(Object.keys(await store.getAll(collection)), collection)
}
