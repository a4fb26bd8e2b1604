/**
 * @module
 * The text of metadata values in contents and hashes: the form that Python prints, so that texts, embeddings and hashes of both
 * libraries agree.
 */
import { lazy } from '../lazy.ts'

/** Returns the text of a value at top level: strings unchanged. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : quotedText(value)
}

/** Returns the text of a value inside an array or object: strings quoted. */
export function quotedText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value)) return `[${value.map(quotedText).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${quote(key)}: ${quotedText(item)}`)
      .join(', ')}}`
  return String(value)
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(Object.is(value, -0) ? 0 : value)
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

const escaped = /* @__PURE__ */ lazy(() => {
  const invisible = String.raw`\p{C}\p{Z}`
  return new RegExp(String.raw`[\\'"${invisible}]`, 'gu')
})

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(escaped(), (character) => {
    if (character === ' ' || ((character === "'" || character === '"') && character !== mark)) return character
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
