/**
 * @module
 * A task as plain, versioned JSON, and the stores that keep it.
 */
import { ChatMessage, type Dict, type ModelValidationError, readJsonText, writeJsonText } from '@x/core-model'
import { errorMessage } from '@x/core-model/internal'
import { isChatResponse } from '../answer/agent-chat-response.ts'
import { SavedTaskError } from '../errors.ts'
import { invalidRecord, modelReader, type RecordReader, readRecord } from '../record-reader.ts'
import type { TaskSnapshot, TaskState } from './agent-state.ts'
import { type SavedClasses, StateReader, StateWriter } from './state-codec.ts'
import { readStep, readStepOutput, type TaskStep, type TaskStepDict, type TaskStepOutput } from './task-step.ts'

/** The version that is written, and the only one that is read. */
export const SAVED_TASK_VERSION = 1

/** A task in JSON. It is plain data and may contain bigints, which `writeJsonText` writes and `readJsonText` reads. */
export interface SavedTask {
  version: typeof SAVED_TASK_VERSION
  task: { task_id: string; input: string; extra_state: unknown }
  step_queue: SavedStep[]
  completed_steps: {
    output: unknown
    task_step: SavedStep
    next_steps: SavedStep[]
    is_last: boolean
    status: string
  }[]
  /** The states that can be restored, the oldest first. */
  undo: { outputs: number; queue: SavedStep[]; extra_state: unknown }[]
  finalized: boolean
  /** The number of messages in the conversation before those of this task; null until the task is finalized. */
  memory_length: number | null
  /** The conversation that the task belongs to. */
  conversation: unknown[]
  /** The arrays that occur in the states above, each once. */
  lists: unknown[][]
}

type SavedStep = TaskStepDict

/** Stores saved tasks in a file, a database or elsewhere. It receives plain JSON. */
export interface TaskStore {
  /**
   * Called after each step and each decision. When it fails, the step or decision is undone. It may be called again before the
   * last call is done; the later call wins.
   */
  save(taskId: string, task: SavedTask): Promise<void> | void
  /** Returns null when the task does not exist. */
  load(taskId: string): Promise<unknown> | unknown
  delete(taskId: string): Promise<void> | void
}

/** Stores saved tasks in memory, as JSON text. */
export class MemoryTaskStore implements TaskStore {
  private readonly tasks = new Map<string, string>()

  save(taskId: string, task: SavedTask): void {
    this.tasks.set(taskId, writeJsonText(task))
  }

  load(taskId: string): unknown {
    const text = this.tasks.get(taskId)
    return text === undefined ? null : readJsonText(text)
  }

  delete(taskId: string): void {
    this.tasks.delete(taskId)
  }

  /** Returns the ids of all saved tasks, in the order of their first saving. */
  list(): string[] {
    return [...this.tasks.keys()]
  }
}

/** @throws {SerializationError} naming the value that cannot be saved. */
export function writeSavedTask(state: TaskState, classes: SavedClasses): SavedTask {
  const { task } = state
  const lists: unknown[][] = []
  const writer = new StateWriter(classes, lists)
  const writeStep = (step: TaskStep): SavedStep => ({
    ...step.toParts(),
    step_state: writer.write(step.stepState, `step ${step.stepId}.stepState`) as Dict,
  })
  return {
    version: SAVED_TASK_VERSION,
    task: {
      task_id: task.taskId,
      input: task.input,
      extra_state: writer.write(state.finalState ?? task.extraState, 'task.extraState'),
    },
    step_queue: state.stepQueue.map(writeStep),
    completed_steps: state.completedSteps.map(({ output, taskStep, nextSteps, isLast, status }, i) => ({
      output: writer.write(output, `completedSteps[${i}].output`),
      task_step: writeStep(taskStep),
      next_steps: nextSteps.map(writeStep),
      is_last: isLast,
      status,
    })),
    undo: state.snapshots.map(({ outputs, queue, extraState }, i) => ({
      outputs,
      queue: queue.map(writeStep),
      extra_state: writer.write(extraState, `undo[${i}].extraState`),
    })),
    finalized: state.response !== null,
    memory_length: state.memoryLength,
    conversation: task.memory.getAll().map((message) => message.toDict()),
    lists,
  }
}

/** A saved task that was read and checked. */
export interface ReadTask {
  taskId: string
  input: string
  extraState: Dict
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  snapshots: TaskSnapshot[]
  finalized: boolean
  memoryLength: number | null
  conversation: ChatMessage[]
}

/**
 * @param readsState - whether the worker can continue with a state.
 * @throws {SavedTaskError} for a different version, and naming every place where the data is missing or does not fit.
 */
export function readSavedTask(data: unknown, classes: SavedClasses, readsState: (state: Dict) => boolean): ReadTask {
  try {
    const { lists, conversation, ...rest } = record(data, (fields): Dict & { lists: unknown[] } => ({
      ...fields.data,
      lists: fields.array('lists'),
    }))
    const states = new StateReader(classes, lists).read(rest) as Dict
    const task = record({ ...states, conversation }, (fields) => readTask(fields, readsState))
    checkTask(task)
    return task
  } catch (error) {
    throw new SavedTaskError(errorMessage(error), { cause: error })
  }
}

function readTask(fields: RecordReader, readsState: (state: Dict) => boolean): ReadTask {
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
      extraState: it.record('extra_state', readState),
    })),
  )
  const readOwnStep = (value: unknown): TaskStep => {
    const step = readStep(value, true)
    if (task && step.taskId !== task.taskId)
      throw invalid('taskId', `the id of the task, ${JSON.stringify(task.taskId)}`, step.taskId)
    return step
  }
  return {
    ...task,
    stepQueue: fields.list('step_queue', readOwnStep),
    completedSteps: fields.list('completed_steps', (value) => readStepOutput(value, (it) => it, readOwnStep, true)),
    snapshots: fields.list('undo', (value) =>
      record(value, (snapshot) => ({
        outputs: snapshot.integer('outputs', 1),
        queue: snapshot.list('queue', readOwnStep),
        extraState: snapshot.record('extra_state', readState),
      })),
    ),
    finalized: fields.boolean('finalized'),
    memoryLength: fields.data['memory_length'] === null ? null : fields.integer('memory_length', 0),
    conversation: fields.list('conversation', modelReader(ChatMessage)),
  }
}

/** Checks the parts against each other. */
function checkTask({ stepQueue, completedSteps, snapshots, finalized }: ReadTask): void {
  const undoable = snapshots.reduce((sum, { outputs }) => sum + outputs, 0)
  if (undoable > completedSteps.length)
    throw invalid('undo', `at most ${completedSteps.length} outputs, one for each completed step`, undoable)
  if (stepQueue.length + completedSteps.length === 0) throw invalid('stepQueue', 'at least one step', stepQueue)
  const last = completedSteps.at(-1)
  if (finalized && !(last?.isLast && isChatResponse(last.output)))
    throw invalid('completedSteps', 'an answer at the end of a finalized task', last?.output)
}

function readPendingCall(value: unknown): void {
  record(value, (call) => {
    call.string('id')
    call.string('name')
    call.oneOf('decision', [null, 'approve', 'reject'])
  })
}

/** Reads a part of a saved task. Every key is required. */
function record<T>(data: unknown, read: (fields: RecordReader) => T): T {
  return readRecord('SavedTask', data, read, true)
}

function invalid(path: string, words: string, value: unknown): ModelValidationError {
  return invalidRecord('SavedTask', path, words, value)
}
