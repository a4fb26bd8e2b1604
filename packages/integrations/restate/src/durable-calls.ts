/**
 * @module
 * The durable port of agents on `ctx.run` of Restate.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, RestatePromise } from '@restatedev/restate-sdk'
import type { Durable, Json } from '@x/core-model'
import { anySignal } from '@x/core-model/async'
import { earlierError, isRetryable, terminalError } from './errors.ts'
import { readRecord, recordCodec, writeRecord } from './record.ts'
import type { ReplayGate } from './replay-gate.ts'
import type { RestateRetryOptions, RestateSdk } from './restate-sdk.ts'

/** The record of a call in the journal: its result, and the time of the result. */
interface Recorded {
  value: Json
  at: number
  /** What the results depend on, with the first result. */
  begin?: Json
}

/** What the results of a run depend on. It is recorded with the first result, because each entry of the journal costs time. */
export interface RunBegin {
  readonly current: Json
  /** Receives what was recorded, before the first result is returned. What it throws ends the execution. */
  check(recorded: Json): void
}

/** The options of {@link DurableCalls}. */
export interface DurableCallsOptions {
  restate: RestateSdk
  gate: ReplayGate
  /** How calls with a `retryable` error are repeated. @defaultValue at most 10 attempts */
  retry?: RestateRetryOptions | undefined
}

/**
 * Runs calls through the journal of an invocation.
 *
 * The SDK can wait for one promise of a context at a time, so one pump waits for all open calls together. Their results arrive in the
 * order of the journal, also when they are replayed.
 */
export class DurableCalls {
  /** The time of the last result, in milliseconds since 1970: the same in every execution. */
  now = 0
  /** Aborted when the attempt has ended, or the invocation is cancelled. */
  readonly signal: AbortSignal
  private readonly ctx: Context
  private readonly options: DurableCallsOptions
  /** If set, is recorded with the first result. */
  begin: RunBegin | undefined
  /** Whether `begin` is recorded. */
  hasBegun = false
  /** If set, receives the results by the names of their calls. A call with a result here does not run. */
  results: Map<string, Json> | undefined
  /** The calls without a result yet. Each promise resolves to a function that delivers the result. */
  private readonly open = new Map<RestatePromise<() => void>, (error: unknown) => void>()
  private readonly stopping = new AbortController()
  private isPumping = false

  constructor(ctx: Context, options: DurableCallsOptions) {
    this.ctx = ctx
    this.options = options
    // The listeners live as long as the attempt.
    this.signal = anySignal(ctx.request().attemptCompletedSignal, this.stopping.signal).signal
  }

  /** The error that ended the calls: the invocation was cancelled, or was begun by other code. */
  get stopped(): unknown {
    return this.stopping.signal.reason
  }

  readonly durable: Durable = <T extends Json>(name: string, fn: () => Promise<T>): Promise<T> => {
    const { gate, retry } = this.options
    if (this.stopping.signal.aborted) return Promise.reject(this.stopped)
    if (this.results?.has(name)) return Promise.resolve(this.results.get(name) as T)
    // The pump runs the closures, so they must restore the async context.
    const inContext = AsyncLocalStorage.snapshot()
    let failure: unknown
    // Set if the call runs in this execution.
    let made: Recorded | undefined
    const make = async (): Promise<Uint8Array> => {
      try {
        const value = await inContext(() => gate.run(fn))
        made = { value, at: Date.now(), ...(this.begin && !this.hasBegun && { begin: this.begin.current }) }
        return writeRecord(`The result of "${name}"`, made)
      } catch (error) {
        failure = error
        throw this.asEngineError(error)
      }
    }
    const running = this.ctx.run<Uint8Array>(name, make, { maxRetryAttempts: 10, ...retry, serde: recordCodec })
    return new Promise<T>((resolve, reject) => {
      const settled = running.map((bytes: Uint8Array | undefined, error) => () => {
        gate.passed()
        const record = bytes && (made ?? (readRecord(bytes) as Recorded))
        if (record?.begin !== undefined && !this.hasBegun) {
          this.hasBegun = true
          // An error ends all calls.
          this.begin?.check(record.begin)
        }
        this.open.delete(settled)
        if (record) {
          this.now = record.at
          this.results?.set(name, record.value)
          resolve(record.value as T)
        } else reject(failure !== undefined && !isRetryable(failure) ? failure : earlierError(error!))
      })
      this.open.set(settled, reject)
      void this.pump()
    })
  }

  /** Waits for an external promise while no call runs. A cancellation ends the wait. */
  async wait<T>(promise: PromiseLike<T>): Promise<T> {
    try {
      return await promise
    } catch (error) {
      this.stop(error)
      throw error
    }
  }

  private async pump(): Promise<void> {
    if (this.isPumping) return
    this.isPumping = true
    await turn()
    while (this.open.size > 0) {
      try {
        const open = Array.from(this.open.keys())
        // A race costs a third of the call, and calls seldom overlap.
        const settle = await (open.length > 1 ? this.options.restate.RestatePromise.race(open) : open[0]!)
        settle()
      } catch (error) {
        this.stop(error)
      }
      // Lets the code that waited for the result make its next calls.
      await turn()
    }
    this.isPumping = false
  }

  /** Ends the calls: no further one starts. */
  private stop(error: unknown): void {
    this.stopping.abort(error)
    for (const reject of this.open.values()) reject(error)
    this.open.clear()
  }

  /** Returns the error that makes the engine repeat a call, or end the invocation. */
  private asEngineError(error: unknown): unknown {
    const { restate } = this.options
    if (!isRetryable(error)) return terminalError(restate, error)
    const { retryAfterMs } = error as { retryAfterMs?: number | null }
    return typeof retryAfterMs === 'number' ? restate.RetryableError.from(error, { retryAfter: retryAfterMs }) : error
  }
}

/** Resolves in a later turn of the event loop, when all code that is ready to run has run. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
