/**
 * @module
 * Questions whose places are known, from a JSON file.
 */
import { readFile } from 'node:fs/promises'
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
