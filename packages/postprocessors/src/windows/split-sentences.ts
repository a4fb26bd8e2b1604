/**
 * @module
 * Splits a string into sentences without a language model.
 */
import { checkOption, required, text as string } from '@x/core/options'
import { sentenceEnds } from '@x/core-model/text'
import { newSegmenter } from '../segmenter.ts'

/**
 * Splits `text` into trimmed sentences, in order, without empty ones. No other text is dropped.
 * Text without capital letters is split too. A line end ends a sentence; a title, an abbreviation or an initial (`Dr. J. Smith`) does not.
 * The time is linear in the length.
 * @throws {ModelValidationError} if `lang` is not a language tag.
 * @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`.
 * @example
 * splitSentences('Dr. Smith came. He left.') // => ['Dr. Smith came.', 'He left.']
 */
export function splitSentences(text: string, lang = 'en'): string[] {
  checkOption('splitSentences', 'text', text, required(string))
  const sentences: string[] = []
  let start = 0
  for (const end of sentenceEnds(text, newSegmenter(lang, 'sentence', 'splitSentences'))) {
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  return sentences
}
