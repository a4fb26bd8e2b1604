/**
 * @module
 * Runs the model calls of one postprocessor run, with cancellation and progress.
 */
import { errorMessage } from '@x/core/values'
import type { NodeWithScore } from '@x/core-model'
import { turns, untilAborted } from '@x/core-model/async'
import type { NodePostprocessor, PostprocessRun } from './node-postprocessor.ts'

/**
 * Returns what `rerank` returns; when it fails and `onError` is `keep`, the first `topN` nodes in their order, with the error as reason in
 * the ledger. An abort is no failure.
 */
export async function keepingOrder(
  { onError, topN }: { onError: 'throw' | 'keep'; topN: number },
  nodes: readonly NodeWithScore[],
  { signal, reasons }: PostprocessRun,
  rerank: () => Promise<NodeWithScore[]>,
): Promise<NodeWithScore[]> {
  try {
    return await rerank()
  } catch (error) {
    if (onError === 'throw' || signal?.aborted) throw error
    const why = `the model failed: ${errorMessage(error)}`
    for (const [at, entry] of nodes.entries())
      reasons?.set(entry, at < topN ? `kept in its order, because ${why}` : `not among the first ${topN}; ${why}`)
    return nodes.slice(0, topN)
  }
}

/** The options that are passed to a model call. */
export type ModelCallOptions = {
  signal?: AbortSignal | undefined
  parentId?: string | undefined
}

/** Runs model calls and reports the number of finished calls. */
export class ModelCalls {
  /** The class name of the calling postprocessor. */
  readonly className: string
  private readonly context: PostprocessRun
  private readonly turn: () => Promise<void>
  private total: number
  private done = 0

  constructor(owner: NodePostprocessor, run: PostprocessRun, total: number) {
    this.className = (owner.constructor as typeof NodePostprocessor).className()
    this.context = run
    this.turn = turns(run.signal)
    this.total = total
  }

  /** Increases the expected number of calls. */
  expect(more: number): void {
    this.total += more
  }

  /**
   * Runs one call. Rejects immediately when the signal is aborted, even if the model ignores the signal. A model may compute without
   * waiting, so other work runs after it.
   */
  async run<T>(call: (options: ModelCallOptions) => T | Promise<T>): Promise<T> {
    const { signal, parentId, onProgress } = this.context
    const result = await untilAborted(signal, () => call({ signal, ...(parentId !== undefined && { parentId }) }))
    await this.turn()
    this.done++
    await onProgress?.({ className: this.className, done: this.done, total: Math.max(this.total, this.done) })
    return result
  }
}
