/**
 * @module
 * Conditions on metadata as conditions of a statement, so that SQLite reads only the nodes that may meet them.
 */
import { type FiltersInput, type MetadataFilter, type SqlCondition, sqlCondition } from '@x/retrieval'
import type { SqlValue } from './sqlite-driver.ts'

/**
 * Returns a condition on the column `metadata` that is true for every node that meets all filters, and for as few others as SQLite can
 * check; null if it can check none. The nodes that remain are tested by `nodeFilter`.
 */
export function conditionOf(filters: FiltersInput | undefined): SqlCondition<SqlValue> | null {
  const condition = sqlCondition([filters], conditionOfEntry)
  return condition && condition.values.length <= MAX_VALUES ? condition : null
}

/** The most values of a condition that SQLite checks: it limits the depth of expressions. */
const MAX_VALUES = 500

const ORDERS: readonly string[] = ['>', '>=', '<', '<=']

function conditionOfEntry({ key, operator = '==', value }: MetadataFilter): SqlCondition<SqlValue> | null {
  // The path of an entry has no form for these keys, which JSON escapes.
  if (/["\\\u0000-\u001f]|[\ud800-\udfff]/.test(key)) return null
  const entry = 'json_extract(metadata, ?)'
  const path = `$."${key}"`
  if (operator === '==' && isComparable(value)) return { sql: `${entry} = ?`, values: [path, sqlOf(value)] }
  if (operator === 'in' && Array.isArray(value) && value.every(isComparable)) {
    const list = JSON.stringify(value.map(sqlOf))
    return { sql: `${entry} in (select value from json_each(?))`, values: [path, list] }
  }
  // SQLite orders strings by the bytes of UTF-8, JavaScript by units of UTF-16.
  if (ORDERS.includes(operator) && typeof value === 'number' && isComparable(value))
    return { sql: `(typeof(${entry}) <> 'text' and ${entry} ${operator} ?)`, values: [path, path, value] }
  return null
}

type Comparable = string | number | boolean

/** Whether SQLite finds a value equal wherever JavaScript does. */
function isComparable(value: unknown): value is Comparable {
  // Stored strings escape U+001B, those of JSON do it in another way.
  if (typeof value === 'string') return !/[\u0000\u001b]|[\ud800-\udfff]/.test(value)
  return typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= 2 ** 53)
}

const sqlOf = (value: Comparable): SqlValue => (typeof value === 'boolean' ? Number(value) : value)
