/**
 * @module
 * Reads what a model says of a table.
 */
import { SummaryFormatError } from '../errors.ts'
import type { TableColumn, TableOutput } from './element.ts'

/** Opening braces looked at; an answer with more of them that are no object is not a summary. */
const MOST_TRIES = 100

/** The table output in the first complete JSON object of an answer. @throws {SummaryFormatError} */
export function readTableOutput(answer: string): TableOutput {
  const data = firstObject(answer)
  if (data === null) throw new SummaryFormatError(answer, 'there is no JSON object in the answer')
  const fail = (key: string): never => {
    throw new SummaryFormatError(answer, `${key} is missing or of the wrong kind`)
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

/** The first JSON object in a text that may hold other words around it. */
function firstObject(answer: string): Record<string, unknown> | null {
  let start = answer.indexOf('{')
  for (let tries = 0; start >= 0 && tries < MOST_TRIES; tries++) {
    const end = objectEnd(answer, start)
    if (end > 0) {
      try {
        return JSON.parse(answer.slice(start, end)) as Record<string, unknown>
      } catch {
        // Braces around something else; an object may still follow, or be inside.
      }
    }
    start = answer.indexOf('{', start + 1)
  }
  return null
}

/** Offset after the brace that closes the one at `start`, or -1; braces inside strings do not count. */
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
