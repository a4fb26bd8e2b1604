/**
 * @module
 * Asks the questions of a file and counts the right answers, by kind. `npm run ask-score`
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './ask.ts'
import { isUncertain } from './stand-in/wording.ts'

/** A question with what its answer must contain. */
export interface ScoredQuestion {
  kind: string
  question: string
  /** Strings that the answer must contain. Empty if the documents do not contain the answer. */
  expect: string[]
  /** Strings that the answer must not contain, such as the value of another row. */
  not?: string[]
  /** The file that the answer must cite. */
  from?: string
}

/**
 * The verdict about an answer. `right`: stated and true, or stated correctly that the documents do not contain it.
 * `passages`: says that it is uncertain, and shows passages that contain the answer. `missed`: says that it is uncertain, and shows others.
 * `wrong`: stated and not true.
 */
export type Verdict = 'right' | 'passages' | 'missed' | 'wrong'

/** A question with its answer. */
export interface ScoredAnswer extends ScoredQuestion {
  answer: string
  verdict: Verdict
}

/** Asks all questions about one folder of documents. Rejects when the program fails. */
export async function score(
  questions: readonly ScoredQuestion[],
  { documents, runs }: { documents: string; runs: string },
): Promise<ScoredAnswer[]> {
  const scored: ScoredAnswer[] = []
  for (const question of questions) {
    let printed = ''
    const output = { write: (text: string) => (printed += text).length > 0 }
    const context = { stdout: output, stderr: output, env: {}, folder: documents, project: documents }
    const exitCode = await ask(
      ['--json', '--runs', runs, '--store', join(runs, 'store.db'), '.', question.question],
      context,
    )
    if (exitCode !== 0) throw new Error(`"${question.question}" ended with exit code ${exitCode}: ${printed}`)
    const { answer } = JSON.parse(printed) as { answer: string }
    scored.push({ ...question, answer, verdict: verdictOf(question, answer) })
  }
  return scored
}

/** Judges an answer. Whole words are compared, without case, quotation marks and places. */
export function verdictOf({ expect, not = [], from }: ScoredQuestion, answer: string): Verdict {
  const uncertain = isUncertain(answer)
  if (expect.length === 0) return uncertain ? 'right' : 'wrong'
  const stated = normal(answer.replace(/\([^()]*:\d+(?:-\d+)?[^()]*\)/g, ' '))
  const has = (text: string) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])${normal(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
      'u',
    ).test(stated)
  const cites = from === undefined || answer.includes(`${from}:`)
  const holds = expect.every(has) && cites
  if (uncertain) return holds ? 'passages' : 'missed'
  return holds && !not.some(has) ? 'right' : 'wrong'
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”"`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a table of the verdicts by kind, as text. */
export function scoreTable(answers: readonly ScoredAnswer[]): string {
  const verdicts: Verdict[] = ['right', 'passages', 'missed', 'wrong']
  const kinds = [...new Set(answers.map(({ kind }) => kind))]
  const line = (name: string, some: readonly ScoredAnswer[]) => {
    const counts = verdicts.map((verdict) => some.filter((one) => one.verdict === verdict).length)
    return [
      name.padEnd(16),
      ...[...counts.map((count) => String(count).padStart(9)), String(some.length).padStart(10)],
    ].join('')
  }
  return [
    ['kind'.padEnd(16), ...[...verdicts, 'questions'].map((name) => name.padStart(name === 'questions' ? 10 : 9))].join(
      '',
    ),
    ...kinds.map((kind) =>
      line(
        kind,
        answers.filter((one) => one.kind === kind),
      ),
    ),
    line('all', answers),
  ].join('\n')
}

/** Reads a file of questions. */
export async function readQuestions(file: string): Promise<ScoredQuestion[]> {
  return JSON.parse(await readFile(file, 'utf8')) as ScoredQuestion[]
}
