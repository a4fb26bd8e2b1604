/**
 * @module
 * Order nodes by the date in their metadata.
 */
import type { NodeWithScore } from '@x/core-model'
import { InvalidDateError, MissingMetadataError } from '../errors.ts'
import { compareInstants, type Instant, readDate } from './read-date.ts'

/** Where the date of a node stands and how it is read. */
export interface DateOptions {
  dateKey: string
  dayFirst: boolean
  onMissingDate: 'throw' | 'last' | 'drop'
}

/**
 * The entries with a date, newest first, equal dates in input order; entries without one as `onMissingDate` says.
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
