/**
 * @module
 * Check digits that several kinds of numbers share.
 */

/** Whether the last digit is the check digit of the others by the Luhn algorithm (ISO/IEC 7812): cards and several national ids. */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place])
    const doubled = place % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Whether the last digit is the check digit of the number of an article (GS1: EAN). */
export function isEan(digits: string): boolean {
  return weighted(digits, [1, 3]) % 10 === 0
}

/** Returns the sum of the digits, each multiplied by its weight; the weights repeat. */
export function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let place = 0; place < digits.length; place++) sum += Number(digits[place]) * weights[place % weights.length]!
  return sum
}

/** Returns a number of any length modulo a small one. Letters are numbers from 10, as in IBANs. */
export function modulo(digits: string, divisor: number): number {
  let remainder = 0
  for (const char of digits)
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % divisor
  return remainder
}
