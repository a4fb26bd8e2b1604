/**
 * @module
 * Counts the tokens of strings.
 */
import type { Tokenizer } from '@x/core-model'
import { countTokens as countTokensBy } from '@x/core-model/text'

/** Counts the tokens of a slice of one string. */
export type CountTokens = (start: number, end: number) => number

/** Returns a counter for slices of `text`. Without a tokenizer it assumes one token per 4 UTF-8 bytes, rounded up. */
export function tokenCounter(text: string, start: number, end: number, tokenizer: Tokenizer | null): CountTokens {
  if (tokenizer !== null) return (from, to) => countTokensBy(text.slice(from, to), tokenizer)
  // The number of bytes before each character, so that each slice takes constant time. Computed for the first partial slice.
  let bytes: Uint32Array | undefined
  return (from, to) => {
    if (bytes === undefined && from === start && to === end) return Math.ceil(byteLength(text, start, end) / 4)
    bytes ??= bytesBefore(text, start, end)
    return Math.ceil(((bytes[to - start] as number) - (bytes[from - start] as number)) / 4)
  }
}

/** Returns the number of tokens of a string. */
export function countTokens(text: string, tokenizer: Tokenizer | null): number {
  return tokenCounter(text, 0, text.length, tokenizer)(0, text.length)
}

function byteLength(text: string, start: number, end: number): number {
  let length = 0
  for (let at = start; at < end; at++) length += bytesOf(text, at)
  return length
}

function bytesBefore(text: string, start: number, end: number): Uint32Array {
  const bytes = new Uint32Array(end - start + 1)
  for (let at = start; at < end; at++) bytes[at - start + 1] = (bytes[at - start] as number) + bytesOf(text, at)
  return bytes
}

/** Returns the number of UTF-8 bytes of a code unit; each half of a surrogate pair counts as two of its four bytes. */
function bytesOf(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 0x80 ? 1 : code < 0x800 ? 2 : isPaired(text, at, code) ? 2 : 3
}

function isPaired(text: string, at: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdfff) return false
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1)
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff
}
