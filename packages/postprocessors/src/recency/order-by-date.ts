/**
 * @module
 * Orders nodes by the date in their metadata.
 */
import type { NodeWithScore } from '@x/core-model'
import { InvalidDateError, MissingMetadataError } from '../errors.ts'
import { compareInstants, type Instant, readDate } from './read-date.ts'

/** The metadata key of the date, how it is read, and how a missing date is handled. */
export interface DateOptions {
  dateKey: string
  dayFirst: boolean
  onMissingDate: 'throw' | 'last' | 'drop'
}

/**
 * Returns the entries newest first; equal dates keep the input order. `onMissingDate` decides about entries without a date.
 * @throws {MissingMetadataError} for an entry without a date, when `onMissingDate` is `throw`.
 * @throws {InvalidDateError} for a date that cannot be read.
 */
export function newestFirst(
  nodes: readonly NodeWithScore[],
  { dateKey, dayFirst, onMissingDate }: DateOptions,
  className: string,
): NodeWithScore[] {
  const dated: { entry: NodeWithScore; date: Instant }[] = []
  const undated: NodeWithScore[] = []
  for (const entry of nodes) {
    const value = Object.hasOwn(entry.node.metadata, dateKey) ? entry.node.metadata[dateKey] : null
    if (value === null || value === undefined) {
      if (onMissingDate === 'throw') throw new MissingMetadataError(className, entry.nodeId, dateKey)
      undated.push(entry)
      continue
    }
    const date = readDate(value, { dayFirst })
    if (!date) throw new InvalidDateError(className, entry.nodeId, dateKey, value)
    dated.push({ entry, date })
  }
  dated.sort((a, b) => compareInstants(b.date, a.date))
  const ordered = dated.map(({ entry }) => entry)
  return onMissingDate === 'last' ? [...ordered, ...undated] : ordered
}
