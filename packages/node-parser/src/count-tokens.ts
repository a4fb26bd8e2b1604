/**
 * @module
 * How long a piece of text is, in tokens.
 */

/** Gives the tokens of a text; only their number matters. */
export type Tokenizer = (text: string) => ArrayLike<unknown>

/** Counts the tokens of slices of one text. */
export type CountTokens = (start: number, end: number) => number

/** Counts with a tokenizer, or assumes one token per 4 UTF-8 bytes, rounded up. */
export function tokenCounter(text: string, start: number, end: number, tokenizer: Tokenizer | null): CountTokens {
  if (tokenizer !== null) return (from, to) => tokenizer(text.slice(from, to)).length
  // Bytes before each character, so that every slice costs the same; made when more than the whole is asked for.
  let bytes: Uint32Array | undefined
  return (from, to) => {
    if (bytes === undefined && from === start && to === end) return Math.ceil(byteLength(text, start, end) / 4)
    bytes ??= bytesBefore(text, start, end)
    return Math.ceil(((bytes[to - start] as number) - (bytes[from - start] as number)) / 4)
  }
}

/** Number of tokens of a whole text. */
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

/** UTF-8 bytes of a code unit; each half of a surrogate pair stands for two of its four. */
function bytesOf(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 0x80 ? 1 : code < 0x800 ? 2 : isPaired(text, at, code) ? 2 : 3
}

function isPaired(text: string, at: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdfff) return false
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1)
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff
}
