/**
 * @module
 * Numbers of front matter.
 */

/** Returns a number that is written with the same digits; undefined for any other source, such as `1.10`, `007` and `1e3`. */
export function plainNumber(source: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?$/.test(source)) return undefined
  const value = Number(source)
  // Greater integers are written with an exponent, or lose digits.
  const isExact = String(value) === source && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return isExact ? value : undefined
}
