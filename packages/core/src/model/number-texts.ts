/**
 * @module
 * How numbers were written in JSON, if JavaScript writes them in another form, such as `1.0`, `1.50` or `1e-05`: in
 * Node, Deno and Bun, `#number-texts` of the manifest.
 */

/** The key of a hidden property: how the numbers of an array or object were written, by key. Other copies of this package know it too. */
const numberTexts: unique symbol = Symbol.for('x-number-texts') as never

type Texts = Record<string, string>

const textsOf = (container: object): Texts | undefined => (container as { [numberTexts]?: Texts })[numberTexts]

/**
 * A number that `JSON.stringify` may write in another form: it writes no zeros at the end of a fraction, and exponents from -7 and from 21
 * on.
 */
const otherNumber =
  /(?:^|[\s,:[])-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?(?:E|e(?!-[7-9](?!\d)|-[1-9]\d|\+2[1-9]|\+[3-9]\d|\+\d{3})))/

/** Whether JSON contains, or may contain, a number that `JSON.stringify` writes in another form. */
export function hasOtherNumber(text: string): boolean {
  return otherNumber.test(text)
}

/** Returns the value of a number: a bigint for an integer. Stores its text in its container, if the value has another one. */
export function readNumber(text: string, container: object, key: string): unknown {
  return /^-?\d+$/.test(text) ? BigInt(text) : withNumberText(text, container, key)
}

/** Returns the value of a number that is not an integer. Stores its text in its container, which has no copies yet. */
export function withNumberText(text: string, container: object, key: string | number): number {
  const value = Number(text)
  if (String(value) !== text) {
    if (!textsOf(container)) setTexts(container, Object.create(null))
    textsOf(container)![key] = text
  }
  return value
}

/** Copies how numbers were written to a copy of an array or object, and returns the copy. */
export function keepNumberTexts<T extends object>(copy: T, from: object): T {
  const texts = textsOf(from)
  if (texts) setTexts(copy, texts)
  return copy
}

/** Whether it is known how a number in an array or object was written. */
export function hasNumberTexts(container: object): boolean {
  return numberTexts in container
}

/** Returns the text that a number was read from; undefined if it has the usual one, or was changed. */
export function numberTextAt(container: object, key: string | number): string | undefined {
  const text = textsOf(container)?.[key]
  return text !== undefined && Object.is(Number(text), (container as Record<string, unknown>)[key]) ? text : undefined
}

function setTexts(container: object, texts: Texts): void {
  Object.defineProperty(container, numberTexts, { value: texts, configurable: true })
}
