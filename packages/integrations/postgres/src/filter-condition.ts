/**
 * @module
 * Conditions on metadata as conditions of a statement, so that Postgres returns only the nodes that may meet them.
 */
import { type FiltersInput, type MetadataFilter, type SqlCondition, sqlCondition } from '@x/retrieval'
import { storedText } from './stored-key.ts'

/** The values up to which an index of containment is used for `in` and `any`. */
const MAX_ALTERNATIVES = 20

/**
 * Returns a condition that is true for every node that meets all filters, and for as few others as Postgres can check; null if it can check
 * none. The nodes that remain are tested by `nodeFilter`.
 * @param metadata - the expression of the metadata, of the type `jsonb`
 */
export function conditionOf(filters: FiltersInput | undefined, metadata: string): SqlCondition<unknown> | null {
  return sqlCondition([filters], (filter) =>
    storedText(filter.key) === filter.key ? conditionOfEntry(filter, metadata) : null,
  )
}

/** Returns a condition with numbered parameters instead of question marks. @param before - the number of parameters before them */
export function numbered(sql: string, before: number): string {
  let count = before
  return sql.replaceAll('?', () => `$${++count}`)
}

type Condition = SqlCondition<unknown> | null

function conditionOfEntry({ key, operator = '==', value }: MetadataFilter, metadata: string): Condition {
  const entry = `(${metadata} -> ?)`
  const list = Array.isArray(value) ? value : [value]
  const isEntry = (sql: string, ...values: unknown[]) => ({ sql: `(${sql})`, values })
  const contains = (
    values: readonly unknown[],
    connective: 'and' | 'or',
    wrap: (value: unknown) => unknown,
  ): Condition =>
    values.length === 0 || values.length > MAX_ALTERNATIVES
      ? null
      : isEntry(
          values.map(() => `${metadata} @> ?::jsonb`).join(` ${connective} `),
          ...values.map((each) => JSON.stringify({ [key]: wrap(each) })),
        )
  if (operator === 'is_empty') return isEntry(`${entry} is null or ${entry} in ('null', '""', '[]')`, key, key)
  if (!list.every(isComparable)) return null
  const json = (values: readonly unknown[]) => values.map((each) => JSON.stringify(each))
  const equal = `${entry} = any(?::text[]::jsonb[])`
  switch (operator) {
    case '==':
      return contains([value], 'or', (each) => each)
    case 'in':
      return contains(list, 'or', (each) => each) ?? isEntry(equal, key, json(list))
    case '!=':
      return isEntry(`${entry} <> ?::jsonb`, key, JSON.stringify(value))
    case 'nin':
      return isEntry(`not ${equal}`, key, json(list))
    case 'any':
      return contains(list, 'or', (each) => [each])
    case 'all':
      return contains(list, 'and', (each) => [each])
    case 'contains':
      return isEntry(
        `jsonb_typeof${entry} = 'string' or ${metadata} @> ?::jsonb`,
        key,
        JSON.stringify({ [key]: [value] }),
      )
    case 'text_match':
      return isEntry(...conditionOfText(key, String(value), metadata))
    default:
      return conditionOfOrder(operator, key, value, metadata)
  }
}

/** Postgres knows the case of ASCII letters in any locale; other strings are tested by `nodeFilter`. */
function conditionOfText(key: string, value: string, metadata: string): [sql: string, ...values: string[]] {
  const isString = `jsonb_typeof(${metadata} -> ?) = 'string'`
  if (!/^[\u0001-\u007f]*$/.test(value)) return [isString, key]
  const entry = `(${metadata} ->> ?)`
  const found = `strpos(lower(${entry} collate "C"), ?) > 0`
  return [
    `${isString} and (${found} or octet_length(${entry}) <> char_length(${entry}))`,
    key,
    key,
    value.toLowerCase(),
    key,
    key,
  ]
}

function conditionOfOrder(operator: string, key: string, value: unknown, metadata: string): Condition {
  const type = `jsonb_typeof(${metadata} -> ?) = '${typeof value}'`
  if (typeof value === 'number')
    return { sql: `(${type} and (${metadata} -> ?) ${operator} ?::jsonb)`, values: [key, key, JSON.stringify(value)] }
  // Postgres orders strings by the bytes of UTF-8, JavaScript by units of UTF-16: these differ behind U+D7FF, and in escaped strings.
  if (typeof value !== 'string' || /[\ud800-\uffff]/.test(value)) return { sql: `(${type})`, values: [key] }
  const text = `(${metadata} ->> ?)`
  return {
    sql: `(${type} and (${text} collate "C" ${operator} ? or strpos(${text}, chr(27)) > 0))`,
    values: [key, key, value, key],
  }
}

/** Whether Postgres finds a value equal wherever JavaScript does. */
function isComparable(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return storedText(value) === value
  return typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= 2 ** 53)
}
