/**
 * @module
 * Parses the documents that a model chose, and their relevances.
 */
import { ChoiceParseError } from '../errors.ts'

/** The numbers of the chosen documents, starting at 1, and the relevance of each, in the order of the answer. */
export interface ChoiceSelection {
  choices: number[]
  relevances: number[]
}

/** A document number with optional Markdown, quotes and brackets around it, `#` before it and a full stop after it. */
const documentNumber = /^[\s*_`"'“”‘’()[\]#]*([+-]?[0-9]+)[\s*_`"'“”‘’()[\].]*$/
const decimal = /[0-9]+(?:\.[0-9]+)?/

/**
 * Parses the choices in `answer`: one per line of the form `Doc: 2, Relevance: 7.5`. The labels are ignored and a remark may
 * follow. Other lines are skipped; with `raiseError` they are errors. Numbers below 1 or above `numChoices` are skipped;
 * repetitions are kept.
 * @example
 * defaultParseChoiceSelectAnswerFn('Sure:\n**Doc: 2**, **Relevance: 9/10**', 5) // => { choices: [2], relevances: [9] }
 * @throws {ChoiceParseError} with `raiseError`, for the first line that has a different form.
 */
export function defaultParseChoiceSelectAnswerFn(
  answer: string,
  numChoices: number,
  raiseError = false,
): ChoiceSelection {
  const choices: number[] = []
  const relevances: number[] = []
  for (const line of answer.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const read = readLine(line)
    if (typeof read === 'string') {
      if (raiseError) throw new ChoiceParseError(line, read)
      continue
    }
    if (read.choice < 1 || read.choice > numChoices) continue
    choices.push(read.choice)
    relevances.push(read.relevance)
  }
  return { choices, relevances }
}

/** Returns the choice of a line, or the reason why the line contains none. */
function readLine(line: string): { choice: number; relevance: number } | string {
  const comma = line.indexOf(',')
  if (comma === -1) return 'the line has no comma'
  const left = line.slice(0, comma).split(':', 2)[1]
  const right = line.slice(comma + 1).split(':', 2)[1]
  if (left === undefined || right === undefined) return 'the line has no colon before or after the comma'
  const number = documentNumber.exec(left)?.[1]
  if (number === undefined) return 'the document number is not a number'
  const relevance = Number(decimal.exec(right)?.[0])
  if (!Number.isFinite(relevance)) return 'the relevance is not a number'
  return { choice: Number(number), relevance }
}
