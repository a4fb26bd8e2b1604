/**
 * @module
 * Finds the offsets of the tokens of a word, for tokenizers that do not report offsets.
 */

/** A range of a word, in UTF-16 code units; `end` is exclusive. */
export interface TokenPlace {
  start: number
  end: number
}

/** Characters that tokenizers remove, and characters that belong to the previous one. */
const dropped = /[\p{M}\p{Cc}\p{Cf}\p{Z}\uFFFD]/u
const attached = /^(?:\p{M}|\u200d)+/u

/**
 * Returns the range of each token. Tokens are compared without case, accents and marks, which many tokenizers remove. The range of an
 * unknown token is the text between the known ones; several in a row share a range. If tokens and word do not match, the range of every
 * token is the whole word.
 * @param tokens - as spelled in the vocabulary: `##ing`, `▁Bob`, `Ġcafé`.
 */
export function alignTokens(word: string, tokens: readonly string[], unknown: string | null | undefined): TokenPlace[] {
  return (
    byCharacters(word, tokens, unknown) ?? byBytes(word, tokens) ?? tokens.map(() => ({ start: 0, end: word.length }))
  )
}

/** Returns the comparable characters of a string, and the range of each in the string. */
function folded(text: string): { characters: string[]; starts: number[]; ends: number[] } {
  const characters: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const character of text) {
    const end = at + character.length
    for (const part of character.normalize('NFKD')) {
      if (dropped.test(part)) continue
      // Per character: in lower case, the final sigma of a whole word differs from that of a single letter.
      for (const lower of part.toLowerCase().replace('ς', 'σ')) {
        characters.push(lower)
        starts.push(at)
        ends.push(end)
      }
    }
    at = end
  }
  return { characters, starts, ends }
}

function byCharacters(
  word: string,
  tokens: readonly string[],
  unknown: string | null | undefined,
): TokenPlace[] | undefined {
  const { characters, starts, ends } = folded(word)
  const pieces = tokens.map((token) =>
    token === unknown ? null : folded(token.replace(/^##(?=.)|<\/w>$|▁/gu, '')).characters,
  )
  // Character range of each token. A token without one gets its range when the next aligned run is found.
  const ranges: [number, number][] = []
  let at = 0
  for (let index = 0; index < pieces.length; ) {
    let next = index
    while (next < pieces.length && pieces[next] === null) next++
    const waiting = next - index
    let end = next
    while (end < pieces.length && pieces[end] !== null) end++
    const run = pieces.slice(next, end) as string[][]
    const wanted = run.flat()
    const isLast = end === pieces.length
    const start = waiting === 0 ? at : isLast ? characters.length - wanted.length : find(characters, wanted, at + 1)
    if (start < at || !wanted.every((character, offset) => characters[start + offset] === character)) return undefined
    for (let count = 0; count < waiting; count++) ranges.push([at, start])
    at = start
    for (const piece of run) {
      ranges.push([at, at + piece.length])
      at += piece.length
    }
    index = end
  }
  if (at !== characters.length) return undefined
  return ranges.map(([first, last]) => {
    const start = starts[first] ?? word.length
    if (first === last) return { start, end: start }
    return { start, end: withAttached(word, ends[last - 1]!) }
  })
}

function find(characters: readonly string[], wanted: readonly string[], from: number): number {
  for (let start = from; start + wanted.length <= characters.length; start++)
    if (wanted.every((character, offset) => characters[start + offset] === character)) return start
  return -1
}

/** Byte-level tokens have one character per byte of the word, and of the white space before it. */
function byBytes(word: string, tokens: readonly string[]): TokenPlace[] | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let spelled = ''
  let at = 0
  for (const character of word) {
    const end = at + character.length
    for (const byte of new TextEncoder().encode(character)) {
      spelled += String.fromCharCode(byteCharacter(byte))
      starts.push(at)
      ends.push(end)
    }
    at = end
  }
  const joined = tokens.join('')
  if (!joined.endsWith(spelled)) return undefined
  let byte = spelled.length - joined.length
  return tokens.map((token) => {
    const start = starts[Math.max(0, byte)]!
    byte += token.length
    return { start, end: byte > 0 ? withAttached(word, ends[byte - 1]!) : start }
  })
}

/** Returns the character for a byte in byte-level vocabularies: the byte itself if it is printable, otherwise the next free character. */
function byteCharacter(byte: number): number {
  if (byte <= 32) return 256 + byte
  if (byte >= 127 && byte <= 160) return 289 + byte - 127
  return byte === 173 ? 323 : byte
}

function withAttached(word: string, end: number): number {
  return end + (attached.exec(word.slice(end))?.[0].length ?? 0)
}
