// @module-tag system
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'

/** Evaluates 40 answers; each call of a model takes 15 ms and writes a line. */
const program = `
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateAnswers } from '@x/evaluate'
import { fileJournal } from '@x/evaluate/node'
const [calls, journal] = process.argv.slice(1)
const ask = async (what) => {
  appendFileSync(calls, what + '\\n')
  await sleep(15)
}
const testSet = Array.from({ length: 40 }, (_, i) => ({ id: 'q' + i, question: 'Question ' + i, places: [{ source: 'a' }] }))
const passages = [{ source: 'a', text: 'A.' }]
const answer = async (question) => {
  await ask(question)
  return { text: 'Answer to ' + question + '.', citations: [{ source: 'a' }], passages }
}
const chat = async ([, { content }]) => {
  await ask('judge ' + /Question \\d+/.exec(content)[0])
  return '1: yes'
}
const llm = { metadata: {}, chat }
const run = await evaluateAnswers({ testSet, answer, llm, durable: await fileJournal(journal), maxConcurrency: 3 })
process.stdout.write(JSON.stringify(run.measures))
`

it('continues an evaluation that is killed several times, and repeats only the calls that were running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'x-evaluate-'))
  const paths = [join(folder, 'calls'), join(folder, 'journal.jsonl')]
  const lines = () => (existsSync(paths[0]!) ? readFileSync(paths[0]!, 'utf8').trim().split('\n') : [])
  const start = () => {
    const args = ['--conditions=@x/source', '--input-type=module', '-e', program, ...paths]
    const cwd = join(import.meta.dirname, '..', '..')
    return spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const kills = 4
  for (let kill = 1; kill <= kills; kill++) {
    const child = start()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    while (lines().length < kill * 14 && child.exitCode === null) await sleep(5)
    child.kill('SIGKILL')
    await ended
  }
  const last = start()
  let output = ''
  last.stdout.on('data', (data) => {
    output += data
  })
  expect(await new Promise((resolve) => last.once('exit', resolve))).toBe(0)
  expect(JSON.parse(output)).toMatchObject({ faithfulness: { mean: 1 }, citationPrecision: { mean: 1 } })
  const all = lines()
  expect(new Set(all).size).toBe(80)
  // Three questions at the same time, each with one call.
  expect(all.length - 80).toBeLessThanOrEqual(3 * kills)
})
