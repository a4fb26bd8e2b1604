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
 * Returns the entries newest first; equal dates keep the input order. All dates are parsed with the same order of day and month.
 * `onMissingDate` determines how entries without a valid date are handled.
 * @throws {MissingMetadataError} for an entry without a date, if `onMissingDate` is `throw`.
 * @throws {InvalidDateError} for a date that cannot be parsed, if `onMissingDate` is `throw`.
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
