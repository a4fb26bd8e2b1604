/**
 * @module
 * How the stand-in puts things.
 */
import type { Question } from './question.ts'

/** Longer quotes are cut. */
const LONGEST_QUOTE = 400

/** The texts in quotes, one after the other. */
export function listed(texts: readonly string[]): string {
  return texts.map((text) => `“${text}”`).join(', ')
}

/** What the question is about. */
export function quotedSubject({ subject, text }: Question): string {
  return listed(subject.length > 0 ? subject.map((word) => word.text) : [text])
}

/** A text of bearable length. */
export function shortened(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')} …` : text
}
