/**
 * @module
 * Creates a task from saved data.
 */
import { type BaseMemory, type CallbackManager, ConfigurationError, type TaskStore, writeJsonText } from '@x/core-model'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import type { TaskState } from '../task/agent-state.ts'
import type { ReadTask } from '../task/read-saved-task.ts'
import { conversationIdOf } from '../task/saved-task.ts'
import { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import { ownMessages } from './finalizing.ts'

/** Options for loading a task. */
export interface LoadTaskOptions {
  /** The conversation of the task. An empty memory receives the saved messages. @defaultValue the saved conversation */
  memory?: BaseMemory | null | undefined
  /** The store of this task, if the agent has none: for an agent behind a tool, its part of the journal of the calling task. */
  taskStore?: TaskStore | undefined
}

/** The parts of a runner that a loaded task needs. */
export interface RunnerParts<State> {
  memory: BaseMemory
  agentWorker: AgentWorker
  callbackManager: CallbackManager
  openConversation: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined
  makeState: (task: Task, firstStep: TaskStep) => State
}

/** Creates the state of a task that was read. */
export async function loadedState<State extends TaskState>(
  read: ReadTask,
  options: LoadTaskOptions,
  runner: RunnerParts<State>,
): Promise<State> {
  const { taskId, input, inputMessage, extraState, stepQueue, completedSteps, snapshots, memoryLength } = read
  const { callbackManager, agentWorker } = runner
  const task = new Task({ taskId, input, inputMessage, extraState, memory: runner.memory, callbackManager })
  // The journal contains the conversation before the task; the other messages are those of the task.
  const isBefore = read.finalized && read.conversation.length === memoryLength
  const added = isBefore ? (await ownMessages(task, agentWorker)).own : []
  const conversation = [...read.conversation, ...added]
  const memory = options.memory ?? (await memoryFor({ ...read, conversation }, runner))
  if (options.memory && conversation.length > 0 && (await memory.getAll()).length === 0) await memory.set(conversation)
  task.memory = memory
  const state = runner.makeState(task, stepQueue[0] ?? completedSteps[0]!.taskStep)
  Object.assign(state, { stepQueue, completedSteps, snapshots, memoryLength })
  state.lastStepNumber = read.stepsStarted
  state.ownsConversation = memory !== runner.memory
  for (const { step_id, number, results } of read.openSteps) {
    state.stepNumbers.set(step_id, number)
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

/** Returns the memory of the runner if it is empty or contains the conversation of the task; otherwise a memory of the task's own. */
async function memoryFor<State>(read: ReadTask, runner: RunnerParts<State>): Promise<BaseMemory> {
  const { memory, openConversation } = runner
  const { conversation, conversationId } = read
  if (conversationId !== null) {
    if (conversationIdOf(memory) === conversationId) return memory
    if (openConversation) return openConversation(conversationId)
    throw new ConfigurationError(
      `Task "${read.taskId}" belongs to the conversation "${conversationId}": pass its memory, or openConversation to the agent.`,
    )
  }
  const present = await memory.getAll()
  if (!read.ownsConversation) {
    if (present.length === 0 && conversation.length > 0) await memory.set(conversation)
    if (present.length === 0) return memory
    const begins = conversation.every((message, i) => present[i] && sameText(present[i], message))
    // The memory may already contain messages of the task itself.
    if (begins && (conversation.length > 0 || read.memoryLength !== null)) return memory
  }
  const own = memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  await own.set(conversation)
  return own
}

function sameText(one: { toDict(): unknown }, other: { toDict(): unknown }): boolean {
  return writeJsonText(one.toDict()) === writeJsonText(other.toDict())
}
