/**
 * @module
 * Read the answer of a masking model: the masked text, and the mapping after its marker.
 */
import { PiiParseError } from '../errors.ts'

const marker = 'Output Mapping:'

/** A masked text and what its tags stand for. */
export interface MaskedText {
  text: string
  mapping: Record<string, unknown>
}

/**
 * The text before the first `Output Mapping:` of `answer`, trimmed, and the first JSON object after it.
 * Code fences and text around the object are ignored. The time is linear in the answer.
 * @throws {PiiParseError} when there is no marker, no object, or no valid JSON.
 */
export function readPiiAnswer(answer: string, className: string): MaskedText {
  const [text, mapping] = answer.split(marker, 2)
  if (mapping === undefined) throw new PiiParseError(className, answer, `has no "${marker}"`)
  const object = firstJsonObject(mapping)
  if (!object) throw new PiiParseError(className, answer, `has no JSON object after "${marker}"`)
  return { text: text!.trim(), mapping: object }
}

/** The first complete JSON object in `text` that is not part of another one, or undefined. */
function firstJsonObject(text: string): Record<string, unknown> | undefined {
  for (let start = text.indexOf('{'); start !== -1; ) {
    const end = endOfObject(text, start)
    if (end === -1) return undefined
    try {
      return JSON.parse(text.slice(start, end)) as Record<string, unknown>
    } catch {
      // Braces in a remark; an object may follow.
      start = text.indexOf('{', end)
    }
  }
  return undefined
}

/** The place after the bracket that closes the object at `start`; -1 when none does. */
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
