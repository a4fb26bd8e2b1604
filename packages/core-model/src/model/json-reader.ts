/**
 * @module
 * A JSON reader for what `JSON.parse` cannot do: exact integers, `NaN` and infinities of Python, and the place of a fault.
 * It is several times slower, so it only reads text that needs it. Time is linear, depth is not limited.
 */

/** Text that is not JSON, or a number that is too large. */
export class JsonTextError extends SyntaxError {
  /** Where the text stops to fit, in UTF-16 code units from its start. */
  readonly position: number
  /** What was expected there, and what was received. */
  readonly reason: string

  constructor(text: string, position: number, reason: string) {
    const lines = text.slice(0, position).split('\n')
    super(`position ${position} (line ${lines.length}, column ${lines.at(-1)!.length + 1}): ${reason}`)
    this.position = position
    this.reason = reason
  }
}

const blanks = /[ \t\n\r]*/y
const numberLiteral = /-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const wordLiteral = /true|false|null|NaN|-?Infinity/y
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

type Container = unknown[] | Record<string, unknown>
type Value = Container | string | number | bigint | boolean | null

/** Integers with more digits are refused, as Python does: their conversion takes more than linear time. */
const maxDigits = 4300

/** Reads one text. */
export class JsonReader {
  private readonly text: string
  private readonly nonFinite: boolean
  private at = 0

  /** @param nonFinite - whether `NaN`, `Infinity` and `-Infinity` are values. */
  constructor(text: string, nonFinite: boolean) {
    this.text = text
    this.nonFinite = nonFinite
  }

  /** @throws {JsonTextError} */
  read(): unknown {
    const open: [container: Container, key: string][] = []
    for (;;) {
      let value = this.value()
      // A container that is not empty stays open; its first value comes next.
      if (typeof value === 'object' && value !== null && !this.closes(value)) {
        open.push([value, this.key(value)])
        continue
      }
      for (;;) {
        const parent = open.at(-1)
        if (parent === undefined) {
          if (this.peek() !== undefined) this.fail('the end of the text')
          return value
        }
        const [container, key] = parent
        put(container, key, value)
        if (this.takes(',')) {
          parent[1] = this.key(container)
          break
        }
        if (!this.closes(container)) this.fail(`"," or "${endOf(container)}"`)
        value = container
        open.pop()
      }
    }
  }

  /** The next character that is not white space. */
  private peek(): string | undefined {
    this.match(blanks)
    return this.text[this.at]
  }

  private takes(character: string): boolean {
    if (this.peek() !== character) return false
    this.at++
    return true
  }

  private closes(container: Container): boolean {
    return this.takes(endOf(container))
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  /** A value without parts, or an empty container. */
  private value(): Value {
    if (this.takes('[')) return []
    if (this.takes('{')) return {}
    if (this.peek() === '"') return this.string()
    const start = this.at
    const number = this.match(numberLiteral)
    if (number) return this.number(start, number[0], number[1] === '')
    const word = this.match(wordLiteral)?.[0]
    if (word === undefined) return this.fail('a value')
    const known = words[word]
    if (known !== undefined) return known
    if (this.nonFinite) return Number(word)
    this.at = start
    return this.fail('a value', `${word}, which JSON does not have`)
  }

  private number(start: number, literal: string, isInteger: boolean): number | bigint {
    const value = Number(literal)
    const isExact = !isInteger || Number.isSafeInteger(value)
    if (isExact ? Number.isFinite(value) : literal.length <= maxDigits) return isExact ? value : BigInt(literal)
    this.at = start
    return this.fail('a number that a double can represent', `a number of ${literal.length} characters`)
  }

  /** The key before a value; empty in an array. */
  private key(container: Container): string {
    if (Array.isArray(container)) return ''
    if (this.peek() !== '"') this.fail('a key in double quotes')
    const key = this.string()
    if (!this.takes(':')) this.fail('":"')
    return key
  }

  private string(): string {
    const start = this.at
    let end = start
    do {
      end = this.text.indexOf('"', end + 1)
      if (end < 0) {
        this.at = this.text.length
        this.fail('the end of a string')
      }
    } while (this.isEscaped(end))
    this.at = end + 1
    const literal = this.text.slice(start, this.at)
    try {
      return JSON.parse(literal)
    } catch {
      // The first escape sequence that JSON does not have, or control character.
      for (const { 0: found, index } of literal.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?|[\0-\x1f]/g)) {
        if (found.length > 1) continue
        this.at = start + index
        break
      }
      return this.fail(this.text[this.at] === '\\' ? 'an escape sequence of JSON' : 'no control character in a string')
    }
  }

  /** Whether an odd number of backslashes stands before a position. */
  private isEscaped(position: number): boolean {
    let start = position
    while (this.text[start - 1] === '\\') start--
    return (position - start) % 2 === 1
  }

  private fail(expected: string, received = this.received()): never {
    throw new JsonTextError(this.text, this.at, `expected ${expected}, received ${received}`)
  }

  /** The character at the fault. More is not repeated, because it may be a user's data. */
  private received(): string {
    const code = this.text.codePointAt(this.at)
    return code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code))
  }
}

function put(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  else if (key !== '__proto__') container[key] = value
  // An ordinary key in JSON.
  else Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}

function endOf(container: Container): string {
  return Array.isArray(container) ? ']' : '}'
}
