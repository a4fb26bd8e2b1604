/**
 * @module
 * Finds named entities by the labels of tokens, for models and runtimes that report tokens without offsets.
 */
import { checkOption, listOf, required, text as string } from '@x/core/options'
import { alignTokens } from './align-tokens.ts'

/** The label that a token classification model returns for a token. */
export interface TokenLabel {
  /** `O` outside of entities, otherwise a kind with or without a prefix: `B-PER`, `I-PER`, `PER`. */
  label: string
  /** The probability of the label. */
  score: number
}

/** A run of characters without white space, with the labels that a model assigned. */
export interface LabelledWord {
  /** The start offset, in UTF-16 code units. */
  start: number
  /** The end offset (exclusive), in UTF-16 code units. */
  end: number
  /** One label per token. */
  labels: readonly TokenLabel[]
  /** Returns the tokens as spelled in the vocabulary: `##ing`, `▁Bob`, `Ġcafé`. Called for words with a label other than `O`. */
  tokens: () => readonly string[]
}

/** An entity with its offsets. */
export interface RecognizedEntity {
  /** The kind: `PER`, `LOC`. */
  entity_group: string
  /** The entity as spelled in the text. */
  word: string
  /** The start offset, in UTF-16 code units. */
  start: number
  /** The end offset (exclusive), in UTF-16 code units. */
  end: number
  /** The mean probability of its words, between 0 and 1. */
  score: number
}

/** A word, a part of one between punctuation marks, or a character of a script without spaces. */
interface Part extends TokenLabel {
  start: number
  end: number
}

const letter = /[\p{L}\p{N}\p{M}]/u
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/u

/**
 * Returns the entities of a string in order, with their exact offsets, by the tokens of its words. `B-` and `S-` start an entity; `I-`,
 * `E-` and labels without a prefix continue one of their kind, or start one. An entity contains whole words: a word is part of it when
 * one of its tokens is. In scripts without spaces it contains whole characters.
 * @param unknownToken - the spelling of unknown tokens in the vocabulary, such as `[UNK]`.
 * @example
 * const [outside, person] = ['O', 'B-PER'].map((label) => ({ label, score: 0.9 }))
 * const words = [
 *   { start: 0, end: 3, labels: [outside], tokens: () => ['ask'] },
 *   { start: 4, end: 10, labels: [person, outside, outside], tokens: () => ['bob', '##by', '?'] },
 * ]
 * entitiesFromTokens('Ask Bobby?', words) // => [{ entity_group: 'PER', word: 'Bobby', start: 4, end: 9, score: 0.9 }]
 */
export function entitiesFromTokens(
  text: string,
  words: readonly LabelledWord[],
  unknownToken?: string | null,
): RecognizedEntity[] {
  checkOption('entitiesFromTokens', 'text', text, required(string))
  checkOption('entitiesFromTokens', 'words', words, listOf('a word with its label'))
  const entities: (RecognizedEntity & { parts: number })[] = []
  let open: (typeof entities)[number] | undefined
  for (const word of words) {
    if (word.labels.every(({ label }) => label === 'O')) {
      if (word.labels.length > 0) open = undefined
      continue
    }
    for (const { label, score, start, end } of partsOf(text, word, unknownToken)) {
      const [, prefix, group = label] = /^(?:([BIES])-)?(.*)$/s.exec(label) ?? []
      if (label === 'O') open = undefined
      else if (open?.entity_group === group && prefix !== 'B' && prefix !== 'S') {
        open.end = end
        open.score += score
        open.parts++
      } else {
        open = { entity_group: group, word: '', start, end, score, parts: 1 }
        entities.push(open)
      }
    }
  }
  return entities.map(({ parts, ...entity }) => ({
    ...entity,
    word: text.slice(entity.start, entity.end),
    score: entity.score / parts,
  }))
}

/** Returns the parts of a word. The label of a part is that of its first token that has one. */
function partsOf(
  text: string,
  { start: from, end: until, labels, tokens }: LabelledWord,
  unknown?: string | null,
): Part[] {
  const content = text.slice(from, until)
  const spelled = tokens()
  const places = spelled.length === labels.length ? alignTokens(content, spelled, unknown) : []
  const parts: Part[] = []
  for (const [index, { label, score }] of labels.entries()) {
    const start = from + (places[index]?.start ?? 0)
    const end = from + (places[index]?.end ?? content.length)
    const last = parts.at(-1)
    if (last && (start < last.end || (start === last.end && isInsideWord(text, start)))) {
      last.end = Math.max(last.end, end)
      if (last.label === 'O') Object.assign(last, { label, score })
    } else if (end > start) parts.push({ label, score, start, end })
  }
  return parts
}

/** Whether a position is between two letters or digits of one word. */
function isInsideWord(text: string, place: number): boolean {
  const before = lastCharacter(text, place)
  const after = String.fromCodePoint(text.codePointAt(place) ?? 0)
  return letter.test(before) && letter.test(after) && !unspaced.test(before) && !unspaced.test(after)
}

function lastCharacter(text: string, end: number): string {
  return [...text.slice(Math.max(0, end - 2), end)].at(-1) ?? ''
}
