/**
 * @module
 * The texts that are encoded as base64 in a string: bodies of mails, tokens, data addresses and secrets of configurations.
 */
import { lazy } from '@x/core/values'
import { fromBase64 } from '@x/core-model/data'
import type { Range } from './plain-signs.ts'
import { replaceRanges, sourceRange } from './read-encoded.ts'

/** A text that is encoded in a string. */
interface EncodedText {
  text: string
  /** Returns ascending ranges of the text with their places in the string: the groups of four signs that encode them, each once. */
  placesOf<T extends Range>(ranges: readonly T[]): T[]
}

const forms = /* @__PURE__ */ lazy(() => ({
  /** Lines of a body, or a run of either alphabet; longer ones are several. */
  encoded: /(?:[A-Za-z\d+/]{40,76}\r?\n){1,500}|[\w+/-]{12,40000}/g,
  lastLine: /[A-Za-z\d+/]{1,76}/y,
  /** The bytes of a text without control characters; the first and the last character may be cut. */
  text: /^[\x80-\xBF]{0,3}(?:[\t\n\r\x20-\x7E]|[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3})*(?:[\xC2-\xF4][\x80-\xBF]{0,2})?$/,
  control: /[^\P{Cc}\t\n\r]/u,
}))

/** So many signs are decoded first: most words, hashes and images are not even the beginning of a text. */
const FIRST = 12

/** Returns the texts that are encoded as base64. Bytes that are not text, such as images, are left out. */
export function base64Texts(source: string): EncodedText[] {
  return runsIn(source).flatMap(({ start, end }) => {
    const encoded = source.slice(start, end)
    const breaks = [...encoded.matchAll(/\r?\n/g)].map(({ 0: sign, index }) => ({
      start: index,
      end: index + sign.length,
      by: '',
    }))
    const read = breaks.length > 0 ? replaceRanges(encoded, breaks) : { text: encoded }
    const signs = read.text.replaceAll('-', '+').replaceAll('_', '/')
    // A window of a long string may begin within a group.
    for (let skipped = 0; skipped < (start === 0 ? 4 : 1); skipped++) {
      const whole = decoded(signs.slice(skipped))
      if (whole === undefined) continue
      const { text, before } = whole
      return {
        text,
        placesOf: (ranges) => {
          let [at, bytes, last] = [0, before, 0]
          const bytesUntil = (offset: number) => {
            bytes += new TextEncoder().encode(text.slice(at, offset)).length
            at = offset
            return bytes
          }
          return ranges.flatMap((range) => {
            const from = Math.max(last, skipped + Math.floor(bytesUntil(range.start) / 3) * 4)
            last = Math.min(signs.length, skipped + Math.ceil(bytesUntil(range.end) / 3) * 4)
            if (from >= last) return []
            const place = sourceRange(read, from, last)
            return { ...range, start: start + place.start, end: start + place.end }
          })
        },
      }
    }
    return []
  })
}

/** Returns the places of what may be base64. */
function runsIn(source: string): Range[] {
  const { encoded, lastLine } = forms()
  const runs: Range[] = []
  for (const { 0: found, index } of source.matchAll(encoded)) {
    const last = runs.at(-1)
    if (last?.end === index) last.end += found.length
    else runs.push({ start: index, end: index + found.length })
  }
  for (const run of runs) {
    lastLine.lastIndex = run.end
    if (source[run.end - 1] === '\n' && lastLine.test(source)) run.end = lastLine.lastIndex
  }
  return runs
}

/** Returns the text of base64, and how many bytes of a cut character are before it; undefined if it is no text. */
function decoded(signs: string): { text: string; before: number } | undefined {
  if (!forms().text.test(atob(wholeBytes(signs.slice(0, FIRST))))) return undefined
  const bytes = fromBase64(wholeBytes(signs))
  const before = Math.max(
    0,
    bytes.subarray(0, 3).findIndex((byte) => byte >> 6 !== 2),
  )
  try {
    // The last character may be cut too.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(before), {
      stream: true,
    })
    return forms().control.test(text) ? undefined : { text, before }
  } catch {
    return undefined
  }
}

/** Returns signs without a last one that encodes no whole byte. */
const wholeBytes = (signs: string): string => (signs.length % 4 === 1 ? signs.slice(0, -1) : signs)
