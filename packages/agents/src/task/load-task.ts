/**
 * @module
 * Creates a task from saved data.
 */
import { type BaseMemory, ConfigurationError } from '@x/core-model'
import { ChatMemoryBuffer, isSameMessage, memoryForTurn, turnMemoryOf } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { TaskState } from './agent-state.ts'
import type { Journal, LoadTaskOptions, TaskOwner } from './journal.ts'
import type { ReadTask } from './read-saved-task.ts'
import { Task } from './task.ts'
import { checkConversation, conversationIdOf } from './task-like.ts'

/** Creates the state of a task that was read. */
export async function loadedState<State extends TaskState>(
  read: ReadTask,
  options: LoadTaskOptions,
  owner: TaskOwner<State>,
  openConversation: Journal['openConversation'],
): Promise<State> {
  const { taskId, input, inputMessage, extraState, stepQueue, completedSteps, snapshots, memoryLength } = read
  const { callbackManager } = owner
  checkConversation(taskId, read.conversationId, options.memory)
  const task = new Task({ taskId, input, inputMessage, extraState, memory: owner.memory, callbackManager })
  // The journal contains the conversation before the task; the other messages are those of the task.
  const isBefore = read.finalized && read.conversation.length === memoryLength
  const added = isBefore ? await owner.ownMessages(task) : []
  const conversation = [...read.conversation, ...added]
  const found = options.memory ?? (await memoryFor({ ...read, conversation }, owner.memory, openConversation))
  const memory = await inTurn(found, read)
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
