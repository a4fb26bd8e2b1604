/**
 * @module
 * Reads the entries of a journal with the blobs to which they refer.
 */
import type { TaskStore } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { SavedTaskError } from './task-errors.ts'
import { blobHashes, expandJournal, withBlobs } from './written-once.ts'

/**
 * Returns the entries of a task's journal with all their values, also those that the store keeps as blobs; null if the task does not exist.
 * For programs that read a store themselves.
 * @throws {SavedTaskError} if a value is missing or has changed.
 * @example
 * const store = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore: journal(store) })
 * await agent.chat('How much is 2 + 2?', { taskId: 'sum' })
 * const entries = (await journalEntries(store, 'sum')) as { type: string }[]
 * entries.map(({ type }) => type) // => ['task', 'step_start', 'result', 'step', 'finalizing', 'finalized']
 */
export async function journalEntries(store: TaskStore, taskId: string): Promise<unknown[] | null> {
  const entries = await loadEntries(store, taskId)
  return entries && expandJournal(entries)
}

/** Returns the entries of a task's journal with its blobs. */
export async function loadEntries(store: TaskStore, taskId: string): Promise<readonly unknown[] | null> {
  const entries = await store.load(taskId)
  const hashes = entries && store.blobs ? blobHashes(entries) : []
  if (!entries || hashes.length === 0) return entries
  const blobs = await store.blobs!.get(taskId, hashes)
  const texts = new Map<string, string>()
  for (const hash of hashes) {
    const content = blobs.get(hash)
    if (content === undefined || sha256(content) !== hash)
      throw new SavedTaskError(
        `Task "${taskId}": the blob ${hash} ${content === undefined ? 'is missing' : 'has changed'}.`,
      )
    texts.set(hash, JSON.parse(content))
  }
  return withBlobs(entries, (hash) => texts.get(hash)!)
}
