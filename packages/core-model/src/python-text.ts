/**
 * @module
 * JSON text as Python's `json.dumps` writes it: with blanks behind commas and colons, in ASCII, and with Python's form of floats.
 */
import { checkGiven, checkOption, type OptionCheck, required, text as string } from '@x/core/options'

/** A string, a number, or a sign between values. */
const token = /"(?:[^"\\]|\\[\s\S])*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[,:]/g
/** What Python escapes in strings in addition to JavaScript. */
const escaped = /[\x7f-\uffff]/g
/** Whether the first colon of a file has a blank behind it, and no line feed is before it. */
const beginning = /^\{ ?"(?:[^"\\]|\\.)*": /

/** Whether JSON text has the blanks of Python. */
export function isPythonText(text: string): boolean {
  return beginning.test(text)
}

/** Returns compact JSON text as Python writes it. */
export function pythonText(compact: string): string {
  checkOption('pythonText', 'compact', compact, required(string))
  return compact.replace(token, (found) => {
    if (found === ',' || found === ':') return `${found} `
    if (found[0] === '"') return found.replace(escaped, escape)
    return /[.eE]/.test(found) ? pythonNumber(Number(found)) : found
  })
}

const numbers: OptionCheck = (value) =>
  Array.isArray(value) && value.every(Number.isFinite) ? undefined : 'an array of numbers'

/** Returns a vector as JSON text: its numbers are floats, which Python writes with a fraction. */
export function pythonVector(vector: readonly number[]): string {
  checkGiven('pythonVector', { vector }, numbers)
  return `[${vector.map(pythonNumber).join(', ')}]`
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns a float as `repr` of Python writes it. */
function pythonNumber(value: number): string {
  const [digits, power] = value.toExponential().split('e') as [string, string]
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16)
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  const text = Object.is(value, -0) ? '-0' : String(value)
  return text.includes('.') ? text : `${text}.0`
}

/** Returns pieces of compact JSON text, none of which ends inside of a string, as Python writes them. */
export function* pythonPieces(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield pythonText(piece)
}
