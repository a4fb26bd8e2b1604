/**
 * @module
 * The events of one step.
 */

import type { Receive } from '@x/core-model/async'
import { isChatResponse, isStreamingResponse } from '../answer/chat-answer.ts'
import { type AgentEvent, type StepEvent, stepEndEvent } from '../task/agent-event.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'

/** Completes the events of a worker, and reports the text and the end of the step. */
export class StepEvents {
  private readonly taskId: string
  private readonly stepId: string
  private readonly onEvent: Receive<AgentEvent>
  private readonly signal: AbortSignal | undefined
  private hasText = false

  constructor(taskId: string, stepId: string, onEvent: Receive<AgentEvent>, signal: AbortSignal | undefined) {
    this.taskId = taskId
    this.stepId = stepId
    this.onEvent = onEvent
    this.signal = signal
  }

  /** Reports an event of the worker, unless the step was stopped: nobody waits for it then. */
  readonly report: Receive<StepEvent> = (event) => {
    if (this.signal?.aborted) return undefined
    this.hasText ||= event.type === 'text_delta'
    const { taskId, stepId } = this
    // A literal: a spread before other keys gives each object a hidden class of its own on older engines.
    if (event.type === 'text_delta' || event.type === 'reasoning_delta')
      return this.onEvent({ type: event.type, delta: event.delta, taskId, stepId })
    return this.onEvent(Object.assign({}, event, { taskId, stepId }))
  }

  /** Reports the end of the step: now, or when its answer has streamed. Also reports the text if the worker did not. */
  end(output: TaskStepOutput): void {
    if (this.signal?.aborted) return
    const { output: response, isLast } = output
    const end = () => void this.onEvent(stepEndEvent(this.taskId, this.stepId, output))
    const delta = (text: string) => this.report({ type: 'text_delta', delta: text })
    if (isStreamingResponse(response)) {
      if (!this.hasText) response.onPiece(delta)
      void response.whenDone(end)
      return
    }
    if (isLast && !this.hasText && isChatResponse(response) && response.response !== '') delta(response.response)
    end()
  }
}
