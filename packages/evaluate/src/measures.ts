/**
 * @module
 * Measures of a ranking, by passages.
 */

import { EmptyInputError } from '@x/core'
import { checkOption, list, type OptionCheck, required, wholeNumber } from '@x/core/options'

/** The measures of one question, or their means: each from 0 to 1. */
export interface Measures {
  /** How early the right passages come, weighted by their grades (normalized discounted cumulative gain). */
  ndcg: number
  /** The share of the right passages among the first nodes. */
  recall: number
  /** One divided by the rank of the first node that contains a right passage; 0 if none does. */
  mrr: number
}

/** The names of the measures. */
export const measureNames = ['ndcg', 'recall', 'mrr'] as const
/** The name of a measure. */
export type MeasureName = (typeof measureNames)[number]

/**
 * Returns the measures of a ranking.
 *
 * Each right passage counts once, at the first node that contains a part of it, so that several small nodes of one passage gain nothing
 * twice; they take up ranks. A node that contains several passages counts as if they came one after the other, so that a ranking of one
 * large node reaches 1 and none exceeds it.
 * @throws {EmptyInputError} without a right passage.
 * @throws {ModelValidationError} if `k` is not a whole number of at least 1, a grade not a number above 0, or a passage has no grade.
 * @param reached - for each node of the ranking, the numbers of the passages that it contains, from 0.
 * @param grades - the grade of each passage, above 0.
 * @param k - the number of nodes that count, at least 1.
 */
export function measuresOf(reached: readonly (readonly number[])[], grades: readonly number[], k: number): Measures {
  checkOption('measuresOf', 'reached', reached, required(list))
  checkOption('measuresOf', 'grades', grades, required(list))
  if (grades.length === 0) throw new EmptyInputError('measuresOf: at least one right place is needed.')
  checkRanking(reached, grades, k)
  const found = new Set<number>()
  let gain = 0
  let first = 0
  let position = 0
  for (const [rank, places] of reached.slice(0, k).entries()) {
    position++
    if (places.length > 0 && first === 0) first = rank + 1
    const fresh = [...new Set(places)].filter((place) => !found.has(place)).sort((a, b) => grades[b]! - grades[a]!)
    for (const [i, place] of fresh.entries()) {
      if (i > 0) position++
      if (position <= k) gain += grades[place]! / Math.log2(position + 1)
      found.add(place)
    }
  }
  const ideal = [...grades]
    .sort((a, b) => b - a)
    .slice(0, k)
    .reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0)
  return { ndcg: gain / ideal, recall: found.size / grades.length, mrr: first === 0 ? 0 : 1 / first }
}

const aboveZero: OptionCheck = (value) =>
  typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY ? undefined : 'a number above 0'

function checkRanking(reached: readonly (readonly number[])[], grades: readonly number[], k: number): void {
  checkOption('measuresOf', 'k', k, wholeNumber(1))
  for (const [at, grade] of grades.entries()) checkOption('measuresOf', `grades[${at}]`, grade, aboveZero)
  const isPlace: OptionCheck = (value) =>
    typeof value === 'number' && value in grades ? undefined : `the number of a place, 0 to ${grades.length - 1}`
  for (const [at, places] of reached.entries())
    for (const [i, place] of places.entries()) checkOption('measuresOf', `reached[${at}][${i}]`, place, isPlace)
}
