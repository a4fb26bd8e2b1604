/**
 * @module
 * The files that tasks have written: what an undo takes back, and the files of a fork.
 */
import type { KeyValueStore } from '@x/storage'
import { ownFiles } from './own-files.ts'
import { type FileView, StoredFiles } from './stored-files.ts'

/** The tasks that have files of their own, because they were forked. */
const FORKS = JSON.stringify(['forks with files'])

/** Returns the files of a task. */
export async function driveOf(store: KeyValueStore, root: string, taskId: string): Promise<StoredFiles> {
  return new StoredFiles(store, root, (await store.get(taskId, FORKS)) ? taskId : '')
}

/** Takes back what a task has undone, or makes the files of a task that was forked from `origin`. */
export async function restoreFiles(store: KeyValueStore, view: FileView, origin: string | undefined): Promise<void> {
  const { taskId } = view
  if (origin === undefined) {
    for (const { root, path } of await ownFiles(store, taskId).all())
      await (await driveOf(store, root, taskId)).restore(path, view)
    return
  }
  const own = ownFiles(store, taskId)
  for (const file of await ownFiles(store, origin).all()) {
    const { root, path } = file
    await own.note(file)
    await new StoredFiles(store, root, taskId).take(path, view, origin, await driveOf(store, root, origin))
  }
  await store.put(taskId, { origin }, FORKS)
}

/** Deletes the files of a fork, and what is stored about a task. */
export async function clearFiles(store: KeyValueStore, taskId: string): Promise<void> {
  const own = ownFiles(store, taskId)
  const written = await own.all()
  if (await store.delete(taskId, FORKS))
    for (const root of new Set(written.map((file) => file.root))) await new StoredFiles(store, root, taskId).clear()
  await own.clear()
}
