/**
 * @module
 * Loads a saved task: reads and checks it, and creates its state.
 */
import { invalidRecord, modelReader, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { type BaseMemory, ChatMessage, ConfigurationError, type Dict } from '@x/core-model'
import { ChatMemoryBuffer, isSameMessage, memoryForTurn, turnMemoryOf } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isChatResponse } from '../answer/chat-answer.ts'
import type { TaskUsage } from '../task-usage.ts'
import { TaskSnapshot, type TaskState } from './agent-state.ts'
import { readPendingCall } from './approvals.ts'
import type { Json } from './durable.ts'
import type { Journal, LoadTaskOptions, ReadOpenStep, ReadTask, TaskOwner } from './journal.ts'
import { type SavedClasses, StateReader } from './state-codec.ts'
import { checkConversation, conversationIdOf, Task } from './task.ts'
import { unreadable } from './task-errors.ts'
import { readSavedStep, readStepOutput, type TaskStep } from './task-step.ts'
import {
  answerSoFar,
  Items,
  plain,
  restorableOf,
  SAVED_TASK_VERSION,
  type SavedTask,
  type TaskVersion,
  versionsOf,
  WrittenLists,
} from './versions.ts'

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
    const task = record(data, (fields) => readTask(fields, reader, readsState))
    const readEarlier = (version: SavedTask) => readMoment(version, reader, readsState)
    const read = { ...task, snapshots: snapshotsOf(versionsOf(earlier), task, readEarlier) }
    checkTask(read)
    return { ...read, lists }
  } catch (error) {
    throw unreadable(error)
  }
}

/** Returns a version of a task as data. Versions share arrays, which only states may still do then. */
export function dataOf({ task, ...parts }: SavedTask): Dict {
  return { ...(plain(parts) as Dict), undo: [], task }
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
    return record(dataOf({ ...version, completed_steps: [] }), (fields) => {
      const { stepQueue, extraState } = readTask(fields, reader, readsState)
      return { queue: stepQueue, extraState }
    })
  } catch (error) {
    throw unreadable(error)
  }
}

