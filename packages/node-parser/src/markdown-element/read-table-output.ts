/**
 * @module
 * Parses a model's answer about a table.
 */
import { SummaryFormatError } from '../errors.ts'
import type { TableColumn } from './table-column.ts'
import type { TableOutput } from './table-output.ts'

/** The maximum number of opening braces that are tried as the start of a JSON object. */
const MAX_TRIES = 100

/**
 * Returns the table output in the first complete JSON object of an answer.
 * @throws {SummaryFormatError} if the answer contains no JSON object, or a key is missing or has the wrong type.
 */
export function readTableOutput(answer: string): TableOutput {
  const data = firstObject(answer)
  if (data === null) throw new SummaryFormatError(answer, 'the answer contains no JSON object')
  const fail = (key: string): never => {
    throw new SummaryFormatError(answer, `${key} is missing or has the wrong type`)
  }
  const text = (value: unknown, key: string): string =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : fail(key)
  const textOrNull = (value: unknown, key: string): string | null =>
    value === undefined || value === null ? null : text(value, key)
  const { columns } = data
  if (!Array.isArray(columns)) return fail('columns')
  const keep = data['should_keep']
  return {
    summary: text(data['summary'], 'summary'),
    tableTitle: textOrNull(data['table_title'], 'table_title'),
    tableId: textOrNull(data['table_id'], 'table_id'),
    columns: columns.map((column: unknown): TableColumn => {
      if (typeof column !== 'object' || column === null) return fail('a column')
      const { col_name: name, col_type: type, summary } = column as Record<string, unknown>
      return {
        colName: text(name, 'col_name'),
        colType: text(type, 'col_type'),
        summary: textOrNull(summary, 'summary of a column'),
      }
    }),
    ...(typeof keep === 'boolean' && { shouldKeep: keep }),
  }
}

/** Returns the first JSON object in a string that may contain other text around it. */
function firstObject(answer: string): Record<string, unknown> | null {
  let start = answer.indexOf('{')
  for (let tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    const end = objectEnd(answer, start)
    if (end > 0) {
      try {
        return JSON.parse(answer.slice(start, end)) as Record<string, unknown>
      } catch {
        // Not JSON; an object may follow, or be inside the braces.
      }
    }
    start = answer.indexOf('{', start + 1)
  }
  return null
}

/** Returns the offset after the brace that closes the one at `start`, or -1. Ignores braces inside JSON strings. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return -1
}
