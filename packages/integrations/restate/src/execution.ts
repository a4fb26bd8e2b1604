/**
 * @module
 * One execution of an invocation that runs an agent.
 */

import type { ObjectContext } from '@restatedev/restate-sdk'
import { type AgentEvent, journalPort } from '@x/agents'
import { errorEvent } from '@x/agents/protocol'
import type { Json } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { type AgentDescription, checkDescription, createAgent, describeAgent, isPiece, stepNumber } from '@x/durable'
import type { AgentRun, AgentServiceOptions, DurableAgent, DurableRunOptions } from './agent-run.ts'
import { DurableCalls } from './durable-calls.ts'
import { isRetryable } from './errors.ts'

/** The invocation of a run, under `invocation` in its state. */
export interface Invocation {
  id: string
  /** The description of the agent, once the first result is recorded. */
  begin?: AgentDescription
}

/** One execution of an invocation that runs an agent, with the calls of the agent. */
export class Execution extends DurableCalls<AgentServiceOptions, ObjectContext> {
  readonly run: AgentRun
  /** The options of a run or a step of the agent. */
  readonly runOptions: DurableRunOptions
  /** The number of steps that have started. */
  step = 0
  /** The number of events so far, without pieces. */
  position: number
  private readonly startedAt = Date.now()
  /** The last report. They are made one after the other: a log on several connections would store them in another order. */
  private reported: Promise<void> = Promise.resolve()

  constructor(ctx: ObjectContext, options: AgentServiceOptions, context: Json | undefined, position = 0) {
    super(ctx, options)
    this.position = position
    const { id, headers } = ctx.request()
    const { signal } = this
    let ids = 0
    this.run = {
      taskId: ctx.key,
      durable: journalPort((name, fn) => {
        this.step = Math.max(this.step, stepNumber(name))
        return this.durable(name, fn)
      }),
      newId: () => `${id}-${++ids}`,
      now: () => this.now,
      signal,
      headers,
      context,
      replay: this.gate,
    }
    // Events for nobody would only cost time.
    this.runOptions = { signal, context, ...(options.onEvent && { onEvent: (event) => this.report(event) }) }
  }

  /** Creates the agent. @throws {AgentSetupError} */
  agent(): Promise<DurableAgent> {
    return createAgent(() => this.options.agent(this.run as AgentRun<never>))
  }

  declare protected begin: AgentDescription

  /** @throws {RunChangedError} if the run was started by incompatible code. */
  protected override begun(recorded: AgentDescription): void {
    // Read by the handlers `status`, `decide` and `cancel`.
    this.ctx.set<Invocation>('invocation', { id: this.ctx.request().id, begin: recorded })
    checkDescription(this.run.taskId, recorded, this.begin)
  }

  /**
   * Runs an agent. If it fails, reports the error and returns what `failed` returns.
   * @throws what the engine repeats.
   */
  async attempt<T>(
    work: (agent: DurableAgent) => Promise<T>,
    failed: (state: 'failed' | 'cancelled', error: unknown) => T | Promise<T>,
  ): Promise<T> {
    try {
      const agent = await this.agent()
      this.begin = describeAgent(agent, this.options.version)
      return await work(agent)
    } catch (error) {
      // The attempt has ended and its result is ignored: another attempt continues.
      if (this.ctx.request().attemptCompletedSignal.aborted) return new Promise(() => {})
      const failure = this.signal.reason ?? error
      // Nothing may be recorded.
      if (isRetryable(failure)) throw failure
      await this.end(() => errorEvent(this.run.taskId, failure))
      const isCancelled = failure instanceof this.options.restate.CancelledError
      // While calls of tools wait, no call of this execution receives the cancellation.
      if (isCancelled) this.stop(failure)
      return failed(isCancelled ? 'cancelled' : 'failed', failure)
    }
  }

  /** Reports an event, unless it was reported by an earlier execution. */
  private report(event: AgentEvent): void {
    if (event.type === 'step_start') this.step++
    const { run, step, startedAt: attempt } = this
    const mark = { taskId: run.taskId, step, attempt, position: isPiece(event) ? this.position : this.position++ }
    this.gate.deliver(() => {
      this.reported = this.reported.then(async () => {
        try {
          await this.options.onEvent!(event, mark)
        } catch (error) {
          // A broken side channel does not stop a run.
          this.ctx.console.error('onEvent:', error)
        }
      })
    })
  }

  /** Reports the last event, if there is one, and the held-back events before it. Resolves when all are received, or after a time. */
  async end(event?: () => AgentEvent): Promise<void> {
    if (event && this.options.onEvent) this.report(event())
    this.gate.end()
    await untilAborted(AbortSignal.timeout(END_MS), () => this.reported).catch(() => {})
  }
}

/** How long the end of an execution waits for those who receive its events, in milliseconds. */
const END_MS = 5000
