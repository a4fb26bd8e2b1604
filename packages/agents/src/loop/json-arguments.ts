/**
 * @module
 * Arguments that are strict JSON.
 */
import { parseExactly } from '@x/core/values'

/** Part of every number whose digits `JSON.parse` may lose. */
const LONG_NUMBER = /\d(?:\d{15}|[eE])/

/** Returns the value of JSON; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? parseExactly(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an object in JSON has a name twice. @param value - of the JSON. */
export function repeatsName(json: string, value: object): boolean {
  return namesIn(json) > keysOf(value)
}

/** Returns the number of the colons outside of strings. */
function namesIn(json: string): number {
  let count = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (char === '"') isText = !isText
    else if (isText && char === '\\') i++
    else if (!isText && char === ':') count++
  }
  return count
}

/** Returns the number of the keys at any depth: without recursion, because a model may nest as deep as it likes. */
function keysOf(value: object): number {
  let count = 0
  const open: unknown[] = [value]
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue
    const items = Object.values(one)
    if (!Array.isArray(one)) count += items.length
    for (const item of items) open.push(item)
  }
  return count
}
