/**
 * @module
 * What is stored about the files that a task has written.
 */
import type { KeyValueOperations } from '@x/storage'

/** A version of a file. */
export interface Version {
  id: string
  /** The task that wrote it; empty for the application. */
  by: string
  /** The length of the text, in characters. */
  size: number
  untrusted: boolean
  /** Whether there is no file: in the files of a fork, before its original wrote the file. */
  isMissing?: boolean
}

/** A file that a task has written. */
export type OwnFile = { root: string; path: string }

/**
 * What a task has written, also in steps that were undone. `earlier` returns its versions of a file that others have replaced, and the one before
 * its first, which a fork of the task needs.
 */
export function ownFiles(store: KeyValueOperations, taskId: string) {
  const [files, versions, texts] = ['files of task', 'earlier versions of task', 'earlier texts of task'].map((name) =>
    JSON.stringify([name, taskId]),
  )
  const keyOf = ({ root, path }: OwnFile, ...more: string[]) => JSON.stringify([root, path, ...more])
  const earlier = async (file: OwnFile) =>
    ((await store.get(keyOf(file), versions))?.['versions'] ?? []) as readonly Version[]
  return {
    note: (file: OwnFile) => store.put(keyOf(file), { ...file }, files),
    all: async () => Object.values(await store.getAll(files)) as OwnFile[],
    earlier,
    async keep(file: OwnFile, version: Version, text: string) {
      await store.put(keyOf(file, version.id), { text }, texts)
      await store.put(keyOf(file), { versions: [...(await earlier(file)), version] }, versions)
    },
    textOf: async (file: OwnFile, id: string) =>
      (await store.get(keyOf(file, id), texts))?.['text'] as string | undefined,
    async clear() {
      for (const collection of [files, versions, texts])
        await store.deleteMany(Object.keys(await store.getAll(collection)), collection)
    },
  }
}
