/**
 * @module
 * Numbers in bundles for browsers, which forget how they were written: `#number-texts` of the manifest.
 */
const no = () => false

/** Returns the value of an integer. */
export function readNumber(text: string): unknown {
  return BigInt(text)
}

/** Returns the copy. */
export function keepNumberTexts<T extends object>(copy: T): T {
  return copy
}

/** Returns undefined. */
export function numberTextAt(): undefined {}

/** Returns the value of a number. */
export function withNumberText(text: string): number {
  return Number(text)
}

export { no as hasNumberTexts, no as hasOtherNumber }
