/**
 * @module
 * Converts metadata values to text as Python prints them, so that contents, embeddings and hashes agree with LlamaIndex for Python.
 */
import { SerializationError } from '@x/core'
import { adviceFor, kindOf, lazy, mapItems, maxLevels, numberTextAt, type Path, pathText } from '@x/core/values'

/**
 * Returns the text of a value at top level: strings unchanged.
 * @param path - the path of the value, for errors.
 * @throws {SerializationError} for a value that is not JSON data, which an assignment may have put there: two different dates would
 * have the same text and the same hash.
 */
export function valueText(value: unknown, path: Path = ['metadata']): string {
  return typeof value === 'string' ? value : quotedText(value, path)
}

/**
 * Returns the text of the value of a key: strings unchanged, a number that was read from `1.0` as such. @throws {SerializationError} like
 * `valueText`.
 */
export function entryText(data: Readonly<Record<string, unknown>>, key: string, path: Path): string {
  const value = data[key]
  return typeof value === 'number' ? numberText(value, isFloatAt(data, key)) : valueText(value, path)
}

/** Whether a number was read from the text of a float. */
const isFloatAt = (data: object, key: string | number): boolean => numberTextAt(data, key) !== undefined

/** Returns the text of a value inside an array or object: strings quoted. @throws {SerializationError} like `valueText`. */
export function quotedText(value: unknown, path: Path = ['metadata']): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'bigint') return String(value)
  const itemText = (item: unknown, key: string | number): string | undefined =>
    typeof item === 'number'
      ? numberText(item, isFloatAt(value as object, key))
      : item === undefined && typeof key === 'string'
        ? item
        : quotedText(item, path)
  const isTooDeep = path.length > maxLevels
  const items = isTooDeep ? undefined : mapItems(value, itemText, path)
  // The path of circular data is as long as the limit.
  if (items === undefined)
    throw new SerializationError(
      pathText(isTooDeep ? path.slice(0, 3) : path),
      `${kindOf(value)} has no JSON form; ${adviceFor(value)}`,
    )
  if (Array.isArray(items)) return `[${items.join(', ')}]`
  const entries = Object.entries(items).filter(([, item]) => item !== undefined)
  return `{${entries.map(([key, item]) => `${quote(key)}: ${item}`).join(', ')}}`
}

function numberText(value: number, isFloat = false): string {
  if (Number.isSafeInteger(value)) return isFloat ? `${Object.is(value, -0) ? '-' : ''}${value}.0` : String(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const [digits, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** What is escaped in a string between each of the quotation marks. */
const escaped = /* @__PURE__ */ lazy(() => {
  const within = (mark: string) => new RegExp(String.raw`(?! )[\\${mark}\p{C}\p{Z}]`, 'gu')
  return { "'": within("'"), '"': within('"') }
})

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(escaped()[mark], (character) => {
    if (character === mark) return `\\${character}`
    const known = escapes[character]
    if (known !== undefined) return known
    const code = character.codePointAt(0)!
    const hex = code.toString(16)
    return code < 0x100
      ? `\\x${hex.padStart(2, '0')}`
      : code < 0x10000
        ? `\\u${hex.padStart(4, '0')}`
        : `\\U${hex.padStart(8, '0')}`
  })
  return mark + body + mark
}
