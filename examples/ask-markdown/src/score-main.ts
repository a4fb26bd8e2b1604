/**
 * @module
 * Prints the score of the stand-in. Exits with 1 below the bar: three of four right, at most five of a hundred wrong.
 *
 * @example npm run ask-score
 * @example npm run ask-score -- first-half --all
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readQuestions, type ScoredAnswer, score, scoreTable } from './score.ts'

const folder = join(import.meta.dirname, '..', 'questions')
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const showsAll = process.argv.includes('--all')
const runs = await mkdtemp(join(tmpdir(), 'ask-score-'))
try {
  const all: ScoredAnswer[] = []
  for (const name of names.length > 0 ? names : ['first-half', 'second-half']) {
    const questions = await readQuestions(join(folder, `${name}.json`))
    const answers = await score(questions, { documents: join(folder, 'documents'), runs })
    console.log(`${name}\n${scoreTable(answers)}\n`)
    for (const { kind, question, answer, verdict } of answers)
      if (showsAll || verdict === 'wrong')
        console.log(`${verdict} (${kind}): ${question}\n  ${answer.replaceAll('\n', '\n  ')}`)
    all.push(...answers)
  }
  if (names.length !== 1) console.log(`\n${scoreTable(all)}`)
  const count = (verdict: string) => all.filter((one) => one.verdict === verdict).length
  if (count('right') * 4 < all.length * 3 || count('wrong') * 20 > all.length) process.exitCode = 1
} finally {
  await rm(runs, { recursive: true, force: true })
}
