/**
 * @module
 * Questions with the passages of their answers, as JSON lines.
 */
import { checkOption, required, text as string } from '@x/core/options'
import { TestSetError } from './errors.ts'

/**
 * A passage that answers a question, independent of how it is split into nodes: by lines, offsets or a quote. Without them it is the whole
 * source.
 */
export interface RightPlace {
  /** The file of the passage, or the id of its document, as in the metadata `file` or the source of nodes. */
  source: string
  /** The first and the last line, starting at 1. */
  lines?: readonly [from: number, to: number]
  /** The range in UTF-16 code units: from the first one up to, without, the second one. */
  offsets?: readonly [start: number, end: number]
  /**
   * The words of the passage, which are searched in the text of the source, so that edits elsewhere do not move the passage. White space
   * may differ.
   */
  quote?: string
  /** How much it helps, above 0. @defaultValue 1 */
  grade?: number
}

/** Where a question comes from: a person, the documents themselves, or a language model. */
export type QuestionOrigin = 'person' | 'text' | 'model'

/** A question of a test set. */
export interface TestQuestion {
  /** Unique in the test set. */
  id: string
  question: string
  /** The passages that answer it; empty for a question that the documents do not answer. */
  places: readonly RightPlace[]
  /** The expected answer. */
  answer?: string
  /** @defaultValue 'person' */
  origin?: QuestionOrigin
}

const origins: readonly QuestionOrigin[] = ['person', 'text', 'model']
const fieldsOfQuestion = ['id', 'question', 'places', 'answer', 'origin']
const fieldsOfPlace = ['source', 'lines', 'offsets', 'quote', 'grade']

/**
 * Reads a test set: one JSON object per line. Blank lines are skipped. A question without `id` has the number of its line as id.
 * @throws {TestSetError} with the line of the first mistake.
 * @example
 * const [question] = readTestSet('{"question":"Which Node?","places":[{"source":"README.md","lines":[3,4]}]}')
 * question // => { id: '1', question: 'Which Node?', places: [{ source: 'README.md', lines: [3, 4] }] }
 * readTestSet('{"question":"Which Node?"}') // => throws test_set
 */
export function readTestSet(text: string): TestQuestion[] {
  checkOption('readTestSet', 'text', text, required(string))
  const seen = new Map<string, number>()
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const question = readQuestion(line, index + 1)
      const before = seen.get(question.id)
      if (before !== undefined)
        throw new TestSetError(index + 1, `id: "${question.id}" is the id of line ${before} too; ids must be unique`)
      seen.set(question.id, index + 1)
      return [question]
    })
}

/**
 * Returns a test set as JSON lines, which `readTestSet` reads.
 * @example
 * writeTestSet([{ id: 'a', question: 'Why?', places: [] }]) // => '{"id":"a","question":"Why?","places":[]}\n'
 */
export function writeTestSet(questions: Iterable<TestQuestion>): string {
  checkOption('writeTestSet', 'questions', questions, required('an iterable of questions'))
  return Array.from(questions, (question) => `${JSON.stringify(question)}\n`).join('')
}

/** A test set that was made in code, checked as if it were read: the number of a question stands for the line. */
export function checkedTestSet(questions: readonly TestQuestion[]): TestQuestion[] {
  return readTestSet(writeTestSet(questions))
}

function readQuestion(text: string, line: number): TestQuestion {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new TestSetError(line, `expected JSON, received another string (${(error as Error).message})`)
  }
  const fields = objectOf(data, line, 'the line', fieldsOfQuestion)
  const { id = String(line), question, places, answer, origin } = fields
  if (typeof id !== 'string' || id === '') throw wrong(line, 'id', 'a string that is not empty', id)
  if (typeof question !== 'string' || question.trim() === '')
    throw wrong(line, 'question', 'a string that is not empty', question)
  if (!Array.isArray(places)) throw wrong(line, 'places', 'an array, empty for a question without an answer', places)
  if (answer !== undefined && typeof answer !== 'string') throw wrong(line, 'answer', 'a string', answer)
  if (origin !== undefined && !origins.includes(origin as QuestionOrigin))
    throw wrong(line, 'origin', '"person", "text" or "model"', origin)
  return {
    id,
    question,
    places: places.map((place, at) => readPlace(place, line, `places[${at}]`)),
    ...(answer !== undefined && { answer }),
    ...(origin !== undefined && { origin: origin as QuestionOrigin }),
  }
}

function readPlace(data: unknown, line: number, path: string): RightPlace {
  const { source, lines, offsets, quote, grade } = objectOf(data, line, path, fieldsOfPlace)
  if (typeof source !== 'string' || source === '') throw wrong(line, `${path}.source`, 'the name of a file', source)
  if ([lines, offsets, quote].filter((value) => value !== undefined).length > 1)
    throw new TestSetError(line, `${path}: expected one of lines, offsets and quote, received several`)
  if (quote !== undefined && (typeof quote !== 'string' || quote.trim() === ''))
    throw wrong(line, `${path}.quote`, 'words of the source', quote)
  if (lines !== undefined && !isRange(lines, 1, 0))
    throw wrong(line, `${path}.lines`, '[first, last], two line numbers of at least 1', lines)
  if (offsets !== undefined && !isRange(offsets, 0, 1))
    throw wrong(line, `${path}.offsets`, '[start, end], two positions of which the second is higher', offsets)
  if (grade !== undefined && !(typeof grade === 'number' && grade > 0 && grade < Number.POSITIVE_INFINITY))
    throw wrong(line, `${path}.grade`, 'a number above 0', grade)
  return {
    source,
    ...(lines !== undefined && { lines: lines as [number, number] }),
    ...(offsets !== undefined && { offsets: offsets as [number, number] }),
    ...(quote !== undefined && { quote: quote as string }),
    ...(grade !== undefined && { grade: grade as number }),
  }
}

/** Whether a value is two integers of at least `lowest`, the second at least `length` above the first. */
function isRange(value: unknown, lowest: number, length: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [from, to] = value
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= lowest && to >= from + length
}

function objectOf(data: unknown, line: number, path: string, known: readonly string[]): Record<string, unknown> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw wrong(line, path, 'an object', data)
  const unknown = Object.keys(data).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TestSetError(line, `${path}: unknown field "${unknown}"; there are ${known.join(', ')}`)
  return data as Record<string, unknown>
}

function wrong(line: number, path: string, expected: string, value: unknown): TestSetError {
  const received = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value)
  return new TestSetError(line, `${path}: expected ${expected}, received ${received.slice(0, 80)}`)
}
