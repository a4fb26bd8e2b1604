/**
 * @module
 * The events of a run, for a reader.
 */
import { isToolkitError } from '@x/core-model'
import { type AgentChatResponse, isStreamingResponse } from '../answer/agent-chat-response.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { EventChannel } from './event-channel.ts'
import type { OnAgentEvent } from './runner-options.ts'

/** Starts a run. */
type StartRun = (signal: AbortSignal, onEvent: OnAgentEvent) => Promise<AgentChatResponse>

/**
 * Yields the events of a run. Nothing starts before the events are read, and abandoning the iterator cancels the run.
 * Ends after `task_end` or `approval_required`, or throws after `error`.
 */
export async function* runEvents(outer: AbortSignal | undefined, start: StartRun): AsyncGenerator<AgentEvent> {
  const channel = new EventChannel<AgentEvent>()
  const controller = new AbortController()
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal
  const working = reportRun(channel, (onEvent) => start(signal, onEvent))
  try {
    yield* channel
  } finally {
    controller.abort()
    await working
  }
}

/** Runs to the end, and reports everything that happens. */
async function reportRun(
  channel: EventChannel<AgentEvent>,
  start: (onEvent: OnAgentEvent) => Promise<AgentChatResponse>,
): Promise<void> {
  let taskId: string | null = null
  let stepId = ''
  const onEvent: OnAgentEvent = (event) => {
    taskId = event.taskId
    if (event.type === 'step_start') stepId = event.stepId
    channel.push(event)
  }
  try {
    const response = await start(onEvent)
    if (isStreamingResponse(response)) {
      for await (const delta of response) channel.push({ type: 'answer_delta', delta, taskId: taskId!, stepId })
      await response.done
    }
    channel.push({ type: 'task_end', taskId: taskId!, response })
    channel.close()
  } catch (error) {
    if (isToolkitError(error, 'approval_required')) return channel.close()
    channel.push({ type: 'error', taskId, error })
    channel.fail(error)
  }
}
