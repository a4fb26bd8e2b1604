/**
 * @module
 * The callback events of runs and steps. The event of a streamed answer ends with its stream.
 */
import type { CallbackEvent, CallbackManager, EventOptions, EventPayload, EventPayloads } from '@x/core-model'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { type StreamingAgentChatResponse, streamEnd } from '../answer/chat-answer.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'

/** Runs a conversation with an agent inside an `agent_step` event and the trace `chat`. */
export function inAgentEvent<Answer extends AgentChatResponse | StreamingAgentChatResponse>(
  manager: CallbackManager,
  { parentId, ...start }: EventPayloads['agent_step']['start'] & { parentId?: string | undefined },
  work: (event: CallbackEvent) => Promise<Answer>,
): Promise<Answer> {
  const run = (options: EventOptions) => {
    const event = manager.startEvent('agent_step', start, options)
    return inside(
      event,
      () => work(event),
      (answer) => [answer, { response: answer }],
    )
  }
  return manager.asTrace('chat', run, { parentId })
}

/** Runs a step inside a `task_step` event. When the signal aborts, the event ends even if the worker ignores it. */
export function inStepEvent(
  manager: CallbackManager,
  { taskId, stepId, input }: TaskStep,
  { parentId, signal }: { parentId: string | undefined; signal: AbortSignal | undefined },
  work: (event: CallbackEvent) => Promise<TaskStepOutput>,
): Promise<TaskStepOutput> {
  const payload = (): EventPayloads['task_step']['start'] => ({ task_id: taskId, step_id: stepId, input })
  const event = manager.startEvent('task_step', payload, { parentId })
  const running = inside(
    event,
    () => work(event),
    (step) => [
      step.output,
      { output: String(step.output), is_last: step.isLast } satisfies EventPayloads['task_step']['end'],
    ],
  )
  if (!signal) return running
  // End this event last: the events inside the step end when the signal aborts.
  const abandon = () => queueMicrotask(() => event.fail(signal.reason))
  signal.addEventListener('abort', abandon, { once: true })
  return running.finally(() => signal.removeEventListener('abort', abandon))
}

/** Runs work inside an event, which ends with its result, or with the stream of its result. */
async function inside<T>(
  event: CallbackEvent,
  work: () => Promise<T>,
  ending: (result: T) => [answer: unknown, payload: EventPayload],
): Promise<T> {
  try {
    const result = await event.run(work)
    const [answer, payload] = ending(result)
    const stream = streamEnd(answer)
    if (stream) stream.then(() => event.end(ending(result)[1]), event.fail)
    else event.end(payload)
    return result
  } catch (error) {
    event.fail(error)
    throw error
  }
}
