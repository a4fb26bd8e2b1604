/**
 * @module
 * A task as plain, versioned JSON, and where it is kept.
 */
import { ChatMessage, type ClassRegistry, readJsonText, writeJsonText } from '@x/core-model'
import { errorMessage } from '@x/core-model/internal'
import { isChatResponse } from '../agent-chat-response.ts'
import type { PendingToolCall } from '../agent-event.ts'
import type { TaskSnapshot, TaskState } from '../agent-state.ts'
import { SavedTaskError } from '../errors.ts'
import { list, StateReader, StateWriter, wrong } from '../state-codec.ts'
import { TaskStep, type TaskStepDict, TaskStepOutput } from '../task-step.ts'

/** The version that is written, and the only one that is read. */
export const SAVED_TASK_VERSION = 1

/** A task in JSON. Everything in it is plain data; it may contain bigints, which `writeJsonText` writes and `readJsonText` reads. */
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
  /** What each move can be undone to, the oldest first. */
  undo: { outputs: number; queue: SavedStep[]; extra_state: unknown }[]
  finalized: boolean
  /** Length of the conversation before the messages of this task; null until it is finalized. */
  memory_length: number | null
  /** The conversation that the task belongs to. */
  conversation: unknown[]
  /** Lists that occur in the states above, each once. */
  lists: unknown[][]
}

type SavedStep = TaskStepDict

/** Keeps saved tasks, in a file, a database or elsewhere. What it is given is plain JSON. */
export interface TaskStore {
  /**
   * Called after each step and each decision; a failure undoes what was to be saved. May be called again before the last
   * call is done: the later one counts.
   */
  save(taskId: string, task: SavedTask): Promise<void> | void
  /** Null when there is none. */
  load(taskId: string): Promise<unknown> | unknown
  delete(taskId: string): Promise<void> | void
}

/** Keeps saved tasks in memory, as JSON text. */
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

  /** The ids of all saved tasks, in the order they were first saved. */
  list(): string[] {
    return [...this.tasks.keys()]
  }
}

