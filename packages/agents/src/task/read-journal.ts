/**
 * @module
 * Reads a journal: the versions of a task, each from the one before or from an earlier one.
 */
import { checkGiven, list } from '@x/core/options'
import { invalidRecord, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import type { TaskStore } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { Json } from './durable.ts'
import { versionTypes } from './saved-task.ts'
import { SavedTaskError, unreadable } from './task-errors.ts'
import {
  diff,
  patched,
  plain,
  restorableOf,
  type SavedTask,
  type TaskVersion,
  versionsOf,
  withResult,
} from './versions.ts'
import { expandJournal } from './written-once.ts'

/**
 * Returns the task after an entry of its journal. For programs that read a journal entry by entry.
 * @param entry - one of those of `journalEntries`. It is not changed.
 * @param version - the one before; undefined for the first entry.
 * @throws {SavedTaskError} naming the entry and the path of the invalid data.
 */
export function nextVersion(entry: unknown, version: TaskVersion | undefined): TaskVersion {
  const n = (version?.n ?? -1) + 1
  try {
    const read = (fields: RecordReader) => {
      const position = fields.integer('n', 0)
      if (position !== n) throw invalidRecord('Journal', 'n', `${n}, the position of the entry`, position)
      return { ...(version ? next(version, fields) : first(fields)), n }
    }
    return readRecord('Journal', entry, read, true)
  } catch (error) {
    throw unreadable(error, `Entry ${n}: `)
  }
}

/**
 * @param entries - with all their values. They are not changed.
 * @returns the last version. Its parts are not checked yet.
 * @throws {SavedTaskError} naming the entry and the path of the invalid data.
 */
export function readVersions(entries: readonly unknown[]): TaskVersion {
  let version: TaskVersion | undefined
  for (const entry of entries) version = nextVersion(entry, version)
  if (!version) throw new SavedTaskError('The journal is empty.')
  return version
}

/**
 * Returns the task that results from the entries of its journal, as `saveTask` writes it. For your own engines.
 * @param entries - those of `journalEntries`. They are not changed.
 * @throws {SavedTaskError} naming the entry and the path of the invalid data.
 */
export function readJournal(entries: readonly unknown[]): SavedTask {
  checkGiven('readJournal', { entries }, list)
  const { task, before } = readVersions(expandJournal(entries))
  const earlier = versionsOf(before)
  return plain({ ...task, undo: earlier.map((one, i) => diff(earlier[i + 1] ?? task, one) ?? {}) }) as SavedTask
}

function first(fields: RecordReader): Omit<TaskVersion, 'n'> {
  fields.oneOf('type', ['task'])
  const task = fields.data['task'] as SavedTask | undefined
  if (!isPlainObject(task)) throw invalidRecord('Journal', 'task', 'an object', task)
  return { task, before: restorableOf(task) }
}

function next(version: TaskVersion, fields: RecordReader): Omit<TaskVersion, 'n'> {
  const { task, before } = version
  const type = fields.oneOf('type', ['result', 'inner', ...versionTypes])
  if (task.finalized) throw invalidRecord('Journal', 'type', 'no entry after the end of the task', type)
  if (type === 'inner') {
    fields.string('place')
    fields.integer('length', 0)
    fields.array('entries')
    return { task, before }
  }
  if (type === 'result') {
    const [step, name] = [fields.integer('step', 1), fields.string('name')]
    return { task: withResult(task, step, `step-${step}/${name}`, (fields.data['value'] ?? null) as Json), before }
  }
  const from = type === 'undo' ? before : version
  if (!from) throw invalidRecord('Journal', 'type', 'a step before an undo', 'undo')
  if (fields.has('from') && fields.data['from'] !== from.n)
    throw invalidRecord('Journal', 'from', `${from.n}, the version before the last step`, fields.data['from'])
  const changed = patched(from.task, fields.data['changes']) as SavedTask
  return { task: changed, before: type === 'step' ? version : type === 'undo' ? from.before : before }
}

/**
 * Returns the entries of a task's journal with all their values, also those that the store keeps as blobs; null if the task does not exist.
 * For programs that read a store themselves.
 * @throws {SavedTaskError} if a value is missing or has changed, or the entries are those of another task.
 * @example
 * const store = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore: journal(store) })
 * await agent.chat('How much is 2 + 2?', { taskId: 'sum' })
 * const entries = (await journalEntries(store, 'sum')) as { type: string }[]
 * entries.map(({ type }) => type) // => ['task', 'step_start', 'result', 'step', 'finalizing', 'finalized']
 */
export async function journalEntries(store: TaskStore, taskId: string): Promise<unknown[] | null> {
  checkGiven('journalEntries', { store }, 'a task store', 'load')
  const entries = await store.load(taskId)
  if (!entries) return null
  const { task_id: own = taskId } = Object(Object(Object(entries[0]).task).task) as { task_id?: unknown }
  if (own !== taskId) throw new SavedTaskError(`The journal of task "${taskId}" is that of "${own}".`)
  const hashes = new Set<string>()
  const read = expandJournal(entries, (hash) => {
    hashes.add(hash)
    return ''
  })
  if (hashes.size === 0) return read
  const blobs = await store.blobs?.get(taskId, [...hashes])
  return expandJournal(entries, (hash) => {
    const content = blobs?.get(hash)
    if (content !== undefined && sha256(content) === hash) return JSON.parse(content)
    throw new RangeError(`the blob ${hash} ${content === undefined ? 'is missing' : 'has changed'}`)
  })
}
