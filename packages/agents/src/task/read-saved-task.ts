/**
 * @module
 * Reads and checks a saved task.
 */

import { errorMessage } from '@x/core/values'
import { ChatMessage, type Dict, type ModelValidationError } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import { invalidRecord, modelReader, type RecordReader, readRecord } from '../record-reader.ts'
import { sharedSnapshots, TaskSnapshot } from './agent-state.ts'
import type { Json } from './durable.ts'
import { ListTable } from './list-table.ts'
import type { SavedClasses } from './saved-classes.ts'
import { SAVED_TASK_VERSION, type SavedOpenStep } from './saved-task.ts'
import { StateReader } from './state-codec.ts'
import { SavedTaskError } from './task-errors.ts'
import { readStep, readStepOutput, type TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** A saved task that was read and checked. */
export interface ReadTask {
  taskId: string
  input: string
  inputMessage: ChatMessage | null
  extraState: Dict
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  snapshots: TaskSnapshot[]
  stepsStarted: number
  openSteps: SavedOpenStep[]
  finalized: boolean
  memoryLength: number | null
  conversationId: string | null
  /** The number of messages of a conversation with an id when the task began; null if it is not known. */
  conversationLength: number | null
  conversation: ChatMessage[]
  ownsConversation: boolean
  /** The arrays in the states, for the writer of the next entries. */
  lists: ListTable
}

/**
 * @param readsState - whether the worker can continue with a state.
 * @throws {SavedTaskError} for a different version, and for missing or invalid data, with every path.
 */
export function readSavedTask(data: unknown, classes: SavedClasses, readsState: (state: Dict) => boolean): ReadTask {
  try {
    const { lists, conversation, ...rest } = record(data, (fields): Dict & { lists: unknown[] } => ({
      ...fields.data,
      lists: fields.array('lists'),
    }))
    const reader = new StateReader(classes, lists)
    // Results of calls have their own format.
    const { open_steps, ...states } = rest as Dict
    const read = { ...(reader.read(states) as Dict), open_steps, conversation }
    const task = record(read, (fields) => readTask(fields, readsState))
    checkTask(task)
    return { ...task, lists: new ListTable(reader.readLists, lists.length) }
  } catch (error) {
    throw new SavedTaskError(errorMessage(error), { cause: error })
  }
}

function readTask(fields: RecordReader, readsState: (state: Dict) => boolean): Omit<ReadTask, 'lists'> {
  fields.oneOf('version', [SAVED_TASK_VERSION])

  /** `pending_calls` belongs to the runner, the rest of the state to the worker. */
  const readState = (value: unknown): Dict =>
    record(value, (state) => {
      if (state.has('pending_calls')) state.list('pending_calls', readPendingCall)
      if (!readsState(state.data)) throw invalid('', 'a state of this worker', state.data)
      return state.data
    })
  const task = fields.record('task', (value) =>
    record(value, (it) => ({
      taskId: it.string('task_id'),
      input: it.string('input'),
      inputMessage: it.has('input_message') ? it.record('input_message', modelReader(ChatMessage)) : null,
      extraState: it.record('extra_state', readState),
    })),
  )
  const readOwnStep = (value: unknown): TaskStep => {
    const step = readStep(value, true)
    if (task && step.taskId !== task.taskId)
      throw invalid('taskId', `the id of the task, ${JSON.stringify(task.taskId)}`, step.taskId)
    return step
  }
  const readSnapshot = (snapshot: RecordReader) => ({
    outputs: snapshot.integer('outputs', 1),
    queue: snapshot.list('queue', readOwnStep),
    extraState: snapshot.record('extra_state', readState),
  })
  return {
    ...task,
    stepQueue: fields.list('step_queue', readOwnStep),
    completedSteps: fields.list('completed_steps', (value) => readStepOutput(value, (it) => it, readOwnStep, true)),
    snapshots: sharedSnapshots(fields.list('undo', (value) => new TaskSnapshot(record(value, readSnapshot)))),
    stepsStarted: fields.integer('steps_started', 0),
    openSteps: fields.list('open_steps', readOpenStep),
    finalized: fields.boolean('finalized'),
    memoryLength: fields.data['memory_length'] === null ? null : fields.integer('memory_length', 0),
    conversationId: fields.nullableString('conversation_id'),
    conversationLength: fields.has('conversation_length') ? fields.integer('conversation_length', 0) : null,
    conversation: fields.list('conversation', modelReader(ChatMessage)),
    ownsConversation: fields.boolean('owns_conversation'),
  }
}

/** Checks the parts against each other. */
function checkTask(task: Omit<ReadTask, 'lists'>): void {
  const { stepQueue, completedSteps, snapshots, finalized, memoryLength, openSteps, stepsStarted } = task
  const undoable = snapshots.reduce((sum, { outputs }) => sum + outputs, 0)
  if (undoable > completedSteps.length)
    throw invalid('undo', `at most ${completedSteps.length} outputs, one for each completed step`, undoable)
  if (stepQueue.length + completedSteps.length === 0) throw invalid('stepQueue', 'at least one step', stepQueue)
  const last = completedSteps.at(-1)
  if ((finalized || memoryLength !== null) && !(last?.isLast && isChatResponse(last.output)))
    throw invalid('completedSteps', 'an answer at the end of a finalized task', last?.output)
  if (stepsStarted < completedSteps.length)
    throw invalid('stepsStarted', `at least ${completedSteps.length}, the completed steps`, stepsStarted)
  for (const { number } of openSteps) {
    if (number > stepsStarted) throw invalid('openSteps', `numbers up to ${stepsStarted}, the steps started`, number)
  }
}

function readPendingCall(value: unknown): void {
  record(value, (call) => {
    call.string('id')
    call.string('name')
    call.oneOf('decision', [null, 'approve', 'reject', 'result'])
    if (call.has('place')) call.string('place')
    if (call.has('output')) call.record('output', readOutput)
  })
}

/** Checks the output of a call that ran before another one had to wait. */
function readOutput(value: unknown): void {
  if (typeof (value as { content?: unknown } | null)?.content !== 'string')
    throw invalid('', 'the output of a tool', value)
}

function readOpenStep(value: unknown): SavedOpenStep {
  return record(value, (step) => ({
    step_id: step.string('step_id'),
    number: step.integer('number', 1),
    results: step.object('results') as Record<string, Json>,
  }))
}

/** Reads a part of a saved task. Every key is required. */
function record<T>(data: unknown, read: (fields: RecordReader) => T): T {
  return readRecord('SavedTask', data, read, true)
}

function invalid(path: string, words: string, value: unknown): ModelValidationError {
  return invalidRecord('SavedTask', path, words, value)
}
