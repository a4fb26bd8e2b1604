import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { appendLine } from './effects.ts'
import { judgeSixSteps } from './six-steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'six-steps-'))
const file = join(folder, 'calls.jsonl')
afterEach(() => rmSync(file, { force: true }))

const whats = ['a', 'b', 'c', 'd', 'e']
const answer = { response: 'Done: a, b, c, d, e.', sources: whats.map((content) => ({ content })) }
const passed = {
  lost: 0,
  wrongAnswers: 0,
  otherArguments: 0,
  repeatedSaved: 0,
  repeatedEffects: 0,
  repeatedModelCalls: 0,
}

/** Writes the calls of the task `t` in their order, and others in between: after so many effects. */
function write(after = -1, ...others: object[]): void {
  const pid = 1
  for (let turn = 0; turn <= 5; turn++) {
    appendLine(file, { model: turn, seen: whats.slice(0, turn), at: 10 * turn, pid })
    if (turn < 5) appendLine(file, { key: `t/${turn}`, what: whats[turn], at: 10 * turn + 1, pid })
    if (turn === after) for (const other of others) appendLine(file, { pid, ...other })
  }
}
const judge = (given: object = {}) => judgeSixSteps([file], new Map([['t', { ...answer, ...given }]]))

it('a task whose calls happened once passes', () => {
  write()
  expect(judge()).toEqual(passed)
})

it('an effect that is missing outside or in the answer is lost', () => {
  write()
  expect(judge({ sources: answer.sources.slice(0, 4) }).lost).toBe(1)
  expect(judgeSixSteps([file], new Map([['other', answer]])).lost).toBe(5)
})

it('an answer to other effects is wrong', () => {
  write()
  expect(judge({ response: 'Done: a, b, c, d, d.' })).toEqual({ ...passed, wrongAnswers: 1 })
})

it('an effect with other arguments under its key is found', () => {
  write(1, { key: 't/1', what: 'x', at: 12 })
  expect(judge()).toMatchObject({ otherArguments: 1 })
})

it('a repeated effect is a fault only if its call began when its output was saved', () => {
  write(1, { key: 't/1', what: 'b', at: 12 })
  expect(judge()).toEqual({ ...passed, repeatedEffects: 1 })
  rmSync(file)
  // The process was stopped between the start of the call and the effect.
  write(3, { key: 't/1', what: 'b', at: 12 })
  expect(judge()).toEqual({ ...passed, repeatedEffects: 1 })
  rmSync(file)
  write(3, { key: 't/1', what: 'b', at: 33 })
  expect(judge()).toEqual({ ...passed, repeatedEffects: 1, repeatedSaved: 1 })
})

it('a repeated request to the model is counted', () => {
  write(2, { model: 3, seen: ['a', 'b', 'c'], at: 29 })
  expect(judge()).toEqual({ ...passed, repeatedModelCalls: 1 })
})
