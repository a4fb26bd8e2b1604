/**
 * @module
 * Conditions on metadata as conditions of a statement, so that Postgres returns only the nodes that may meet them.
 */
import { type FiltersInput, type MetadataFilter, sqlCondition } from '@x/retrieval'
import { storedText } from './stored-key.ts'

/** The values up to which an index of containment is used for `in` and `any`. */
const MAX_ALTERNATIVES = 20

/** Returns the expression of a value: the parameter of the condition is an array of all of them. */
type Value = (value: unknown, arrow?: '->' | '->>') => string

/**
 * Returns a condition that is true for every node that meets all filters, and for as few others as Postgres can check; null if it can check
 * none. The nodes that remain are tested by `nodeFilter`.
 * @param metadata - the expression of the metadata, of the type `jsonb`
 * @param at - the number of the one parameter of the condition, whose value is `values`
 */
export function conditionOf(
  filters: FiltersInput | undefined,
  metadata: string,
  at: number,
): { sql: string; values: string } | null {
  const values: unknown[] = []
  const value: Value = (value, arrow = '->') => `($${at}::jsonb ${arrow} ${values.push(value) - 1})`
  const condition = sqlCondition([filters], (filter) => {
    const sql = storedText(filter.key) === filter.key ? conditionOfEntry(filter, metadata, value) : null
    return sql === null ? null : { sql: `(${sql})`, values: [] }
  })
  return condition && { sql: condition.sql, values: JSON.stringify(values) }
}

function conditionOfEntry(
  { key, operator = '==', value }: MetadataFilter,
  metadata: string,
  valueOf: Value,
): string | null {
  const name = valueOf(key, '->>')
  const entry = `(${metadata} -> ${name})`
  const text = `(${metadata} ->> ${name})`
  const isA = (type: string) => `jsonb_typeof${entry} = '${type}'`
  if (operator === 'is_empty') return `${entry} is null or ${entry} in ('null', '""', '[]')`
  const list = Array.isArray(value) ? value : [value]
  if (!list.every(isComparable)) return null
  const contains = (part: unknown) => `${metadata} @> ${valueOf({ [key]: part })}`
  const containsOne = (parts: readonly unknown[]) =>
    parts.length === 0 || parts.length > MAX_ALTERNATIVES ? null : parts.map(contains).join(' or ')
  const isOne = () => `${entry} in (select jsonb_array_elements(${valueOf(list)}))`
  switch (operator) {
    case '==':
      return contains(value)
    case 'in':
      return containsOne(list) ?? isOne()
    case '!=':
      return `${entry} <> ${valueOf(value)}`
    case 'nin':
      return `not ${isOne()}`
    case 'any':
      return containsOne(list.map((each) => [each]))
    case 'all':
      return list.length === 0 ? null : contains(list)
    case 'contains':
      return `${isA('string')} or ${contains([value])}`
  }
  const type = isA(typeof value)
  if (typeof value === 'number') return `${type} and ${entry} ${operator} ${valueOf(value)}`
  if (operator === 'text_match')
    // Postgres knows the case of ASCII letters in any locale; other strings are tested by `nodeFilter`.
    return /^[\u0001-\u007f]*$/.test(`${value}`)
      ? `${type} and (strpos(lower(${text} collate "C"), ${valueOf(`${value}`.toLowerCase(), '->>')}) > 0
          or octet_length(${text}) <> char_length(${text}))`
      : type
  // Postgres orders strings by the bytes of UTF-8, JavaScript by units of UTF-16: these differ behind U+D7FF, and in escaped strings.
  return /[\ud800-\uffff]/.test(`${value}`)
    ? type
    : `${type} and (${text} collate "C" ${operator} ${valueOf(value, '->>')} or strpos(${text}, chr(27)) > 0)`
}

/** Whether Postgres finds a value equal wherever JavaScript does. */
function isComparable(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return storedText(value) === value
  return typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= 2 ** 53)
}
