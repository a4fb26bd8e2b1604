/**
 * @module
 * One execution of an invocation that runs an agent.
 */

import type { ObjectContext } from '@restatedev/restate-sdk'
import { type AgentEvent, journalPort } from '@x/agents'
import { errorEvent } from '@x/agents/protocol'
import type { Json } from '@x/core-model'
import { type AgentDescription, describeAgent, madeAgent, refuseChanges } from './agent-description.ts'
import type { AgentRun, AgentServiceOptions, DurableAgent, DurableRunOptions } from './agent-run.ts'
import { DurableCalls } from './durable-calls.ts'
import { isRetryable } from './errors.ts'
import { ReplayGate } from './replay-gate.ts'
import { isPiece } from './run-protocol.ts'

/** One execution of an invocation that runs an agent. */
export class Execution {
  readonly run: AgentRun
  readonly calls: DurableCalls
  /** The number of steps that have started. */
  step: number
  /** The number of events so far, without pieces. */
  position: number
  private readonly startedAt = Date.now()
  private readonly gate = new ReplayGate()
  private readonly ctx: ObjectContext
  private readonly options: AgentServiceOptions

  constructor(
    ctx: ObjectContext,
    options: AgentServiceOptions,
    { context, step = 0, position = 0 }: { context?: Json | undefined; step?: number; position?: number },
  ) {
    const { restate, retry } = options
    this.ctx = ctx
    this.options = options
    this.step = step
    this.position = position
    this.calls = new DurableCalls(ctx, { restate, gate: this.gate, retry })
    const { durable, signal } = this.calls
    this.run = {
      taskId: ctx.key,
      durable: journalPort(durable),
      newId: () => ctx.rand.uuidv4(),
      now: () => this.calls.now,
      signal,
      headers: ctx.request().headers,
      context,
      replay: this.gate,
    }
  }

  /** Returns the agent. If the run was started by incompatible code, its first call ends with {@link RunChangedError}. */
  async begin(): Promise<DurableAgent> {
    const agent = await madeAgent(this.options, this.run)
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
   * Runs the agent. If it fails, reports the error and returns what `failed` returns.
   * @throws what the engine repeats.
   */
  async attempt<T>(work: () => Promise<T>, failed: (state: 'failed' | 'cancelled', error: unknown) => T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // The attempt has ended and its result is ignored: another attempt continues.
      if (this.ctx.request().attemptCompletedSignal.aborted) return new Promise(() => {})
      const { stopped } = this.calls
      const failure = stopped ?? error
      // Nothing may be recorded.
      if (isRetryable(failure)) throw failure
      this.end(errorEvent(this.run.taskId, failure))
      return failed(stopped === undefined ? 'failed' : 'cancelled', failure)
    }
  }

  /** The options of a run or a step of the agent. */
  get runOptions(): DurableRunOptions {
    return {
      signal: this.run.signal,
      context: this.run.context,
      onEvent: (event) => {
        if (event.type === 'step_start') this.step++
        this.report(event)
      },
    }
  }

  /** Reports an event, unless it was reported by an earlier execution. */
  report(event: AgentEvent): void {
    const { onEvent } = this.options
    if (!onEvent) return
    const { run, step, startedAt: attempt } = this
    const mark = { taskId: run.taskId, step, attempt, position: isPiece(event) ? this.position : this.position++ }
    this.gate.deliver(() => {
      // A broken side channel does not stop a run.
      const call = async () => onEvent(event, mark)
      call().catch((error) => this.ctx.console.error('onEvent:', error))
    })
  }

  /** Reports the last event, if there is one, and the held-back events before it. */
  end(event?: AgentEvent): void {
    if (event) this.report(event)
    this.gate.end()
  }
}