function readTask(
  fields: RecordReader,
  reader: StateReader,
  readsState: (state: Dict) => boolean,
): Omit<ReadTask, 'lists' | 'snapshots'> {
  fields.oneOf('version', [SAVED_TASK_VERSION])

  /** `pending_calls` belongs to the runner, the rest of the state to the worker. */
  const readState = (value: unknown): Dict =>
    record(reader.read(value), (state) => {
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
  const readOwnStep = (value: unknown, before?: TaskStep): TaskStep => {
    const step = readSavedStep(value, { taskId: task?.taskId ?? '', stepState: before?.stepState ?? {} }, reader)
    if (task && step.taskId !== task.taskId)
      throw invalid('taskId', `the id of the task, ${JSON.stringify(task.taskId)}`, step.taskId)
    return step
  }
  const { sources, usage } = task?.extraState ?? {}
  const items = Array.isArray(sources) ? new Items([...sources]) : undefined
  const readOutput = (output: RecordReader): unknown => {
    const { turn } = output.data
    if (!Array.isArray(turn)) return output.record('output', (value) => reader.read(value))
    // Without a state there is an error already.
    return task?.extraState ? readTurn(turn, items, usage) : null
  }
  const open = fields.record('open_steps', (value) => record(value, ({ data }) => Object.entries(data)))
  return {
    ...task,
    stepQueue: fields.list('step_queue', (step) => readOwnStep(step)),
    completedSteps: fields.list('completed_steps', (output) => readStepOutput(output, readOutput, readOwnStep)),
    stepsStarted: fields.integer('steps_started', 0),
    openSteps: (open ?? []).map(readOpenStep),
    finalized: fields.boolean('finalized'),
    memoryLength: fields.data['memory_length'] === null ? null : fields.integer('memory_length', 0),
    conversationId: fields.nullableString('conversation_id'),
    conversationLength: fields.has('conversation_length') ? fields.integer('conversation_length', 0) : null,
    conversation: fields.list('conversation', modelReader(ChatMessage)),
    ownsConversation: fields.boolean('owns_conversation'),
  }
}

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

function invalid(path: string, words: string, value: unknown): Error {
  return invalidRecord('SavedTask', path, words, value)
}

/** Creates the state of a task that was read. */
export async function loadedState<State extends TaskState>(
  read: ReadTask,
  options: LoadTaskOptions,
  owner: TaskOwner<State>,
  openConversation: Journal['openConversation'],
): Promise<State> {
  const { taskId, input, inputMessage, extraState, stepQueue, completedSteps, snapshots, memoryLength } = read
  const { callbackManager } = owner
  if (options.memory) checkConversation(taskId, read.conversationId, options.memory)
  const task = new Task({ taskId, input, inputMessage, extraState, memory: owner.memory, callbackManager })
  // The journal contains the conversation before the task; the other messages are those of the task.
  const isBefore = read.finalized && read.conversation.length === memoryLength
  const added = isBefore ? await owner.ownMessages(task) : []
  const conversation = [...read.conversation, ...added]
  const found = options.memory ?? (await memoryFor({ ...read, conversation }, owner.memory, openConversation))
  // Only a conversation in a store has turns.
  const memory = found.conversationId === undefined ? found : await inTurn(found, read)
  // A turn has the messages before it alone: none before the first one of a conversation with others.
  const isNew = options.memory && conversation.length > 0 && !turnMemoryOf(memory)
  if (isNew && (await memory.getAll()).length === 0) await memory.set(conversation)
  const { conversationLength: length } = read
  // Messages that others have added since the task began are not part of it.
  task.memory = (length !== null && memoryLength === null && memory.upTo?.(length)) || memory
  const state = owner.makeState(task, stepQueue[0] ?? completedSteps[0]!.taskStep)
  Object.assign(state, { stepQueue, completedSteps, snapshots, memoryLength })
  state.lastStepNumber = read.stepsStarted
  state.conversationLength = length
  state.ownsConversation = memory !== owner.memory
  for (const { stepId, number, results } of read.openSteps) {
    state.stepNumbers.set(stepId, number)
    state.results.set(number, new Map(Object.entries(results)))
  }
  if (memoryLength !== null) state.enter('finalizing')
  if (read.finalized) {
    state.response = completedSteps.at(-1)!.output as AgentChatResponse
    state.enter('finalizing')
    state.enter('finalized')
  }
  return state
}

/** Returns the memory of the turn of a task that is not finished, if its conversation has this turn. */
async function inTurn(memory: BaseMemory, { taskId, finalized }: ReadTask): Promise<BaseMemory> {
  const turn = memoryForTurn(memory, taskId)
  if (!turn || turn === memory) return memory
  const own = await turn.own()
  return own && !(finalized && own.state === 'done') ? turn : memory
}

/** Returns the memory of the runner if it is empty or contains the conversation of the task; otherwise a memory of the task's own. */
async function memoryFor(
  read: ReadTask,
  memory: BaseMemory,
  openConversation: Journal['openConversation'],
): Promise<BaseMemory> {
  const { conversation, conversationId } = read
  if (conversationId !== null) {
    if (conversationIdOf(memory) === conversationId) return memory
    if (openConversation) return openConversation(conversationId)
    throw new ConfigurationError(
      `Task "${read.taskId}" belongs to the conversation "${conversationId}": pass its memory, or openConversation to journal().`,
    )
  }
  const present = await memory.getAll()
  if (!read.ownsConversation) {
    if (present.length === 0 && conversation.length > 0) await memory.set(conversation)
    if (present.length === 0) return memory
    const begins = conversation.every((message, i) => isSameMessage(present[i], message))
    // The memory may already contain messages of the task itself.
    if (begins && (conversation.length > 0 || read.memoryLength !== null)) return memory
  }
  const own = memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  await own.set(conversation)
  return own
}
