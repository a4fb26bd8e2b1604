/**
 * @module
 * The calls to models of one run: cancelled by the signal, counted for progress.
 */
import { mapConcurrently } from '@x/core-model'
import type { NodePostprocessor, PostprocessRun } from './node-postprocessor.ts'

/** What a call is given. */
export type ModelCallOptions = {
  signal?: AbortSignal | undefined
}

/** Runs calls to models and reports how many have ended. */
export class ModelCalls {
  private readonly className: string
  private readonly given: PostprocessRun
  private total: number
  private done = 0

  constructor(owner: NodePostprocessor, run: PostprocessRun, total: number) {
    this.className = (owner.constructor as typeof NodePostprocessor).className()
    this.given = run
    this.total = total
  }

  /** More calls than was thought are needed. */
  expect(more: number): void {
    this.total += more
  }

  /** One call. An abort rejects at once, also when the model does not listen to the signal. */
  async run<T>(call: (options: ModelCallOptions) => Promise<T>): Promise<T> {
    const { signal, onProgress } = this.given
    signal?.throwIfAborted()
    const result = await untilAborted(call({ signal }), signal)
    this.done++
    onProgress?.({ className: this.className, done: this.done, total: Math.max(this.total, this.done) })
    return result
  }

  /** One call per item, at most `limit` at once, started in order; results in order. */
  map<T, R>(
    items: readonly T[],
    limit: number,
    call: (item: T, options: ModelCallOptions) => Promise<R>,
  ): Promise<R[]> {
    return mapConcurrently(items, limit, (item) => this.run((options) => call(item, options)))
  }

  /** As `map`, for items that need several calls; each step makes its calls by `run`. */
  mapSteps<T, R>(items: readonly T[], limit: number, step: (item: T) => Promise<R>): Promise<R[]> {
    return mapConcurrently(items, limit, step)
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  if (signal.aborted) {
    // The call itself may have led to the abort; its outcome no longer matters.
    work.catch(() => {})
    return Promise.reject(signal.reason)
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
