/**
 * @module
 * Phrases in the answers of the stand-in.
 */
import type { Question } from './question.ts'

/** The maximum length of a quote; longer quotes are truncated. */
const LONGEST_QUOTE = 400

/** Returns the strings in quotation marks, separated by commas. */
export function listed(strings: readonly string[]): string {
  return strings.map((string) => `“${string}”`).join(', ')
}

/** Returns the subject of the question in quotation marks. */
export function quotedSubject({ subject, text }: Question): string {
  return listed(subject.length > 0 ? subject.map((word) => word.text) : [text])
}

/** Truncates a long quote. */
export function shortened(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')} …` : text
}

/** Whether an answer of the stand-in states that it is uncertain, or that nothing was found. */
export function isUncertain(answer: string): boolean {
  return /^(?:I found no|I cannot|No passage)/.test(answer)
}
