/**
 * @module
 * Reads and checks a saved task.
 */
import { modelReader, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { ChatMessage, type Dict } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import type { TaskUsage } from '../task-usage.ts'
import { TaskSnapshot } from './agent-state.ts'
import { readPendingCall } from './approvals.ts'
import type { Json } from './durable.ts'
import type { SavedClasses } from './saved-classes.ts'
import { restorableOf, SAVED_TASK_VERSION, type SavedTask, type TaskVersion, versionsOf } from './saved-task.ts'
import { answerSoFar, Items } from './shared-items.ts'
import { invalid, StateReader } from './state-codec.ts'
import { unreadable } from './task-errors.ts'
import { readStep, readStepOutput, type TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'
import { plain, WrittenLists } from './versions.ts'

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
  openSteps: ReadOpenStep[]
  finalized: boolean
  memoryLength: number | null
  conversationId: string | null
  /** The number of messages of a conversation with an id when the task began; null if it is not known. */
  conversationLength: number | null
  conversation: ChatMessage[]
  ownsConversation: boolean
  /** The arrays in the states, for the writer of the next entries. */
  lists: WrittenLists
}

/** A step that was started, with the results of its calls. */
interface ReadOpenStep {
  stepId: string
  number: number
  results: Record<string, Json>
}

/**
 * @param readsState - whether the worker can continue with a state.
 * @throws {SavedTaskError} for a different version, and for missing or invalid data, with every path.
 */
export function readSavedTask(
  data: unknown,
  classes: SavedClasses,
  readsState: (state: Dict) => boolean,
  before?: TaskVersion,
): ReadTask {
  try {
    const lists = new WrittenLists()
    const reader = new StateReader(classes, lists)
    const earlier = before ?? (isPlainObject(data) ? restorableOf(data as unknown as SavedTask) : undefined)
    const task = record(moment(data, reader), (fields) => readTask(fields, readsState))
    const read = {
      ...task,
      snapshots: snapshotsOf(versionsOf(earlier), task, (version) => readMoment(version, reader, readsState)),
    }
    checkTask(read)
    return { ...read, lists }
  } catch (error) {
    throw unreadable(error)
  }
}

/** Returns the versions that can be restored. Each is read when it is needed. */
function snapshotsOf(
  versions: readonly SavedTask[],
  { completedSteps }: { completedSteps: readonly unknown[] },
  read: (version: SavedTask) => { queue: TaskStep[]; extraState: Dict },
): TaskSnapshot[] {
  const counts = versions.map(({ completed_steps }) => completed_steps.length)
  return versions.map((version, i) => {
    const outputs = (counts[i + 1] ?? completedSteps.length) - counts[i]!
    if (!(outputs > 0)) throw invalid(`undo[${i}]`, 'a version with fewer completed steps', counts[i])
    return new TaskSnapshot(outputs, () => read(version))
  })
}

/** @throws {SavedTaskError} */
function readMoment(version: SavedTask, reader: StateReader, readsState: (state: Dict) => boolean) {
  try {
    const { step_queue, task } = version
    const read = moment({ ...version, completed_steps: [], step_queue, task }, reader)
    return record(read, (fields) => {
      const { stepQueue, extraState } = readTask(fields, readsState)
      return { queue: stepQueue, extraState }
    })
  } catch (error) {
    throw unreadable(error)
  }
}

/** Reads the values of a document. Results of calls and the conversation have their own format. */
function moment(data: unknown, reader: StateReader): Dict {
  return record(data, ({ data: { open_steps, conversation, undo: _, ...states } }) => {
    const read = reader.read(states) as Dict
    return { ...read, open_steps: plain(open_steps), conversation: plain(conversation) }
  })
}

function readTask(fields: RecordReader, readsState: (state: Dict) => boolean): Omit<ReadTask, 'lists' | 'snapshots'> {
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
    const step = readStep(
      record(value, ({ data }) => ({ ...STEP, task_id: task?.taskId ?? '', ...data })),
      true,
    )
    if (task && step.taskId !== task.taskId)
      throw invalid('taskId', `the id of the task, ${JSON.stringify(task.taskId)}`, step.taskId)
    return step
  }
  const { sources, usage } = task?.extraState ?? {}
  const items = Array.isArray(sources) ? new Items([...sources]) : undefined
  const readOutput = (value: unknown) => {
    const { turn, next_steps: next = [], ...output } = record(value, ({ data }) => data)
    const { step_state = {} } = (output['task_step'] ?? {}) as Dict
    const next_steps = Array.isArray(next)
      ? next.map((step: unknown) => (isPlainObject(step) ? { step_state, ...step } : step))
      : next
    const given = { is_last: false, status: 'done', next_steps, ...output }
    // Without a state there is an error already.
    const whole = Array.isArray(turn)
      ? { ...given, output: task?.extraState ? readTurn(turn, items, usage) : null }
      : given
    return readStepOutput(whole, (it) => it, readOwnStep, true)
  }
  const completedSteps = fields.list('completed_steps', readOutput)
  return {
    ...task,
    stepQueue: fields.list('step_queue', readOwnStep),
    completedSteps,
    stepsStarted: fields.integer('steps_started', 0),
    openSteps: Object.entries(fields.record('open_steps', (value) => record(value, ({ data }) => data)) ?? {}).map(
      readOpenStep,
    ),
    finalized: fields.boolean('finalized'),
    memoryLength: fields.data['memory_length'] === null ? null : fields.integer('memory_length', 0),
    conversationId: fields.nullableString('conversation_id'),
    conversationLength: fields.has('conversation_length') ? fields.integer('conversation_length', 0) : null,
    conversation: fields.list('conversation', modelReader(ChatMessage)),
    ownsConversation: fields.boolean('owns_conversation'),
  }
}

/** The defaults of a step. */
const STEP = { input: null, step_state: {}, next_steps: {}, prev_steps: {}, is_ready: true }

/**
 * @param sources - those of the state.
 * @throws {RangeError} if the state does not have as many sources.
 */
function readTurn([text, count, counts]: readonly unknown[], sources: Items | undefined, usage: unknown): unknown {
  const keys = Object.keys(usage ?? {})
  const isCount = Number.isInteger(count) && (count as number) >= 0 && sources && (count as number) <= sources.length
  if (typeof text !== 'string' || !isCount || !isNumbers(counts, keys.length))
    throw new RangeError('turn: expected a text, the number of sources, and the usage')
  const counted = Object.fromEntries(keys.map((key, i) => [key, counts[i]])) as unknown as TaskUsage
  return answerSoFar(text, { sources: new Items(sources.all, count as number) as Items<never>, usage: counted })
}

function isNumbers(values: unknown, length: number): values is number[] {
  return Array.isArray(values) && values.length === length && values.every((value) => typeof value === 'number')
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

function readOpenStep([key, value]: [string, unknown]): ReadOpenStep {
  const number = Number(/^step-(\d+)$/.exec(key)?.[1])
  if (!Number.isSafeInteger(number) || number < 1) throw invalid('openSteps', 'numbers of steps as keys', key)
  return record(value, (step) => ({
    stepId: step.string('step_id'),
    number,
    results: step.object('results') as Record<string, Json>,
  }))
}

/** Reads a part of a saved task. Every key is required. */
function record<T>(data: unknown, read: (fields: RecordReader) => T): T {
  return readRecord('SavedTask', data, read, true)
}
