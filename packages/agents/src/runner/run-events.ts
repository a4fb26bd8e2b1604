/**
 * @module
 * The events of a run, for a reader.
 */
import { isToolkitError } from '@x/core-model'
import { untilLeft } from '@x/core-model/async'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { Channel } from '../answer/channel.ts'
import { streamEnd } from '../answer/chat-answer.ts'
import { type AgentEvent, errorEvent, taskEndEvent } from '../task/agent-event.ts'
import type { OnAgentEvent } from './runner-options.ts'

/** The number of events that may wait for the reader before the run waits. */
const MAX_WAITING = 256

/** Starts a run. */
type StartRun = (signal: AbortSignal, onEvent: OnAgentEvent) => Promise<AgentChatResponse>

/**
 * Yields the events of a run. The run starts with the first read, waits for a slow reader, and is cancelled when the iterator is
 * abandoned, also while the model answers.
 * Ends after `task_end` or `approval_required`, or throws after `error`.
 */
export function runEvents(
  { signal: outer, taskId }: { signal?: AbortSignal | undefined; taskId?: string | undefined },
  start: StartRun,
): AsyncGenerator<AgentEvent> {
  return untilLeft(outer, async function* (signal) {
    const channel = new Channel<AgentEvent>(MAX_WAITING)
    const working = reportRun(channel, taskId ?? null, (onEvent) => start(signal, onEvent))
    try {
      yield* channel
    } finally {
      await working
    }
  })
}

/** Runs to the end, and reports everything that happens. */
async function reportRun(
  channel: Channel<AgentEvent>,
  givenId: string | null,
  start: (onEvent: OnAgentEvent) => Promise<AgentChatResponse>,
): Promise<void> {
  let taskId = givenId
  const onEvent: OnAgentEvent = (event) => {
    taskId = event.taskId
    return channel.push(event)
  }
  try {
    const response = await start(onEvent)
    await streamEnd(response)
    void channel.push(taskEndEvent(taskId!, response))
    channel.close()
  } catch (error) {
    if (isToolkitError(error, 'approval_required')) return channel.close()
    void channel.push(errorEvent(taskId, error))
    channel.fail(error)
  }
}