/** @throws {SerializationError} naming what has no JSON form. */
export function writeSavedTask(state: TaskState): SavedTask {
  const { task } = state
  const lists: unknown[][] = []
  const writer = new StateWriter(lists)
  const writeStep = (step: TaskStep): SavedStep => ({
    ...step.toDict(),
    step_state: writer.write(step.stepState, `step ${step.stepId}.stepState`) as Record<string, unknown>,
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

/** A saved task, read and checked. */
export interface ReadTask {
  taskId: string
  input: string
  extraState: Record<string, unknown>
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  snapshots: TaskSnapshot[]
  finalized: boolean
  memoryLength: number | null
  conversation: ChatMessage[]
}

/**
 * @param readsState - whether the worker can go on with a state.
 * @throws {SavedTaskError} when the data is of another version, or not complete. Nothing is guessed.
 */
export function readSavedTask(
  data: unknown,
  registry: ClassRegistry | undefined,
  readsState: (state: Record<string, unknown>) => boolean,
): ReadTask {
  const version = (data as { version?: unknown } | null)?.version
  if (version !== SAVED_TASK_VERSION) {
    throw new SavedTaskError(
      `Saved task: expected version ${SAVED_TASK_VERSION}, got ${JSON.stringify(version) ?? 'none'}.`,
    )
  }
  try {
    return readTask(data as Record<string, unknown>, registry, readsState)
  } catch (error) {
    if (error instanceof SavedTaskError) throw error
    // Whatever a class says of data that is none of its own.
    throw new SavedTaskError(`Saved task: ${errorMessage(error)}`, { cause: error })
  }
}

function readTask(
  data: Record<string, unknown>,
  registry: ClassRegistry | undefined,
  readsState: (state: Record<string, unknown>) => boolean,
): ReadTask {
  const states = new StateReader(registry, list(data['lists'], 'lists'))
  const task = object(data['task'], 'task')
  const taskId = text(task['task_id'], 'task.task_id')

  const state = (value: unknown, path: string) => object(states.read(object(value, path)), path)

  /** The calls in it that wait are read by runners, all else by the worker. */
  const extraState = (value: unknown, path: string) => {
    const read = state(value, path)
    const calls = read['pending_calls']
    if (calls !== undefined && !(Array.isArray(calls) && calls.every(isPendingCall)))
      throw wrong(`${path}.pending_calls`, 'tool calls that wait')
    if (!readsState(read)) throw wrong(path, 'a state of this worker')
    return read
  }

  const step = (value: unknown, path: string) => {
    const { task_id, step_id, input, step_state, is_ready } = object(value, path)
    if (task_id !== taskId) throw wrong(`${path}.task_id`, JSON.stringify(taskId))
    // Links lead to steps that may be gone; workers that need them find their steps by id.
    return new TaskStep({
      taskId,
      stepId: text(step_id, `${path}.step_id`),
      input: input === null ? null : text(input, `${path}.input`),
      stepState: state(step_state, `${path}.step_state`),
      isReady: boolean(is_ready, `${path}.is_ready`),
    })
  }

  const output = (value: unknown, path: string) => {
    const item = object(value, path)
    const { status } = item
    if (status !== 'done' && status !== 'awaiting_approval')
      throw wrong(`${path}.status`, '"done" or "awaiting_approval"')
    if (!('output' in item)) throw wrong(`${path}.output`, 'a value')
    return new TaskStepOutput({
      output: states.read(item['output']),
      taskStep: step(item['task_step'], `${path}.task_step`),
      nextSteps: each(item['next_steps'], `${path}.next_steps`, step),
      isLast: boolean(item['is_last'], `${path}.is_last`),
      status,
    })
  }

  const snapshot = (value: unknown, path: string) => {
    const { outputs, queue, extra_state } = object(value, path)
    return {
      outputs: integer(outputs, `${path}.outputs`, 1),
      queue: each(queue, `${path}.queue`, step),
      extraState: extraState(extra_state, `${path}.extra_state`),
    }
  }

  const completedSteps = each(data['completed_steps'], 'completed_steps', output)
  const snapshots = each(data['undo'], 'undo', snapshot)
  const undoable = snapshots.reduce((sum, { outputs }) => sum + outputs, 0)
  if (undoable > completedSteps.length) throw wrong('undo', 'at most as many outputs as there are completed steps')
  const stepQueue = each(data['step_queue'], 'step_queue', step)
  if (stepQueue.length === 0 && completedSteps.length === 0) throw wrong('step_queue', 'a step')
  const finalized = boolean(data['finalized'], 'finalized')
  const last = completedSteps.at(-1)
  if (finalized && !(last?.isLast && isChatResponse(last.output)))
    throw wrong('completed_steps', 'an answer at the end')
  const length = data['memory_length']
  return {
    taskId,
    input: text(task['input'], 'task.input'),
    extraState: extraState(task['extra_state'], 'task.extra_state'),
    stepQueue,
    completedSteps,
    snapshots,
    finalized,
    memoryLength: length === null ? null : integer(length, 'memory_length', 0),
    conversation: each(data['conversation'], 'conversation', (message) => ChatMessage.fromDict(message)),
  }
}

function isPendingCall(value: unknown): boolean {
  const { id, name, decision } = (value ?? {}) as Partial<PendingToolCall>
  return typeof id === 'string' && typeof name === 'string' && [null, 'approve', 'reject'].includes(decision as null)
}

function each<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  return list(value, path).map((item, i) => read(item, `${path}[${i}]`))
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, 'an object')
  return value as Record<string, unknown>
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a text')
  return value
}

function integer(value: unknown, path: string, least: number): number {
  if (!(Number.isInteger(value) && (value as number) >= least)) throw wrong(path, `an integer of at least ${least}`)
  return value as number
}

function boolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false')
  return value
}
