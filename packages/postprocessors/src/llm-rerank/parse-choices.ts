/**
 * @module
 * Parses the documents that a model chose, and their relevances.
 */

import { checkOption, required, text as string } from '@x/core/options'
import { withoutThinking } from '@x/core-model/text'
import { ChoiceParseError } from '../errors.ts'
import {
  pairIn,
  type ReadPair,
  readLabelled,
  readRanking,
  readTable,
  readUnlabelled,
  withLevels,
} from './choice-forms.ts'
import { readJson } from './choice-json.ts'

/** The numbers of the chosen documents, starting at 1, and the relevance of each, in the order of the answer. */
export interface ChoiceSelection {
  choices: number[]
  relevances: number[]
}

/** A document number or range with optional Markdown, quotes and brackets around it, `#` before it and a full stop after it. */
const documentNumber = /^[\s*_`"'“”‘’()[\]#]*([+-]?[0-9]+(?:[-–][0-9]+)?)[\s*_`"'“”‘’()[\].]*$/

/** The answers of models that choose nothing. */
const nothing =
  /\b(?:none|nothing|neither|no (?:\w{1,20} ){0,3}(?:documents?|docs?|passages?|results?|matches|one|relevan\w+)|not relevant|irrelevant|n\/a|keine?[rs]?|nichts|aucune?|ningun[oa]|nessun[oa]?)\b|没有|沒有|无相关|なし|없|\[\s{0,9}\]|\{\s{0,9}\}|^\s*(?:no|null|0|-+|[无無])[.!]?\s*$/i

/**
 * Parses the choices in `answer`, such as one line `Doc: 2, Relevance: 7.5` per document. Also accepts several pairs per line, two lines
 * per pair, JSON, tables, lists and full-width signs. A relevance may have a sign, a decimal comma or an exponent; of a range such as
 * `7-8`, the first number counts; in an answer without such numbers, the words high, medium and low count as 9, 5 and 2. `Doc: 1-3` and
 * `Doc: 1, 2 and 3` name three documents; of `Rank 1: Doc 3`, the relevance is 1. Thinking blocks and other lines are skipped. With
 * `raiseError` each line must have the form above. Numbers below 1 or above `numChoices` are skipped; repetitions are kept.
 * @example
 * defaultParseChoiceSelectAnswerFn('Sure:\n**Doc: 2**, **Relevance: 9/10**', 5) // => { choices: [2], relevances: [9] }
 * @throws {ChoiceParseError} with `raiseError`, for the first line that has a different form.
 */
export function defaultParseChoiceSelectAnswerFn(
  answer: string,
  numChoices: number,
  raiseError?: boolean,
): ChoiceSelection {
  checkOption('defaultParseChoiceSelectAnswerFn', 'answer', answer, required(string))
  const { choices, relevances } = readChoices(answer, numChoices, raiseError)
  return { choices, relevances }
}

/** Like `defaultParseChoiceSelectAnswerFn`. `unreadable` is true if the answer neither names documents nor states that none is chosen. */
export function readChoices(
  answer: string,
  numChoices: number,
  raiseError?: boolean,
): ChoiceSelection & { unreadable: boolean } {
  const text = withPlainSigns(withoutThinking(answer))
  const pairs = raiseError ? readStrictly(text) : readTolerantly(text)
  const valid = pairs
    .flatMap(([choice, relevance, last = choice]) => {
      const end = Math.min(last, numChoices)
      return Array.from({ length: Math.max(0, end - choice + 1) }, (_, index): ReadPair => [choice + index, relevance])
    })
    .filter(([choice]) => choice >= 1)
  return {
    choices: valid.map(([choice]) => choice),
    relevances: valid.map(([, relevance]) => relevance),
    unreadable: pairs.length === 0 && answer.trim() !== '' && !nothing.test(text),
  }
}

/** Returns `text` with ASCII characters instead of full-width ones, ordinary spaces, and no characters without width. */
function withPlainSigns(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\u00A0\u202F\u3000]/g, ' ')
    .replace(/\u2212/g, '-')
    .replace(/[\u200B\u2060\uFEFF]/g, '')
    .replace(/[、。]/g, (char) => (char === '。' ? '.' : ','))
}

function readTolerantly(answer: string): ReadPair[] {
  const pairs = readNumbers(answer)
  // Beside relevances in numbers, a line without one is skipped.
  return pairs.length > 0 ? pairs : readNumbers(withLevels(answer))
}

function readNumbers(text: string): ReadPair[] {
  const whole = readJson(text) ?? readTable(text) ?? readRanking(text)
  if (whole) return whole
  const labelled = readLabelled(text)
  const lines = text.split(/\r?\n/)
  const inForm = lines.flatMap(pairOfLine)
  // With more pairs in that form, the labels of some lines are not among the known ones.
  if (labelled.length > 0) return inForm.length > labelled.length ? inForm : labelled
  return lines.flatMap((line) => {
    const unlabelled = readUnlabelled(line)
    return unlabelled.length > 0 ? unlabelled : pairOfLine(line)
  })
}

function pairOfLine(line: string): ReadPair[] {
  const read = readLine(line)
  return typeof read === 'string' ? [] : [read]
}

function readStrictly(text: string): ReadPair[] {
  return text.split(/\r?\n/).flatMap((line): ReadPair[] => {
    if (line.trim() === '') return []
    const read = readLine(line)
    if (typeof read === 'string') throw new ChoiceParseError(line, read)
    return [read]
  })
}

/** `Doc: 2: x, Relevance: 4: 9` → ` 2` and ` 4` */
const labelledLine = /^[^:,]*:([^:,]*)(?::[^,]*)?,[^:]*:([^:]*)/

/** Returns the choice of a line such as `Doc: 2, Relevance: 7`, with any labels, or the reason why the line has a different form. */
function readLine(line: string): ReadPair | string {
  if (!line.includes(',')) return 'the line has no comma'
  const found = labelledLine.exec(line)
  if (!found) return 'the line has no colon before or after the comma'
  const number = documentNumber.exec(found[1]!)?.[1]
  if (number === undefined) return 'the document number is not a number'
  const [pair] = pairIn(number, found[2]!)
  if (pair === undefined) return 'the relevance is not a number, or the range of documents is empty'
  // A number below 1 is skipped.
  return number.startsWith('-') ? [0, 0] : pair
}
