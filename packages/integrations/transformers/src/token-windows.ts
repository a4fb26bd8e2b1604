/**
 * @module
 * Splits a string into tokens with the offsets of its words, and into windows that a model can read.
 */
import type { ModelTokenizer } from './library.ts'
import type { LoadedModel, LocalModel } from './local-model.ts'

/** A run of characters without white space, and its tokens. */
export interface Word {
  /** The offset in the text, in UTF-16 code units. */
  start: number
  end: number
  /** The index of its first token. */
  first: number
  /** The characters from the end of the previous word, as passed to the tokenizer. */
  chunk: string
}

/** The tokens of a string, without special tokens. */
export interface TokenizedText {
  ids: number[]
  words: Word[]
}

/** A range of tokens; `end` is exclusive. */
export interface TokenWindow {
  start: number
  end: number
}

/** The special tokens that a model reads around its input. */
export interface SpecialTokens {
  /** The ids before, between and after the strings; for one string, before and after it. */
  parts: number[][]
  /** The types of the tokens of a sample, special ones included. Each string of it has `textLength` tokens. */
  types: readonly number[]
  textLength: number
}

/**
 * Tokenizes a string word by word, each with the white space before it. Tokenizers split at white space, so these are the tokens of the
 * whole text, with known offsets.
 */
export function tokenizeWords(tokenizer: ModelTokenizer, text: string): TokenizedText {
  const known = new Map<string, number[]>()
  const ids: number[] = []
  const words: Word[] = []
  let before = 0
  for (const { 0: found, index } of text.matchAll(/\S+/g)) {
    const end = index + found.length
    const chunk = text.slice(before, end)
    let tokens = known.get(chunk)
    if (!tokens) {
      tokens = tokenizer.encode(chunk, { add_special_tokens: false })
      known.set(chunk, tokens)
    }
    words.push({ start: index, end, first: ids.length, chunk })
    for (const id of tokens) ids.push(id)
    before = end
  }
  return { ids, words }
}

/**
 * Returns windows of at most `size` tokens that together contain all tokens. A window ends before a word if one starts in its last
 * quarter. The next one starts `overlap` tokens earlier.
 */
export function tokenWindows({ ids, words }: TokenizedText, size: number, overlap = 0): TokenWindow[] {
  const starts = new Set(words.map(({ first }) => first))
  const windows: TokenWindow[] = []
  for (let start = 0; ; ) {
    const longest = start + size
    let end = ids.length
    if (longest < end) {
      end = longest
      while (end > longest - size / 4 && !starts.has(end)) end--
      if (!starts.has(end) || end <= start + overlap) end = longest
    }
    windows.push({ start, end })
    if (end === ids.length) return windows
    start = end - overlap
  }
}

/** @throws {ModelCallError} when the tokenizer does not put its special tokens around the strings. */
export function specialTokens(model: LocalModel, { tokenizer }: LoadedModel, pair = false): SpecialTokens {
  const inner = tokenizer.encode('a', { add_special_tokens: false })
  const { input_ids: ids, token_type_ids: types = [] } = tokenizer('a', {
    ...(pair && { text_pair: 'a' }),
    return_tensor: false,
    return_token_type_ids: true,
  })
  // `,101,97,102,` is `,101`, the text, and `102,`.
  const parts = `,${ids},`.split(`,${inner},`).map((part) => part.split(',').filter(Boolean).map(Number))
  if (inner.length === 0 || parts.length !== (pair ? 3 : 2))
    throw model.error('its tokenizer has special tokens in an unknown form', 'bad_request')
  return { parts, types, textLength: inner.length }
}
