/**
 * @module
 * The events of a run, for a reader.
 */
import { isToolkitError } from '@x/core-model'
import { reportsOf } from '@x/core-model/async'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { streamEnd } from '../answer/chat-answer.ts'
import { type AgentEvent, errorEvent, taskEndEvent } from '../task/agent-event.ts'
import type { OnAgentEvent } from './runner-options.ts'

/** Starts a run. */
type StartRun = (signal: AbortSignal, onEvent: OnAgentEvent) => Promise<AgentChatResponse>

/** Yields the events of a run. Ends after `task_end` or `approval_required`, or throws after `error`. */
export function runEvents(
  { signal: outer, taskId: given }: { signal?: AbortSignal | undefined; taskId?: string | undefined },
  start: StartRun,
): AsyncGenerator<AgentEvent, void> {
  return reportsOf(outer, async (report, signal) => {
    let taskId = given ?? null
    try {
      const response = await start(signal, (event) => {
        taskId = event.taskId
        return report(event)
      })
      await streamEnd(response)
      void report(taskEndEvent(taskId!, response))
    } catch (error) {
      if (isToolkitError(error, 'approval_required')) return
      void report(errorEvent(taskId, error))
      throw error
    }
  })
}
