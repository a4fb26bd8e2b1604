/**
 * @module
 * Orders nodes by the date in their metadata.
 */
import type { NodeWithScore } from '@x/core-model'
import { InvalidDateError, MissingMetadataError } from '../errors.ts'
import { compareInstants, dayFirstIn, type Instant, readDateAs } from './read-date.ts'

/** The metadata key of the date, how it is read, and how a missing or unreadable date is handled. */
export interface DateOptions {
  dateKey: string
  dayFirst: boolean
  onMissingDate: 'throw' | 'last' | 'drop'
}

/**
 * Returns the entries newest first; equal dates keep the input order. All dates are read one way. `onMissingDate` decides about
 * entries without a date, or with one that cannot be read.
 * @throws {MissingMetadataError} for an entry without a date, when `onMissingDate` is `throw`.
 * @throws {InvalidDateError} for a date that cannot be read, when `onMissingDate` is `throw`.
 */
export function newestFirst(
  nodes: readonly NodeWithScore[],
  { dateKey, dayFirst, onMissingDate }: DateOptions,
  className: string,
): NodeWithScore[] {
  const dated: { entry: NodeWithScore; date: Instant }[] = []
  const undated: NodeWithScore[] = []
  const values = nodes.map(({ node: { metadata } }) => (Object.hasOwn(metadata, dateKey) ? metadata[dateKey] : null))
  const order = dayFirstIn(values, dayFirst)
  for (const [index, entry] of nodes.entries()) {
    const value = values[index]
    const isMissing = value === null || value === undefined
    const date = isMissing ? undefined : readDateAs(value, order)
    if (date) dated.push({ entry, date })
    else if (onMissingDate !== 'throw') undated.push(entry)
    else if (isMissing) throw new MissingMetadataError(className, entry.nodeId, dateKey)
    else throw new InvalidDateError(className, entry.nodeId, dateKey, value)
  }
  dated.sort((a, b) => compareInstants(b.date, a.date))
  const ordered = dated.map(({ entry }) => entry)
  return onMissingDate === 'last' ? [...ordered, ...undated] : ordered
}
