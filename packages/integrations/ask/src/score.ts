/**
 * @module
 * Asks questions whose places are known, and counts how often the right section is shown, or the right answer given.
 */

import { readFile } from 'node:fs/promises'
import type { Terminal } from './ask.ts'
import type { Docs } from './docs.ts'
import type { ModelOptions } from './model/model-options.ts'
import { ExitCode, ProgramError } from './program-error.ts'

/** A question with the place of its answer. */
export interface KnownQuestion {
  question: string
  /** The path of the file within the folder. */
  file: string
  /** The first and the last line of the answer. */
  lines: [from: number, to: number]
  /** A regular expression that the answer of a model must match. */
  answer?: string
}

/** Whether a section contains a line of the answer. */
export function isPlace({ file, lines }: KnownQuestion, shown: { file: string; from: number; to: number }): boolean {
  return shown.file === file && shown.from <= lines[1] && shown.to >= lines[0]
}

/** Reads the questions of a file. @throws {ProgramError} when they are not valid. */
export async function readQuestions(path: string): Promise<KnownQuestion[]> {
  const wrong = (reason: string) => new ProgramError(ExitCode.usage, `${path}: ${reason}`)
  const data: unknown = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch((error: Error) => {
      throw wrong(error.message)
    })
  if (!Array.isArray(data)) throw wrong('expected an array of { question, file, lines, answer }.')
  for (const [index, one] of data.entries()) {
    const { question, file, lines } = (one ?? {}) as Partial<KnownQuestion>
    if (typeof question !== 'string' || typeof file !== 'string' || !Array.isArray(lines) || lines.length !== 2)
      throw wrong(`question ${index + 1}: expected { question, file, lines: [from, to] }.`)
  }
  return data as KnownQuestion[]
}

/** Prints how many questions of a JSON file are answered by the first, the first three and the first ten sections. */
export async function score(
  docs: Docs,
  { questions: path, model }: { questions: string; model: ModelOptions | null },
  terminal: Terminal,
): Promise<void> {
  const questions = await readQuestions(path)
  const { stdout } = terminal
  const counts = await countsOf(docs, questions, (question) => stdout.write(`not found: ${question}\n`))
  stdout.write(`${questions.length} questions; right section ${countsText(counts)}\n`)
  if (await docs.hasAddedWords()) {
    const without = await countsOf(docs, questions, () => {}, false)
    stdout.write(`without the added words: ${countsText(without)}\n`)
  }
  if (model) await scoreModel(docs, questions, model, terminal)
}

interface Counts {
  first: number
  three: number
  ten: number
}

const countsText = ({ first, three, ten }: Counts): string => `first: ${first}, in three: ${three}, in ten: ${ten}`

async function countsOf(
  docs: Docs,
  questions: readonly KnownQuestion[],
  onMissed: (question: string) => void,
  addedWords = true,
): Promise<Counts> {
  const counts = { first: 0, three: 0, ten: 0 }
  for (const known of questions) {
    const found = await docs.search(known.question, { addedWords })
    const rank = found.findIndex((section) => isPlace(known, section))
    if (rank === 0) counts.first++
    if (rank >= 0 && rank < 3) counts.three++
    if (rank >= 0) counts.ten++
    else onMissed(known.question)
  }
  return counts
}

async function scoreModel(
  docs: Docs,
  questions: readonly KnownQuestion[],
  model: ModelOptions,
  terminal: Terminal,
): Promise<void> {
  const { askModel } = await import('./answer/answer-question.ts')
  let [cited, right, problems] = [0, 0, 0]
  for (const known of questions) {
    const { answer, sources } = await askModel(docs, known.question, model, terminal)
    if (sources.some((source) => source.problem === null && isPlace(known, source))) cited++
    if (known.answer !== undefined && new RegExp(known.answer).test(answer)) right++
    else terminal.stdout.write(`not as expected: ${known.question}\n`)
    if (sources.some(({ problem }) => problem !== null)) problems++
  }
  terminal.stdout.write(
    `answers: right ${right}, citing the place ${cited}, with an unsupported citation ${problems}\n`,
  )
}
