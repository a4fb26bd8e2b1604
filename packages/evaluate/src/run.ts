/**
 * @module
 * The result of an evaluation: plain JSON, to be stored, compared and shown.
 */

import type { Durable } from '@x/core-model'
import { mapConcurrently, turns, untilAborted } from '@x/core-model/async'
import { sha256 } from '@x/core-model/data'
import type { MeasureName, Measures } from './measures.ts'
import type { Estimate } from './statistics.ts'

/** A node of a ranking. */
interface FoundNode {
  nodeId: string
  /** Where it is, such as `README.md:3-9`. */
  place: string
  score: number | null
  /** Whether it contains a part of a right passage. */
  isRight: boolean
}

/**
 * Why a right passage is not among the first nodes: no node contains it; its nodes share no term with the question; they were not retrieved
 * although they share terms; a postprocessor dropped them; they come later.
 */
export type MissKind = 'no_node' | 'no_common_term' | 'not_retrieved' | 'dropped' | 'ranked_low'

/** A right passage that is not among the first nodes. */
export interface Miss {
  /** The passage, such as `README.md:3-9`. */
  place: string
  kind: MissKind
  /** The reason as a sentence part, such as `dropped by step 2 (SimilarityPostprocessor): score 0.2 is below the cutoff 0.5`. */
  reason: string
}

/** The result of one question. */
export interface QuestionResult {
  id: string
  question: string
  measures: Measures
  /** The first nodes, best first. */
  found: FoundNode[]
  misses: Miss[]
}

/** The result of a test set. It is plain JSON. */
export interface EvaluationRun {
  name: string
  /** The number of nodes that count. */
  k: number
  /** The means over the questions, with intervals of 95 %. */
  measures: Record<MeasureName, Estimate>
  /** One result per question that has a right passage. */
  questions: QuestionResult[]
  /** The number of questions without a right passage, which have no measures. */
  unanswerable: number
}

/** How an evaluation is followed and cancelled. */
interface Progress {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

/** Returns what is saved under the name and the hash of what is asked: an id may stand for another question in a later run. Else asks. */
export function saved(
  durable: Durable | undefined,
  name: string,
  asked: () => string,
  ask: () => Promise<string>,
): Promise<string> {
  return durable ? durable(`${name}/${sha256(asked()).slice(0, 16)}`, ask) : ask()
}

/** Returns the result of each item in their order. Lets other work run between items. After an abort no further item is started. */
export function resultsOf<T, R>(
  items: readonly T[],
  maxConcurrency: number,
  { signal, onProgress }: Progress,
  resultOf: (item: T) => Promise<R>,
): Promise<R[]> {
  const turn = turns(signal)
  let done = 0
  return mapConcurrently(items, maxConcurrency, async (item) => {
    const result = await untilAborted(signal, () => resultOf(item))
    await onProgress?.({ done: ++done, total: items.length })
    await turn()
    return result
  })
}
