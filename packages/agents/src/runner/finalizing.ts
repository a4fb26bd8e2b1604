/**
 * @module
 * The end of a task: its messages join the conversation.
 */

import type { StreamingAgentChatResponse } from '../answer/agent-chat-response.ts'
import { type AgentChatResponse, isChatResponse, isStreamingResponse } from '../answer/agent-chat-response.ts'
import { InvalidAgentOutputError, NoCompletedStepError, StepNotLastError, TaskBusyError } from '../errors.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { TaskState } from '../task/agent-state.ts'
import { snapshotState } from '../task/snapshot.ts'
import type { TaskStepOutput } from '../task/task-step.ts'
import type { TaskShelf } from './task-shelf.ts'

/** An answer, complete or streaming. */
export type Answer = AgentChatResponse | StreamingAgentChatResponse

/**
 * Adds the messages of a finished task to the conversation: now, or when its answer has streamed. A second call returns the same answer
 * and adds nothing. After a failure, the next call goes on where this one stopped.
 */
export async function finalizeTask<State extends TaskState>(
  state: State,
  stepOutput: TaskStepOutput | null | undefined,
  shelf: TaskShelf<State>,
  worker: AgentWorker,
): Promise<Answer> {
  if (state.response) return state.response
  const response = answerOf(state, stepOutput)
  const isStreaming = isStreamingResponse(response)
  // The step that was just completed may still be taken back.
  if (state.busy && !isStreaming) throw new TaskBusyError(state.task.taskId)
  state.response = response
  const fail = (error: unknown): never => {
    state.response = null
    throw error
  }
  const write = () => addMessages(state, shelf, worker)
  await (isStreaming
    ? response.whenDone(
        write,
        () => {
          state.response = null
        },
        true,
      )
    : write()
  ).catch(fail)
  return response
}

/** @throws if the output is not that of a last step, or not an answer. */
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
  shelf: TaskShelf<State>,
  worker: AgentWorker,
): Promise<void> {
  // The task was deleted while its answer streamed.
  if (!shelf.knows(state)) return
  const { task } = state
  state.enter('finalizing')
  state.finalState ??= snapshotState(task.extraState)
  // Another attempt, after a failure, adds only what is missing.
  state.memoryLength ??= (await task.memory.getAll()).length
  await worker.finalizeTask(task)
  if (shelf.knows(state)) await shelf.retire(state)
  state.enter('finalized')
}
