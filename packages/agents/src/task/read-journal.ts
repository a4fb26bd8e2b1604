/**
 * @module
 * Reads a journal: the state of a task is what results from all entries, in order.
 */

import { errorMessage, isPlainObject } from '@x/core/values'
import type { Dict } from '@x/core-model'
import { invalidRecord, type RecordReader, readRecord } from '../record-reader.ts'
import type { Json } from './durable.ts'
import type { JournalEvent } from './journal-entry.ts'
import { listOf, partAt, withKind, withPart } from './json-changes.ts'
import { nextStep, turnOutput, wholeStep } from './lean-step.ts'
import { addItems, type SavedStepOutput, type SavedTask } from './saved-task.ts'
import { SavedTaskError } from './task-errors.ts'
import type { TaskStepDict } from './task-step.ts'
import { OnceReader } from './written-once.ts'

/**
 * Returns the task that results from the entries of its journal, in JSON. For engines of your own.
 * @param entries - those of `journalEntries`. They are not changed.
 * @returns the task in JSON. Its parts are not checked yet.
 * @throws {SavedTaskError} naming the entry and the path of the invalid data.
 */
export function readJournal(entries: readonly unknown[]): SavedTask {
  let task: SavedTask | undefined
  const started: Started = { steps: [] }
  const once = new OnceReader()
  for (const [n, entry] of entries.entries()) {
    try {
      read(once.read(entry), (fields) => {
        const position = fields.integer('n', 0)
        if (position !== n) throw invalidRecord('Journal', 'n', `${n}, the position of the entry`, position)
        if (n === 0) task = readFirst(fields)
        else if (task) applyEntry(task, fields, started)
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
  const saved = { ...given } as unknown as SavedTask
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

/** The steps that started last. */
interface Started {
  steps: readonly { step_id: string; number: number }[]
}

/** Changes the task as an entry says. */
type Apply = (task: SavedTask, fields: RecordReader, started: Started) => void

/** Applies an entry of each type by changing `task`. */
const APPLY: Readonly<Record<Exclude<JournalEvent['type'], 'task'>, Apply>> = {
  step_start(task, fields, started) {
    const open = [...task.open_steps]
    let place = 0
    started.steps = fields.list('steps', (value) => readStart(value, task.step_queue[place++]?.step_id))
    for (const { step_id, number } of started.steps) {
      task.steps_started = Math.max(task.steps_started, number)
      if (!open.some((step) => step.number === number)) open.push({ step_id, number, results: {} })
    }
    task.open_steps = open
    changeState(task, fields)
  },
  result(task, fields, started) {
    const last = fields.has('step') ? undefined : started.steps.at(-1)?.number
    const number = last ?? fields.integer('step', 1)
    const name = `${last === undefined ? '' : `step-${last}/`}${fields.string('name')}`
    const open = task.open_steps.find((step) => step.number === number)
    if (!open) throw invalidRecord('Journal', 'step', 'the number of a step that was started', number)
    open.results = { ...open.results, [name]: (fields.data['value'] ?? null) as Json }
  },
  drop(task, fields) {
    const number = fields.integer('step', 1)
    task.open_steps = task.open_steps.map((step) => (step.number === number ? { ...step, results: {} } : step))
  },
  step(task, fields, started) {
    const inQueue = stepIn(task.step_queue, task)
    const steps = fields.has('steps')
      ? fields.list('steps', inQueue)
      : started.steps.map(({ step_id }) => inQueue(step_id))
    const failed = new Set(fields.has('failed') ? fields.array('failed') : [])
    const queue = fields.list('queue', stepIn(task.step_queue, task, steps[0]))
    const ran = new Set(steps.map(({ step_id }) => step_id))
    const others = task.step_queue.filter(({ step_id }) => !ran.has(step_id))
    task.undo.push({ outputs: 0, queue: [...steps, ...others], extra_state: task.task.extra_state })
    changeState(task, fields)
    const succeeded = steps.filter(({ step_id }) => !failed.has(step_id))
    const given: Dict[] = fields.has('outputs')
      ? fields.list('outputs', readObject)
      : succeeded.map(() => ({ turn: '' }))
    const outputs = given.map((output, i) => readOutput(output, succeeded[i], queue, task))
    task.undo.at(-1)!.outputs = outputs.length
    task.completed_steps.push(...outputs)
    task.step_queue = queue
    task.open_steps = task.open_steps.filter(({ step_id }) => !ran.has(step_id) || failed.has(step_id))
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

function applyEntry(task: SavedTask, fields: RecordReader, started: Started): void {
  const type = fields.oneOf('type', Object.keys(APPLY) as (keyof typeof APPLY)[])
  if (task.finalized) throw invalidRecord('Journal', 'type', 'no entry after the end of the task', type)
  if (type in APPLY) APPLY[type](task, fields, started)
}

function changeState(task: SavedTask, fields: RecordReader): void {
  if (!fields.has('state')) return
  fields.record('state', (value) =>
    readLean(value, (change) => {
      const added = change.list('lists', (item) =>
        read(item, (list) => ({ list: list.integer('list', 0), items: list.array('items') })),
      )
      const unset = new Set(change.array('unset', []))
      const kept = Object.entries(task.task.extra_state as Dict).filter(([key]) => !unset.has(key))
      let state: Dict = Object.fromEntries(kept)
      addItems(task.lists, added)
      for (const keys of change.list('put', readArray)) state = put(state, keys, keys.pop())
      for (const keys of change.list('add', readArray)) state = add(task, state, keys, keys.pop())
      task.task.extra_state = state
    }),
  )
}

function put(state: Dict, keys: readonly unknown[], value: unknown): Dict {
  const [key] = keys
  if (keys.length > 1 || Object.hasOwn(state, String(key))) return withPart(state, keys, value) as Dict
  return Object.fromEntries([...Object.entries(state), [key, value]])
}

/** Adds items to the array to which keys lead. */
function add({ lists }: SavedTask, state: Dict, keys: readonly unknown[], given: unknown): Dict {
  const part = partAt(state, keys)
  const [index, length] = (isPlainObject(part) && listOf(part)) || []
  const items = withKind(given)
  const list = index === undefined ? undefined : lists[index]
  if (!list || list.length !== length || !items)
    throw new RangeError(`add: expected items of an array, received ${JSON.stringify(keys)}`)
  for (const item of items) list.push(item)
  return withPart(state, [...keys, 'value', 1], list.length) as Dict
}

function readStart(value: unknown, step_id: string | undefined): { step_id: string; number: number } {
  const start = typeof value === 'number' && step_id !== undefined ? { step_id, number: value } : value
  return read(start, (it) => ({ step_id: it.string('step_id'), number: it.integer('number', 1) }))
}

/**
 * Returns a function that reads a step, or the id of a step in a queue.
 * @param like - unknown ids are those of new steps like this one.
 */
function stepIn(
  queue: readonly TaskStepDict[],
  { task }: SavedTask,
  like?: TaskStepDict,
): (value: unknown) => TaskStepDict {
  return (value) => {
    if (typeof value !== 'string') {
      return read(value, (fields) => {
        fields.string('step_id')
        return wholeStep(fields.data, task.task_id)
      })
    }
    const found = queue.find(({ step_id }) => step_id === value)
    if (!found && like) return wholeStep({ ...nextStep(like, value) }, task.task_id)
    if (!found) throw invalidRecord('Journal', '', 'the id of a step in the queue', value)
    return found
  }
}

/** Reads the output of a step. @param step - the step before it ran. @param queue - the steps afterwards. */
function readOutput(
  output: Dict,
  step: TaskStepDict | undefined,
  queue: readonly TaskStepDict[],
  task: SavedTask,
): SavedStepOutput {
  const inQueue = stepIn(queue, task)
  return readLean(output, (fields) => ({
    output: fields.has('turn') ? turnOutput(fields.string('turn'), task.task.extra_state as Dict) : output['output'],
    task_step: fields.has('task_step') ? inQueue(output['task_step']) : step!,
    next_steps: fields.has('next_steps') ? fields.list('next_steps', inQueue) : [...queue],
    is_last: fields.boolean('is_last', false),
    status: fields.string('status', 'done'),
  }))
}

function readObject(value: unknown): Dict {
  return read(value, ({ data }) => data)
}

function readArray(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length < 2) throw invalidRecord('Journal', '', 'keys and a value', value)
  return [...value]
}

/** Reads a part of an entry without the keys that have their default. */
function readLean<T>(data: unknown, readFields: (fields: RecordReader) => T): T {
  return readRecord('Journal', data, readFields)
}

/** Reads a part of an entry. Every key is required. */
function read<T>(data: unknown, readFields: (fields: RecordReader) => T): T {
  return readRecord('Journal', data, readFields, true)
}
