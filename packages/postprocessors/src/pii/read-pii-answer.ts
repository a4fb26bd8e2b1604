/**
 * @module
 * Parses the answer of a masking model: its version of the text, and the mapping after a marker.
 */

import { jsonEnd, parseExactly } from '@x/core/values'
import { withoutThinking } from '@x/core-model/text'
import { PiiParseError } from '../errors.ts'

/** `Output Mapping:` in any case, with or without Markdown. Every repetition is bounded, so that the time is linear. */
const marker =
  /output[ _-]?mapping\b[*_`]{0,8}[ \t]{0,8}(?:\([^()\n]{0,40}\))?[*_`]{0,8}[ \t]{0,8}(?::|(?=\s{0,8}[`{]))[*_`]{0,8}/i

/** A masked string and the mapping from its tags to originals. */
export interface MaskedText {
  text: string
  mapping: Record<string, unknown>
}

/**
 * Returns the text before the first `Output Mapping:` of `answer`, trimmed, and the first JSON object after it. The marker may be in any
 * case and formatted as Markdown. Thinking blocks, code fences and text around the object are ignored; single quotes and a trailing comma
 * in it are accepted. The time is linear in the length of the answer.
 * @throws {PiiParseError} if the marker or a valid JSON object is missing.
 */
export function readPiiAnswer(answer: string, className: string): MaskedText {
  const [text, mapping] = withoutThinking(answer).split(marker, 2)
  if (mapping === undefined) throw new PiiParseError(className, answer, 'has no "Output Mapping:"')
  const object = firstObject(mapping, '"', parseExactly) ?? firstObject(mapping, `"'“`, parseLoosely)
  if (!object) throw new PiiParseError(className, answer, 'has no JSON object after "Output Mapping:"')
  return { text: withoutHeadingMarks(text!).trim(), mapping: object }
}

/** Returns `text` without the Markdown before the marker, such as `## `. */
function withoutHeadingMarks(text: string): string {
  let end = text.length
  while (end > 0 && '#*_`> \t'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Returns the first complete top-level object in `text` that can be parsed, or undefined. */
function firstObject(
  text: string,
  quotes: string,
  parse: (object: string) => unknown,
): Record<string, unknown> | undefined {
  for (let start = text.indexOf('{'); start !== -1; ) {
    const end = jsonEnd(text, start, quotes)
    if (end === -1) return undefined
    try {
      return parse(text.slice(start, end)) as Record<string, unknown>
    } catch {
      // Not JSON, such as braces in a remark; an object may follow.
      start = text.indexOf('{', end)
    }
  }
  return undefined
}

/** Parses JSON with single or typographic quotes and trailing commas. */
function parseLoosely(object: string): unknown {
  const strict = object.replace(
    // A string without an end reaches to the end of the text, so that no part of it is searched again.
    /"(?:[^"\\]|\\.)*(?:"|\\?$)|'((?:[^'\\]|\\.)*)('|\\?$)|“([^“”]*)”|,(?=\s*[}\]])/gs,
    (found: string, single?: string, end?: string, curly?: string) => {
      if (found === ',') return ''
      if (single !== undefined && end === "'")
        return `"${single.replaceAll("\\'", "'").replaceAll(/(\\.)|"/gs, (_, escape?: string) => escape ?? '\\"')}"`
      return curly === undefined ? found : JSON.stringify(curly)
    },
  )
  return parseExactly(strict)
}
