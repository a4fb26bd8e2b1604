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

/** What a worker learns from its store. */
interface StoreListeners {
  /** Called when entries were added; with the id of the journal if they are its first ones. */
  appended: (created: string | undefined) => Promise<void> | void
  /** Called before strings are stored, and after they were read, with the number of their characters. */
  large: (size: number) => Promise<void>
}

/** Returns the same store, whose errors are noted. */
export function notedStore(store: TaskStore, errors: Set<unknown>, { appended, large }: StoreListeners): TaskStore {
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
      put: async (taskId, strings) => {
        await large(sizeOf(strings))
        await noted(errors, () => blobs.put(taskId, strings))
      },
      get: async (...args) => {
        const strings = await noted(errors, () => blobs.get(...args))
        await large(sizeOf(strings))
        return strings
      },
    },
  }
}

/** The number of characters of strings. */
function sizeOf(strings: ReadonlyMap<string, string>): number {
  let size = 0
  for (const { length } of strings.values()) size += length
  return size
}
