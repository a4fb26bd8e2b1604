/**
 * @module
 * The events of a run, for a reader, and of one step.
 */

import { isToolkitError } from '@x/core-model'
import { EventFlow, isPromise, type Receive, reportsOf } from '@x/core-model/async'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isChatResponse, isStreamingResponse, streamEnd } from '../answer/chat-answer.ts'
import { type AgentEvent, errorEvent, type StepEvent, stepEndEvent, taskEndEvent } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
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

/** Completes the events of a worker, reports the text and the end of the step, and lets the step wait for the receiver. */
export class StepEvents extends EventFlow<AgentEvent> {
  private readonly state: TaskState
  private readonly taskId: string
  private readonly stepId: string
  private readonly signal: AbortSignal | undefined
  private hasText = false

  constructor(
    state: TaskState,
    { taskId, stepId }: TaskStep,
    onEvent: Receive<AgentEvent>,
    signal: AbortSignal | undefined,
  ) {
    super(onEvent)
    this.state = state
    this.taskId = taskId
    this.stepId = stepId
    this.signal = signal
  }

  /** Reports an event of the run. Decisions about calls that it reports as waiting wait for the end of the step. */
  override readonly report = (event: AgentEvent): PromiseLike<unknown> | undefined => {
    const { state } = this
    if (event.type === 'approval_required') for (const { id } of event.calls) state.announced.add(id)
    const wait = this.receive(event)
    if (!isPromise(wait)) return undefined
    // The event reader may itself be awaiting the end of this step. Do not wait for it then, or both wait forever.
    const done = state.orAwaited(wait)
    this.waitFor(done)
    return done
  }

  /** Reports an event of the worker, unless the step was stopped: nobody waits for it then. */
  readonly ofWorker: Receive<StepEvent> = (event) => {
    if (this.signal?.aborted) return undefined
    this.hasText ||= event.type === 'text_delta'
    const { taskId, stepId } = this
    // A literal: a spread before other keys gives each object a hidden class of its own on older engines.
    if (event.type === 'text_delta' || event.type === 'reasoning_delta')
      return this.report({ type: event.type, delta: event.delta, taskId, stepId })
    return this.report(Object.assign({}, event, { taskId, stepId }))
  }

  /** Reports the end of the step: now, or when its answer has streamed. Also reports the text if the worker did not. */
  end(output: TaskStepOutput): void {
    if (this.signal?.aborted) return
    const { output: response, isLast } = output
    const end = () => void this.report(stepEndEvent(this.taskId, this.stepId, output))
    const delta = (text: string) => this.ofWorker({ type: 'text_delta', delta: text })
    if (isStreamingResponse(response)) {
      if (!this.hasText) response.onPiece(delta)
      void response.whenDone(end)
      return
    }
    if (isLast && !this.hasText && isChatResponse(response) && response.response !== '') delta(response.response)
    end()
  }
}
