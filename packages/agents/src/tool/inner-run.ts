/**
 * @module
 * A run of an agent behind a tool, as the calling task sees it.
 */

import type { Receive } from '@x/core-model/async'
import { anySignal } from '@x/core-model/async'
import type { TaskUsage } from '../answer/task-usage.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import type { ToolCallContext } from './base-tool.ts'

/** The part of the context of a call that a run uses. */
type CallContext = Partial<Pick<ToolCallContext, 'signal' | 'onProgress' | 'onUsage' | 'checkBudget'>>

/** What a run of the agent reports to the calling task, whose budgets end it. */
export class InnerRun {
  readonly signal: AbortSignal
  readonly release: () => void
  private readonly context: CallContext
  private readonly overBudget = new AbortController()
  private modelCalls = 0

  constructor(context: CallContext) {
    this.context = context
    const { signal, release } = anySignal(context.signal, this.overBudget.signal)
    this.signal = signal
    this.release = release
  }

  readonly onEvent: Receive<AgentEvent> = (event) => {
    // The calling task reports the calls that wait.
    if (event.type === 'approval_required') return undefined
    const wait = this.context.onProgress?.(event)
    try {
      if (event.type === 'usage') {
        this.modelCalls = event.total.modelCalls
        this.within(() => this.context.onUsage?.(event.total))
      }
    } catch {
      // The signal has the error.
    }
    return wait
  }

  readonly checkBudget: CheckBudget = (...next) => this.within(() => this.context.checkBudget?.(...next))

  /** Counts the calls of the last complete step of a task that failed; all of them if another process has made them. */
  countFailed(task: Partial<Task> | undefined): void {
    const usage = task?.extraState?.['usage'] as TaskUsage | undefined
    if (usage && usage.modelCalls >= this.modelCalls) this.context.onUsage?.(usage)
  }

  private within(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.overBudget.abort(error)
      throw error
    }
  }
}
