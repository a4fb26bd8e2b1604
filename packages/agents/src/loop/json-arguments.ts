/**
 * @module
 * The arguments of a call, which are strict JSON.
 */
import { isPlainObject, parseExactly } from '@x/core/values'
import type { ToolCall } from '../task/agent-event.ts'
import { quoted, ToolInputError } from '../tool/tool-errors.ts'
import type { ReadCallArguments } from './layer.ts'

/** Reads arguments that are strict JSON; the layer `lenientArguments` repairs others. */
export const argumentsOf: ReadCallArguments = ({ name, arguments: given }) => {
  const value: unknown = typeof given !== 'string' ? given : given.trim() === '' ? {} : jsonIn(given)
  if (isPlainObject(value)) return value
  throw new ToolInputError(name, [{ path: '', message: `expected a JSON object, received ${quoted(given)}` }])
}

/** Whether the arguments of a call are an object, or its JSON, in which no name is twice: a person would read one that does not count. */
export function hasJsonArguments({ arguments: given }: ToolCall): boolean {
  if (typeof given !== 'string') return true
  const value = jsonIn(given)
  return isPlainObject(value) && !repeatsName(given, value)
}

/** Returns the arguments of a call as an object; undefined if they cannot be read. */
export function readableArguments(call: ToolCall, read: ReadCallArguments): Record<string, unknown> | undefined {
  try {
    return read(call)
  } catch {
    return undefined
  }
}

/** Part of every number whose digits `JSON.parse` may lose. */
const LONG_NUMBER = /\d(?:\d{15}|[eE])/

/** Returns the value of JSON; undefined if it is none. */
function jsonIn(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? parseExactly(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an object in JSON has a name twice. @param value - of the JSON. */
function repeatsName(json: string, value: object): boolean {
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
