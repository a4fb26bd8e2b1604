/**
 * @module
 * Finalizes tasks: adds their messages to the conversation.
 */

import { type BaseMemory, type ChatMessage, SimpleChatStore } from '@x/core-model'
import { ChatMemoryBuffer, countOf, isSameMessage } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isChatResponse, isStreamingResponse, type StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import { InvalidAgentOutputError } from '../loop/loop-errors.ts'
import type { TaskState } from '../task/agent-state.ts'
import type { Durable } from '../task/durable.ts'
import type { Task } from '../task/task.ts'
import { NoCompletedStepError, StepNotLastError, TaskBusyError } from '../task/task-errors.ts'
import { snapshotState } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import type { TaskTable } from './task-table.ts'
import { TurnRecorder } from './turn-recorder.ts'
import { ownMessages } from './turn-so-far.ts'

/** An answer, complete or streaming. */
export type Answer = AgentChatResponse | StreamingAgentChatResponse

/** What finalizes a task. */
interface Finalizer<State extends TaskState> {
  taskTable: TaskTable<State>
  worker: AgentWorker
  /** The engine that saves the calls of the run. */
  engine: Durable | undefined
  /** The recorder of the run, if it has one. */
  recorder: TurnRecorder | undefined
}

/**
 * Adds the messages of a finished task to the conversation: now, or when its answer has streamed. A second call returns the same answer
 * and adds nothing. After a failure, the next call adds the remaining messages.
 */
export async function finalizeTask<State extends TaskState>(
  state: State,
  stepOutput: TaskStepOutput | null | undefined,
  by: Finalizer<State>,
): Promise<Answer> {
  if (state.response) return state.response
  const response = answerOf(state, stepOutput)
  const isStreaming = isStreamingResponse(response)
  // The last step may still be rolled back.
  if (state.busy && !isStreaming) throw new TaskBusyError(state.task.taskId)
  state.response = response
  const reset = () => {
    state.response = null
  }
  const write = () => addMessages(state, by)
  try {
    await (isStreaming ? response.whenDone(write, reset, true) : write())
  } catch (error) {
    reset()
    throw error
  }
  return response
}

/** @throws if the output is not the output of a last step, or not an answer. */
function answerOf({ task, completedSteps }: TaskState, stepOutput: TaskStepOutput | null | undefined): Answer {
  const { taskId } = task
  const output = stepOutput ?? completedSteps.at(-1)
  if (!output) throw new NoCompletedStepError(taskId)
  if (!output.isLast) throw new StepNotLastError(taskId)
  const response = output.output
  if (isChatResponse(response)) return response
  throw new InvalidAgentOutputError(
    `Task "${taskId}": expected an AgentChatResponse as the last output, received ${typeof response}.`,
  )
}

async function addMessages<State extends TaskState>(
  state: State,
  { taskTable, worker, engine, recorder }: Finalizer<State>,
): Promise<void> {
  // The task was deleted while its answer streamed.
  if (!taskTable.has(state)) return
  const { task } = state
  state.enter('finalizing')
  const { memoryLength } = state
  const turn = recorder ?? TurnRecorder.of(state, worker)
  // For a turn in a store, the worker finalizes a copy.
  state.finalState ??= turn?.isStored ? task.extraState : snapshotState(task.extraState)
  // A turn that is in a store has its place there: nobody asks how many messages are before it, but the journal.
  const messages = turn?.isStored ? [] : await task.memory.getAll()
  // Messages in this process end with it: nobody else finds some of them, so that their place is saved with the end.
  const isLast = state.isExclusive && isInProcess(task.memory)
  if (memoryLength === null) {
    const length = turn?.isStored && taskTable.isSaved(state) ? await countOf(task.memory) : messages.length
    if (!isLast) await taskTable.append(state, (writer) => writer.finalizing(length))
    state.memoryLength = length
  }
  if (turn?.isStored) {
    const { own, extraState } = await ownMessages(task, worker)
    await turn.done(own)
    task.extraState = extraState
  } else {
    // An attempt before this one may have added some of the messages.
    const before = memoryLength ?? (await lengthBefore(task.memory, messages, engine))
    const added = messages.slice(before)
    if (added.length > 0) await addMissing(task, added, worker)
    else await worker.finalizeTask(task)
  }
  if (taskTable.has(state)) await taskTable.finish(state, isLast ? (state.memoryLength ?? 0) : undefined)
  state.enter('finalized')
}

/** Whether the messages of a memory are in this process alone. */
function isInProcess(memory: BaseMemory): boolean {
  return (
    memory.constructor === ChatMemoryBuffer && (memory as ChatMemoryBuffer).chatStore.constructor === SimpleChatStore
  )
}

/** Returns the number of messages before those of the task. If the memory is stored elsewhere, the number is saved by the engine. */
async function lengthBefore(
  memory: BaseMemory,
  { length }: readonly ChatMessage[],
  engine: Durable | undefined,
): Promise<number> {
  return engine && memory.conversationId !== undefined ? engine('finalize', async () => length) : length
}

/** Adds the messages of a task that are not yet in its conversation. */
async function addMissing(task: Task, added: readonly ChatMessage[], worker: AgentWorker): Promise<void> {
  const { own, extraState } = await ownMessages(task, worker)
  let present = 0
  while (present < own.length && isSameMessage(added[present], own[present]!)) present++
  for (const message of own.slice(present)) await task.memory.put(message)
  task.extraState = extraState
}
