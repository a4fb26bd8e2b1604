/**
 * @module
 * Stores whose calls end in time, and what a worker learns from the store of a task that it runs.
 */
import { DeadlineExceededError } from '@x/agents/errors'
import type { TaskStore } from '@x/core-model'
import { isPromise, raceAbort, withDeadline } from '@x/core-model/async'
import type { StoredTasksOptions } from './stored-tasks-options.ts'

/**
 * Returns the same store, or log, whose calls fail if they have not ended after a time: a connection that was lost may never say so. Large
 * strings have ten times as long.
 * @param where - the name of the option, for the error.
 */
export function timedStore<Store extends object>(where: string, store: Store, milliseconds: number): Store {
  return new Proxy(store, {
    get: (_, name) => {
      const value: unknown = Reflect.get(store, name, store)
      const path = `${where}.${String(name)}`
      if (name === 'blobs' && value) return timedStore(path, value, 10 * milliseconds)
      if (typeof value !== 'function') return value
      const error = () => new DeadlineExceededError(path, milliseconds)
      return (...args: unknown[]) => {
        const result: unknown = value.apply(store, args)
        return isPromise(result) ? withDeadline({ milliseconds, error }, (signal) => raceAbort(result, signal)) : result
      }
    },
  })
}

/** Returns the same options, whose stores refuse calls after a signal, with its reason. Nobody has to read of these. */
export function optionsUntil<Options extends Pick<StoredTasksOptions, 'store' | 'events' | 'chatStore' | 'onError'>>(
  signal: AbortSignal,
  options: Options,
): Options {
  const { store, events, chatStore, onError } = options
  return {
    ...options,
    store: storeUntil(signal, store),
    events: events && storeUntil(signal, events),
    chatStore: chatStore && storeUntil(signal, chatStore),
    onError: (error: unknown, taskId?: string) => error !== signal.reason && onError?.(error, taskId),
  }
}

function storeUntil<Store extends object>(signal: AbortSignal, store: Store): Store {
  return new Proxy(store, {
    get: (_, name) => {
      const value: unknown = Reflect.get(store, name, store)
      if (name === 'blobs' && value) return storeUntil(signal, value)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        signal.throwIfAborted()
        return value.apply(store, args)
      }
    },
  })
}

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
