/**
 * @module
 * Read the documents that a model chose, and how relevant it finds them.
 */
import { ChoiceParseError } from '../errors.ts'

/** The chosen documents, counted from 1, and the relevance of each, in the order of the answer. */
export interface ChoiceSelection {
  choices: number[]
  relevances: number[]
}

/** What may stand around a document number: markdown, quotes, brackets, `#` before and a full stop after it. */
const documentNumber = /^[\s*_`"'“”‘’()[\]#]*([+-]?[0-9]+)[\s*_`"'“”‘’()[\].]*$/
const decimal = /[0-9]+(?:\.[0-9]+)?/

/**
 * The choices in `answer`, one per line of the form `Doc: 2, Relevance: 7.5`; the labels do not matter and a remark may follow.
 * Other lines are skipped as a whole, or with `raiseError` refused. A number below 1 or above `numChoices` is skipped; repetitions stay.
 * @example
 * defaultParseChoiceSelectAnswerFn('Sure:\n**Doc: 2**, **Relevance: 9/10**', 5) // => { choices: [2], relevances: [9] }
 * @throws {ChoiceParseError} with `raiseError`, for the first line that has another form.
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

/** The choice of a line, or why it holds none. */
function readLine(line: string): { choice: number; relevance: number } | string {
  const comma = line.indexOf(',')
  if (comma === -1) return 'a line has no comma'
  const left = line.slice(0, comma).split(':', 2)[1]
  const right = line.slice(comma + 1).split(':', 2)[1]
  if (left === undefined || right === undefined) return 'a line has no colon before or after the comma'
  const number = documentNumber.exec(left)?.[1]
  if (number === undefined) return 'a document number is not a number'
  const relevance = Number(decimal.exec(right)?.[0])
  if (!Number.isFinite(relevance)) return 'a relevance is not a number'
  return { choice: Number(number), relevance }
}
