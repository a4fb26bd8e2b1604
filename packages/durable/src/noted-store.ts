/**
 * @module
 * What a worker learns from the store of a task that it runs.
 */
import type { TaskStore } from '@x/core-model'

/** Returns the result of an operation; if it fails, notes the error. */
export async function noted<T>(errors: Set<unknown>, operation: () => T): Promise<Awaited<T>> {
  try {
    return await operation()
  } catch (error) {
    errors.add(error)
    throw error
  }
}

/**
 * Returns the same store, whose errors are noted.
 * @param appended - called when entries were added; with the id of the journal if they are its first ones.
 */
export function notedStore(
  store: TaskStore,
  errors: Set<unknown>,
  appended: (created: string | undefined) => Promise<void> | void,
): TaskStore {
  const { blobs } = store
  return {
    append: async (taskId, entries, revision) => {
      const isStored = await noted(errors, () => store.append(taskId, entries, revision))
      await noted(errors, () => appended(isStored && revision === 0 ? taskId : undefined))
      return isStored
    },
    load: (taskId) => noted(errors, () => store.load(taskId)),
    list: (filter) => noted(errors, () => store.list(filter)),
    delete: (taskId) => noted(errors, () => store.delete(taskId)),
    blobs: blobs && {
      put: (...args) => noted(errors, () => blobs.put(...args)),
      get: (...args) => noted(errors, () => blobs.get(...args)),
    },
  }
}
