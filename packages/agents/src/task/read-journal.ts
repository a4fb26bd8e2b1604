/**
 * @module
 * Reads a journal: the state of a task is what results from all entries, in order.
 */
import type { Dict } from '@x/core-model'
import { errorMessage, isPlainObject } from '@x/core-model/internal'
import { invalidRecord, type RecordReader, readRecord } from '../record-reader.ts'
import type { Json } from './durable.ts'
import type { JournalEvent } from './journal-entry.ts'
import { migrated } from './read-saved-task.ts'
import { addItems, type SavedStepOutput, type SavedTask } from './saved-task.ts'
import { SavedTaskError } from './task-errors.ts'
import type { TaskStepDict } from './task-step.ts'

/**
 * @param entries - parsed JSON. It is not changed.
 * @returns the task in JSON. Its parts are not checked yet.
 * @throws {SavedTaskError} naming the entry and the path of the invalid data.
 */
export function readJournal(entries: readonly unknown[]): SavedTask {
  let task: SavedTask | undefined
  for (const [n, entry] of entries.entries()) {
    try {
      read(entry, (fields) => {
        const position = fields.integer('n', 0)
        if (position !== n) throw invalidRecord('Journal', 'n', `${n}, the position of the entry`, position)
        if (n === 0) task = readFirst(fields)
        else if (task) applyEntry(task, fields)
      })
    } catch (error) {
      throw new SavedTaskError(`Entry ${n}: ${errorMessage(error)}`, { cause: error })
    }
  }
  if (!task) throw new SavedTaskError('The journal is empty.')
  return task
}

function readFirst(fields: RecordReader): SavedTask {
  fields.oneOf('type', ['task'])
  const given = fields.data['task']
  if (!isPlainObject(given)) throw invalidRecord('Journal', 'task', 'an object', given)
  const saved = { ...(migrated(given) as Dict) } as unknown as SavedTask
  for (const key of ['completed_steps', 'undo', 'open_steps', 'lists'] as const) {
    const items: unknown = saved[key]
    if (!Array.isArray(items)) throw invalidRecord('Journal', `task.${key}`, 'an array', items)
    saved[key] = [...items] as never
  }
  saved.lists = saved.lists.map((items) => [...items])
  if (!isPlainObject(saved.task)) throw invalidRecord('Journal', 'task.task', 'an object', saved.task)
  saved.task = { ...saved.task }
  return saved
}

/** Applies an entry of each type by changing `task`. */
const APPLY: Readonly<Record<Exclude<JournalEvent['type'], 'task'>, (task: SavedTask, fields: RecordReader) => void>> =
  {
    step_start(task, fields) {
      const open = [...task.open_steps]
      for (const { step_id, number } of fields.list('steps', readStart)) {
        task.steps_started = Math.max(task.steps_started, number)
        if (!open.some((step) => step.number === number)) open.push({ step_id, number, results: {} })
      }
      task.open_steps = open
      changeState(task, fields)
    },
    result(task, fields) {
      const number = fields.integer('step', 1)
      const name = fields.string('name')
      const open = task.open_steps.find((step) => step.number === number)
      if (!open) throw invalidRecord('Journal', 'step', 'the number of a step that was started', number)
      open.results = { ...open.results, [name]: (fields.data['value'] ?? null) as Json }
    },
    drop(task, fields) {
      const number = fields.integer('step', 1)
      task.open_steps = task.open_steps.map((step) => (step.number === number ? { ...step, results: {} } : step))
    },
    step(task, fields) {
      const steps = fields.list('steps', readStepDict)
      const outputs = fields.list('outputs', (output) => readObject(output) as unknown as SavedStepOutput)
      const queue = fields.list('queue', readStepDict)
      const ran = new Set(steps.map(({ step_id }) => step_id))
      const others = task.step_queue.filter(({ step_id }) => !ran.has(step_id))
      task.undo.push({ outputs: outputs.length, queue: [...steps, ...others], extra_state: task.task.extra_state })
      task.completed_steps.push(...outputs)
      task.step_queue = queue
      const failed = new Set(fields.array('failed'))
      task.open_steps = task.open_steps.filter(({ step_id }) => !ran.has(step_id) || failed.has(step_id))
      changeState(task, fields)
    },
    inner(_task, fields) {
      fields.string('place')
      fields.integer('at', 0)
      fields.array('entries')
    },
    decision(task, fields) {
      fields.string('call_id')
      fields.string('decision')
      changeState(task, fields)
    },
    undo(task) {
      const last = task.undo.pop()
      if (!last) throw invalidRecord('Journal', 'type', 'a step before an undo', 'undo')
      task.completed_steps.splice(-last.outputs)
      task.step_queue = last.queue
      task.task.extra_state = last.extra_state
      task.open_steps = []
    },
    finalizing(task, fields) {
      task.memory_length = fields.integer('memory_length', 0)
    },
    finalized(task) {
      task.finalized = true
    },
  }

function applyEntry(task: SavedTask, fields: RecordReader): void {
  const type = fields.oneOf('type', Object.keys(APPLY) as (keyof typeof APPLY)[])
  if (task.finalized) throw invalidRecord('Journal', 'type', 'no entry after the end of the task', type)
  if (type in APPLY) APPLY[type](task, fields)
}

function changeState(task: SavedTask, fields: RecordReader): void {
  fields.record('state', (value) =>
    read(value, (change) => {
      const added = change.list('lists', (item) =>
        read(item, (list) => ({ list: list.integer('list', 0), items: list.array('items') })),
      )
      const unset = new Set(change.array('unset'))
      const set = change.object('set')
      const kept = Object.entries(task.task.extra_state as Dict).filter(([key]) => !unset.has(key))
      task.task.extra_state = { ...Object.fromEntries(kept), ...set }
      addItems(task.lists, added)
    }),
  )
}

function readStart(value: unknown): { step_id: string; number: number } {
  return read(value, (it) => ({ step_id: it.string('step_id'), number: it.integer('number', 1) }))
}

function readStepDict(value: unknown): TaskStepDict {
  return read(value, (step) => {
    step.string('step_id')
    return step.data as unknown as TaskStepDict
  })
}

function readObject(value: unknown): Dict {
  return read(value, ({ data }) => data)
}

/** Reads a part of an entry. Every key is required. */
function read<T>(data: unknown, readFields: (fields: RecordReader) => T): T {
  return readRecord('Journal', data, readFields, true)
}
