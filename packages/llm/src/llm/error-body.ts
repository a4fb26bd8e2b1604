/**
 * @module
 * Reads what servers write about their errors, in bodies and in the events of streams.
 */
import { jsonOr } from '@x/core/values'

/** What a server wrote about an error. */
export interface ErrorBody {
  /** Its text; null if none was found. */
  message: string | null
  /** Its code or type, such as `context_length_exceeded`. */
  code: string | null
  /** The HTTP status that it names, or that its code means; 500 if neither is known. */
  status: number
}

type Data = Readonly<Record<string, unknown>>

/** How deep a message is looked for. */
const DEPTH = 4

/** The names under which servers write the text. */
const textNames: readonly string[] = [
  'message',
  'msg',
  'detail',
  'error_msg',
  'error_message',
  'errorMessage',
  'status_msg',
  'errors',
]

/**
 * Reads an error: `{ error: { message, code, type } }`, `{ error: 'text' }`, `{ message }`, `{ detail }`, an array of those, or a string.
 * @param given - JSON text or its value.
 */
export function errorBody(given: unknown): ErrorBody {
  const data = typeof given === 'string' ? parsed(given) : given
  const found = errorIn(data) ?? {}
  const code = [found['code'], found['type'], found['error_code'], found['status']].find(isText)
  const named = ['code', 'status', 'status_code', 'statusCode', 'error_code'].map((name) => Number(found[name]))
  return {
    message: textIn(data, DEPTH),
    code: code ?? null,
    status: named.find((value) => value >= 400 && value < 600) ?? statusOf(code),
  }
}

/**
 * Returns the part of an object of a stream that reports an error instead of a piece of an answer; null if there is none. The Responses
 * interface reports errors in the response that failed, and some servers in the choice.
 */
export function errorPartOf(data: Data): Data | null {
  const { response, choices } = data as { response?: Data; choices?: readonly (Data | null)[] }
  const inner = [response, Array.isArray(choices) ? choices[0] : null].find((it) => it?.['error'])
  if (inner) return inner
  if (data['error'] || data['success'] === false || data['type'] === 'error' || data['object'] === 'error') return data
  if (['choices', 'output', 'data', 'id', 'type', 'object'].some((name) => data[name])) return null
  return textIn(data, DEPTH) === null ? null : data
}

/** Returns the innermost object with the properties of an error. */
function errorIn(data: unknown): Data | null {
  if (Array.isArray(data)) return errorIn(data[0])
  if (typeof data !== 'object' || data === null) return null
  const { error, detail, base_resp: base } = data as Data
  return errorIn(error) ?? errorIn(base) ?? (Array.isArray(detail) ? errorIn(detail) : null) ?? (data as Data)
}

function textIn(data: unknown, depth: number): string | null {
  if (isText(data)) return data
  if (typeof data !== 'object' || data === null || depth < 0) return null
  if (Array.isArray(data)) {
    const texts = data.slice(0, 8).map((item) => textIn(item, depth - 1))
    return texts.filter((text) => text !== null).join('; ') || null
  }
  const fields = data as Data
  const inner = ['error', 'base_resp', ...textNames].map((name) => textIn(fields[name], depth - 1))
  const text = inner.find((found) => found !== null)
  if (text === undefined) return null
  const { loc } = fields
  return Array.isArray(loc) ? `${loc.join('.')}: ${text}` : text
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Returns a status for errors that have only a name. */
function statusOf(code = ''): number {
  if (/rate_?limit|quota|too_many|resource_exhausted/i.test(code)) return 429
  if (/auth|api_key|permission/i.test(code)) return 401
  if (/timeout|deadline_exceeded/i.test(code)) return 408
  return /invalid|context_length|content_filter|content_policy|bad_?request/i.test(code) ? 400 : 500
}

/** Returns the value of JSON text, and text that is not JSON as it is, unless it is a page. */
function parsed(text: string): unknown {
  return jsonOr(text, /^\s*</.test(text) || text.length > 2000 ? null : text)
}
