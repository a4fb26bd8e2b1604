/**
 * @module
 * Parses the answer of a masking model: the masked string, and the mapping after its marker.
 */
import { PiiParseError } from '../errors.ts'

const marker = 'Output Mapping:'

/** A masked string and the mapping from its tags to originals. */
export interface MaskedText {
  text: string
  mapping: Record<string, unknown>
}

/**
 * Returns the text before the first `Output Mapping:` of `answer`, trimmed, and the first JSON object after it.
 * Code fences and text around the object are ignored. The time is linear in the length of the answer.
 * @throws {PiiParseError} when the marker or a valid JSON object is missing.
 */
export function readPiiAnswer(answer: string, className: string): MaskedText {
  const [text, mapping] = answer.split(marker, 2)
  if (mapping === undefined) throw new PiiParseError(className, answer, `has no "${marker}"`)
  const object = firstJsonObject(mapping)
  if (!object) throw new PiiParseError(className, answer, `has no JSON object after "${marker}"`)
  return { text: text!.trim(), mapping: object }
}

/** Returns the first complete top-level JSON object in `text`, or undefined. */
function firstJsonObject(text: string): Record<string, unknown> | undefined {
  for (let start = text.indexOf('{'); start !== -1; ) {
    const end = endOfObject(text, start)
    if (end === -1) return undefined
    try {
      return JSON.parse(text.slice(start, end)) as Record<string, unknown>
    } catch {
      // Not JSON, such as braces in a remark; an object may follow.
      start = text.indexOf('{', end)
    }
  }
  return undefined
}

/** Returns the position after the bracket that closes the object at `start`; -1 when it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at + 1
  }
  return -1
}
