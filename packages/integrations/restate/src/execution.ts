/**
 * @module
 * One execution of an invocation that runs an agent.
 */

import type { ObjectContext } from '@restatedev/restate-sdk'
import { type AgentEvent, journalPort } from '@x/agents'
import { createAgent, stepNumber } from '@x/agents/durable'
import { errorEvent } from '@x/agents/protocol'
import type { Json } from '@x/core-model'
import { type AgentDescription, describeAgent, refuseChanges } from './agent-description.ts'
import type { AgentRun, AgentServiceOptions, DurableAgent, DurableRunOptions } from './agent-run.ts'
import { DurableCalls } from './durable-calls.ts'
import { isRetryable } from './errors.ts'
import { isPiece } from './run-protocol.ts'

/** One execution of an invocation that runs an agent. */
export class Execution {
  readonly run: AgentRun
  readonly calls: DurableCalls
  /** The number of steps that have started. */
  step = 0
  /** The number of events so far, without pieces. */
  position: number
  private readonly startedAt = Date.now()
  private readonly ctx: ObjectContext
  private readonly options: AgentServiceOptions

  constructor(ctx: ObjectContext, options: AgentServiceOptions, context: Json | undefined, position = 0) {
    this.ctx = ctx
    this.options = options
    this.position = position
    this.calls = new DurableCalls(ctx, options)
    const { id, headers } = ctx.request()
    let ids = 0
    this.run = {
      taskId: ctx.key,
      durable: journalPort((name, fn) => {
        this.step = Math.max(this.step, stepNumber(name))
        return this.calls.durable(name, fn)
      }),
      newId: () => `${id}-${++ids}`,
      now: () => this.calls.now,
      signal: this.calls.signal,
      headers,
      context,
      replay: this.calls.gate,
    }
  }

  /** Creates the agent. @throws {AgentSetupError} */
  agent(): Promise<DurableAgent> {
    return createAgent(() => this.options.agent(this.run))
  }

  /** Returns the agent. If the run was started by incompatible code, its first call ends with {@link RunChangedError}. */
  private async begin(): Promise<DurableAgent> {
    const agent = await this.agent()
    const current = describeAgent(agent, this.options.version)
    this.calls.begin = {
      current,
      check: (data) => {
        const recorded = data as AgentDescription
        // Read by the handlers `status` and `decide`.
        this.ctx.set('begin', recorded)
        refuseChanges(this.run.taskId, recorded, current)
      },
    }
    return agent
  }

  /**
   * Runs an agent. If it fails, reports the error and returns what `failed` returns.
   * @throws what the engine repeats.
   */
  async attempt<T>(
    work: (agent: DurableAgent) => Promise<T>,
    failed: (state: 'failed' | 'cancelled', error: unknown) => T,
  ): Promise<T> {
    try {
      return await work(await this.begin())
    } catch (error) {
      // The attempt has ended and its result is ignored: another attempt continues.
      if (this.ctx.request().attemptCompletedSignal.aborted) return new Promise(() => {})
      const failure = this.calls.stopped ?? error
      // Nothing may be recorded.
      if (isRetryable(failure)) throw failure
      this.end(() => errorEvent(this.run.taskId, failure))
      const isCancelled = failure instanceof this.options.restate.CancelledError
      // While calls of tools wait, no call of this execution receives the cancellation.
      if (isCancelled) this.calls.stop(failure)
      return failed(isCancelled ? 'cancelled' : 'failed', failure)
    }
  }

  /** The options of a run or a step of the agent. */
  get runOptions(): DurableRunOptions {
    return {
      signal: this.run.signal,
      context: this.run.context,
      // Events for nobody would only cost time.
      ...(this.options.onEvent && { onEvent: (event) => this.report(event) }),
    }
  }

  /** Reports an event, unless it was reported by an earlier execution. */
  private report(event: AgentEvent): void {
    if (event.type === 'step_start') this.step++
    const { run, step, startedAt: attempt } = this
    const mark = { taskId: run.taskId, step, attempt, position: isPiece(event) ? this.position : this.position++ }
    this.calls.gate.deliver(() => {
      // A broken side channel does not stop a run.
      const call = async () => this.options.onEvent!(event, mark)
      call().catch((error) => this.ctx.console.error('onEvent:', error))
    })
  }

  /** Reports the last event, if there is one, and the held-back events before it. */
  end(event?: () => AgentEvent): void {
    if (event && this.options.onEvent) this.report(event())
    this.calls.gate.end()
  }
}
