/**
 * @module
 * The durable port of agents on `ctx.run` of Restate.
 */

import { AsyncResource } from 'node:async_hooks'
import type { Context, RestatePromise, TerminalError } from '@restatedev/restate-sdk'
import type { Durable, Json } from '@x/core-model'
import { ReplayGate } from '@x/durable'
import { earlierError, engineError, isRetryable } from './errors.ts'
import { readRecord, writeRecord } from './record.ts'
import type { RestateRetryOptions, RestateSdk } from './restate-sdk.ts'

/** The record of a call in the journal: its result, and the time of the result. */
interface Recorded {
  value: Json
  at: number
  /** What the results depend on, with the first result. */
  begin?: Json | undefined
  /** Whether the execution that made the call continued an earlier one. */
  continued?: true
}

/** The options of {@link DurableCalls}. */
export interface DurableCallsOptions {
  restate: RestateSdk
  /** How calls with a `retryable` error are repeated. @defaultValue at most 10 attempts */
  retry?: RestateRetryOptions | undefined
}

/** A call without a result yet. */
interface OpenCall {
  running: RestatePromise<Uint8Array>
  /** Receives the record of the result, or the error that was recorded. */
  deliver(bytes: Uint8Array | undefined, error?: TerminalError): void
  /** Ends the call without a result. */
  reject(error: unknown): void
}

/**
 * Runs calls through the journal of an invocation.
 *
 * The SDK can wait for one promise of a context at a time, so one pump waits for all open calls together. Their results arrive in the
 * order of the journal, also when they are replayed.
 */
export class DurableCalls<Options extends DurableCallsOptions = DurableCallsOptions, Ctx extends Context = Context> {
  /** The time of the last result, in milliseconds since 1970: the same in every execution. */
  now = 0
  readonly gate = new ReplayGate()
  /** Whether an execution that continued an earlier one has recorded a result: the same in every execution. */
  isContinued = false
  /** Whether this execution continues an earlier one. */
  private continues = false
  protected readonly ctx: Ctx
  protected readonly options: Options
  /**
   * What the results of a run depend on. It is recorded with the first result, because each entry of the journal costs time. Undefined as
   * soon as that result has been returned.
   */
  protected begin: Json | undefined
  private readonly open = new Set<OpenCall>()
  private readonly stopping = new AbortController()
  /** Aborted with the reason when the attempt has ended, or the invocation was cancelled or begun by other code. */
  readonly signal = this.stopping.signal
  private isPumping = false

  constructor(ctx: Ctx, options: Options) {
    this.ctx = ctx
    this.options = options
    const ended = ctx.request().attemptCompletedSignal
    ended.addEventListener('abort', () => this.stop(ended.reason))
  }

  durable: Durable = <T extends Json>(name: string, fn: () => Promise<T>): Promise<T> => {
    const { gate, signal } = this
    const { restate, retry } = this.options
    if (signal.aborted) return Promise.reject(signal.reason)
    // The pump runs the closures, so they must restore the async context.
    const context = new AsyncResource('durable call')
    let failure: unknown
    // Set if the call runs in this execution.
    let made: Recorded | undefined
    const make = async (): Promise<Uint8Array> => {
      try {
        const value = await context.runInAsyncScope(gate.run<Promise<T>>, gate, fn)
        made = { value, at: Date.now(), begin: this.begin, ...(this.continues && { continued: true }) }
        return writeRecord(`The result of "${name}"`, made)
      } catch (error) {
        failure = error
        throw engineError(restate, error)
      }
    }
    const running = this.ctx.run(name, make, { maxRetryAttempts: 10, ...retry, serde: restate.serde.binary })
    return new Promise<T>((resolve, reject) => {
      const deliver: OpenCall['deliver'] = (bytes, error) => {
        gate.passed()
        this.continues ||= made === undefined && failure === undefined
        const record = bytes && (made ?? (readRecord(bytes) as Recorded))
        this.isContinued ||= record?.continued === true
        if (this.begin && record?.begin) {
          // An error ends all calls.
          this.begun(record.begin)
          this.begin = undefined
        }
        this.open.delete(call)
        if (record) {
          this.now = record.at
          resolve(record.value as T)
        } else reject(failure !== undefined && !isRetryable(failure) ? failure : earlierError(error!))
      }
      const call: OpenCall = { running, deliver, reject }
      this.open.add(call)
      void this.pump()
    })
  }

  /** Receives what was recorded as `begin`, before the first result is returned. What it throws ends the execution. */
  protected begun(_recorded: Json): void {}

  private async pump(): Promise<void> {
    if (this.isPumping) return
    this.isPumping = true
    await this.turn()
    while (this.open.size > 0) {
      try {
        await this.next()
      } catch (error) {
        this.stop(error)
      }
      // Lets the code that waited for the result make its next calls.
      await this.turn()
    }
    this.isPumping = false
  }

  /** Delivers the next result. */
  private async next(): Promise<void> {
    const { CancelledError, RestatePromise } = this.options.restate
    const [call, ...others] = this.open
    if (others.length > 0) {
      const settled = Array.from(this.open, ({ running, deliver }) =>
        running.map(
          (...result) =>
            () =>
              deliver(...result),
        ),
      )
      return (await RestatePromise.race(settled))()
    }
    // Calls seldom overlap, and one alone takes two thirds of the time of a race.
    await call!.running.then(call!.deliver, (error) => {
      if (error instanceof CancelledError) throw error
      call!.deliver(undefined, error)
    })
  }

  /** Resolves when all code that is ready to run has run. If calls are open, code beside them may need a turn of the event loop. */
  private turn(): Promise<void> {
    const { open } = this
    return new Promise((resolve) => {
      if (open.size > 0) setImmediate(resolve)
      else process.nextTick(resolve)
    })
  }

  /** Ends the calls: no further one starts. */
  stop(error: unknown): void {
    this.stopping.abort(error)
    for (const call of this.open) call.reject(error)
    this.open.clear()
  }
}
