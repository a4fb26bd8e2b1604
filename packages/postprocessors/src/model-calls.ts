/**
 * @module
 * The calls to models of one run: cancelled by the signal, counted for progress.
 */
import { untilAborted } from '@x/core-model/internal'
import type { NodePostprocessor, PostprocessRun } from './node-postprocessor.ts'

/** What a call is given. */
export type ModelCallOptions = {
  signal?: AbortSignal | undefined
}

/** Runs calls to models and reports how many have ended. */
export class ModelCalls {
  /** The postprocessor that calls. */
  readonly className: string
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
  async run<T>(call: (options: ModelCallOptions) => T | Promise<T>): Promise<T> {
    const { signal, onProgress } = this.given
    const result = await untilAborted(signal, () => call({ signal }))
    this.done++
    onProgress?.({ className: this.className, done: this.done, total: Math.max(this.total, this.done) })
    return result
  }
}
