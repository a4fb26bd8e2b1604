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
interface KnownQuestion {
  question: string
  /** The path of the file within the folder. */
  file: string
  /** The first and the last line of the answer. */
  lines: [from: number, to: number]
  /** A regular expression that the answer of a model must match. */
  answer?: string
}

/** Prints how many questions of a JSON file are answered by the first, the first three and the first ten sections. */
export async function score(
  docs: Docs,
  { questions: path, model }: { questions: string; model: ModelOptions | null },
  terminal: Terminal,
): Promise<void> {
  const questions = await readQuestions(path)
  const { stdout } = terminal
  const counts = { first: 0, three: 0, ten: 0 }
  for (const known of questions) {
    const found = await docs.search(known.question)
    const rank = found.findIndex(({ file, from, to }) => isPlace(known, { file, from, to }))
    if (rank === 0) counts.first++
    if (rank >= 0 && rank < 3) counts.three++
    if (rank >= 0) counts.ten++
    else stdout.write(`not found: ${known.question}\n`)
  }
  stdout.write(
    `${questions.length} questions; right section first: ${counts.first}, in three: ${counts.three}, in ten: ${counts.ten}\n`,
  )
  if (model) await scoreModel(docs, questions, model, terminal)
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

function isPlace({ file, lines }: KnownQuestion, shown: { file: string; from: number; to: number }): boolean {
  return shown.file === file && shown.from <= lines[1] && shown.to >= lines[0]
}

async function readQuestions(path: string): Promise<KnownQuestion[]> {
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
