/**
 * @module
 * Conditions on metadata as conditions of a statement, for indexes in databases.
 */
import { checkGiven, list } from '@x/core/options'
import { type FiltersInput, groupOf, type MetadataFilter, type MetadataFilters } from './metadata-filters.ts'

/** A condition of a statement, with a question mark per value. */
export interface SqlCondition<V> {
  sql: string
  values: V[]
}

/**
 * Returns a condition that is true for every node that meets all filters, and for as few others as the database can check; null if it can
 * check none. The nodes that the statement finds are to be tested by `nodeFilter`.
 * @param entryCondition - returns the condition for one entry, true for at least the nodes that meet it; null if the database cannot check
 * @example
 * const equal = ({ key, value }: MetadataFilter) => ({ sql: `${key} = ?`, values: [value] })
 * sqlCondition([[{ key: 'year', value: 2020 }], undefined], equal) // => { sql: '((year = ?))', values: [2020] }
 */
export function sqlCondition<V>(
  all: readonly (FiltersInput | undefined)[],
  entryCondition: (filter: MetadataFilter) => SqlCondition<V> | null,
): SqlCondition<V> | null {
  checkGiven('sqlCondition', { all }, list)
  for (const filters of all) if (filters !== undefined) checkGiven('sqlCondition', { filters }, 'filters')
  const conditionOf = ({ filters, condition = 'and' }: MetadataFilters): SqlCondition<V> | null => {
    // What the database cannot check exactly cannot be negated.
    if (condition === 'not') return null
    const parts = filters.map((filter) => ('filters' in filter ? conditionOf(filter) : entryCondition(filter)))
    const known = parts.filter((part) => part !== null)
    // One side of an "or" that the database cannot check may be true for any node.
    if (known.length === 0 || (condition === 'or' && known.length < parts.length)) return null
    return {
      sql: `(${known.map(({ sql }) => sql).join(condition === 'or' ? ' or ' : ' and ')})`,
      values: known.flatMap(({ values }) => values),
    }
  }
  return conditionOf({ filters: all.flatMap((filters) => (filters === undefined ? [] : [groupOf(filters)])) })
}
