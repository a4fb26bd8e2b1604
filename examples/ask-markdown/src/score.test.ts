import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  readQuestions,
  type ScoredAnswer,
  type ScoredQuestion,
  score,
  scoreTable,
  type Verdict,
  verdictOf,
} from './score.ts'

const price: ScoredQuestion = { kind: 'cell', question: '', expect: ['$20'], not: ['$18'], from: 'a.md' }
const absent: ScoredQuestion = { kind: 'absent', question: '', expect: [] }

it.each<[ScoredQuestion, string, Verdict]>([
  [price, '$20 (a.md:3): column “Price”.', 'right'],
  [price, '$200 (a.md:3)', 'wrong'],
  [price, '$20 (b.md:3)', 'wrong'],
  [price, '- $20 (a.md:3)\n- $18 (a.md:4)', 'wrong'],
  [price, 'No passage answers this for certain. The closest:\n- $20 (a.md:3)', 'passages'],
  [price, 'I found nothing about “price” in these documents.', 'missed'],
  [{ ...price, expect: ['3'] }, '4 (a.md:3)', 'wrong'],
  [absent, 'No passage answers this for certain. The closest:\n- $20 (a.md:3)', 'right'],
  [absent, '$20 (a.md:3)', 'wrong'],
])('judges the answer to %j: %j', (question, answer, verdict) => {
  expect(verdictOf(question, answer)).toBe(verdict)
})

const folder = join(import.meta.dirname, '..', 'questions')

it('prints the verdicts by kind', () => {
  const answer = (kind: string, verdict: Verdict): ScoredAnswer => ({
    kind,
    verdict,
    question: '',
    expect: [],
    answer: '',
  })
  expect(
    scoreTable([answer('cell', 'right'), answer('list', 'wrong'), answer('cell', 'missed')]),
  ).toMatchInlineSnapshot(`
    "kind                right passages   missed    wrong questions
    cell                    1        0        1        0         2
    list                    0        0        0        1         1
    all                     1        0        1        1         3"
  `)
})

it('answers three of four questions right, and at most five of a hundred wrong', async () => {
  const runs = await mkdtemp(join(tmpdir(), 'ask-score-'))
  try {
    const questions = await Promise.all(
      ['first-half', 'second-half'].map((name) => readQuestions(join(folder, `${name}.json`))),
    )
    const answers = await score(questions.flat(), { documents: join(folder, 'documents'), runs })
    const count = (verdict: Verdict) => answers.filter((one) => one.verdict === verdict).length
    expect(answers.length).toBeGreaterThanOrEqual(100)
    expect(count('right') / answers.length).toBeGreaterThanOrEqual(0.75)
    expect(count('wrong') / answers.length).toBeLessThanOrEqual(0.05)
  } finally {
    await rm(runs, { recursive: true, force: true })
  }
}, 120_000)
