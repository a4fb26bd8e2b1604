/**
 * @module
 * Numbers that models write as strings.
 */

const INTEGER = /^\s*-?\d+\s*$/
const NUMERIC = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/

/** Returns the number in a string or a bigint; undefined if there is none, or if it would lose digits. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'bigint' && !(typeof value === 'string' && NUMERIC.test(value))) return undefined
  const number = Number(value)
  const isExact =
    Number.isSafeInteger(number) ||
    (Number.isFinite(number) && (!INTEGER.test(`${value}`) || BigInt(number) === BigInt(value)))
  return isExact ? number : undefined
}
