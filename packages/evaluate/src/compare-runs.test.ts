import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { evaluateAnswers } from './answers/evaluate-answers.ts'
import { compareRuns } from './compare-runs.ts'
import type { EvaluationRun } from './run.ts'
import { estimateOf, randomNumbers, signTest } from './statistics.ts'
import { type RunMatchers, runMatchers } from './vitest.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends RunMatchers<R> {}
}
expect.extend(runMatchers)

/** A run with these values of nDCG. */
function runOf(values: readonly number[], k = 10): EvaluationRun {
  const estimate = estimateOf(values, 500, 1)
  return {
    name: 'run',
    k,
    measures: { ndcg: estimate, recall: estimate, mrr: estimate },
    unanswerable: 0,
    questions: values.map((value, i) => ({
      id: `${i}`,
      question: `question ${i}`,
      measures: { ndcg: value, recall: value, mrr: value },
      found: [],
      misses:
        value < 1 ? [{ place: `${i}.md`, kind: 'no_common_term', reason: 'no term in common with the question' }] : [],
    })),
  }
}
const values = (count: number, seed: number) => {
  const next = randomNumbers(seed)
  return Array.from({ length: count }, next)
}

describe('compareRuns', () => {
  it('finds a small gain on every question, which unpaired intervals would not show', () => {
    const before = values(60, 1)
    const { difference, pValue, wins, losses, ties, better } = compareRuns(
      runOf(before),
      runOf(before.map((x) => x + 0.01)),
    )
    expect(difference.mean).toBeCloseTo(0.01, 12)
    expect(difference.low).toBeGreaterThan(0)
    expect(pValue).toBeLessThan(0.001)
    expect([wins, losses, ties, better]).toEqual([60, 0, 0, 'second'])
  })

  it('is symmetric', () => {
    const [one, other] = [runOf(values(40, 1)), runOf(values(40, 2).map((x) => x / 2))]
    expect(compareRuns(one, other).better).toBe('first')
    expect(compareRuns(other, one).better).toBe('second')
    expect(compareRuns(one, other).pValue).toBe(compareRuns(other, one).pValue)
  })

  it('finds no difference in equal runs, and needs more than five wins', () => {
    expect(compareRuns(runOf(values(9, 1)), runOf(values(9, 1)))).toMatchObject({
      pValue: 1,
      better: 'neither',
      ties: 9,
    })
    expect(compareRuns(runOf([0, 0, 0, 0]), runOf([1, 1, 1, 1])).better).toBe('neither')
  })

  it('calls about one of twenty differences of random runs significant', () => {
    let significant = 0
    for (let seed = 1; seed <= 200; seed++) {
      const differences = values(30, seed).map((value) => value - 0.5)
      if (signTest(differences, 500, seed) < 0.05) significant++
    }
    expect(significant).toBeGreaterThan(2)
    expect(significant).toBeLessThan(22)
  })

  it('counts all patterns of signs of up to 16 differences', () => {
    const every = (count: number) => signTest(new Array(count).fill(0.1), 10, 1)
    expect([every(1), every(2), every(5), every(16)]).toEqual([1, 1 / 2, 1 / 16, 2 / 2 ** 16])
    expect(signTest([0.3, 0, 0.2, -0.1], 10, 1)).toBe(4 / 8)
    expect(signTest(new Array(17).fill(0.1), 10, 1)).toBe(1 / 11)
  })

  it('contains the true mean in about 95 of 100 intervals', () => {
    let contained = 0
    for (let seed = 1; seed <= 200; seed++) {
      const { low, high } = estimateOf(values(50, seed), 400, seed)
      if (low <= 0.5 && 0.5 <= high) contained++
    }
    expect(contained).toBeGreaterThan(178)
    expect(contained).toBeLessThan(200)
  })

  it('refuses runs of different questions or depths', () => {
    expect(() => compareRuns(runOf([1]), runOf([1, 1]))).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(() => compareRuns(runOf([1, 1]), runOf([1]))).toThrow('the first run has further questions')
    expect(() => compareRuns(runOf([1]), runOf([1], 5))).toThrow('use the same k')
  })
})

describe('the assertions', () => {
  it('pass when all means are reached', () => {
    expect(runOf([0.5, 0.7])).toReach({ ndcg: 0.6, mrr: 0.1 })
    expect(runOf([0.5, 0.7])).not.toReach({ ndcg: 0.61 })
  })

  it('fail with the worst questions and their reasons', () => {
    expect(() => expect(runOf([0.25])).toReach({ ndcg: 0.4 })).toThrow(
      'expected run to reach more: ndcg 0.2500 (0.4)\n  question 0 → 0.md: no term in common with the question',
    )
  })

  it('refuse names that are no measures', () => {
    expect(() => expect(runOf([1])).toReach({ precision: 0.4 } as never)).toThrow('received precision')
    expect(() => expect(runOf([1])).toReach({})).toThrow('received none')
  })

  it('assert measures of answers, and list what is not supported', async () => {
    const llm = new ScriptedLLM({ answers: ['1: yes\n2: no'] })
    const testSet = [{ id: 'a', question: 'Which?', places: [{ source: 'a.md' }] }]
    const answer = async () => ({
      text: 'It is green. Plums are blue.',
      citations: [{ source: 'b.md' }],
      passages: [{ source: 'a.md', text: 'A.' }],
    })
    const run = await evaluateAnswers({ testSet, answer, llm })
    expect(run).toReach({ faithfulness: 0.5 })
    expect(() => expect(run).toReach({ faithfulness: 0.9 })).toThrow(
      'expected run to reach more: faithfulness 0.5000 (0.9)\n  Which? → not supported: Plums are blue.\n  Which? → wrong citation: b.md',
    )
    expect(() => expect(run).toReach({ containsExpected: 0.1 })).toThrow('containsExpected without a value (0.1)')
  })

  it('compare with another run', () => {
    expect(runOf(values(40, 1))).toBeNoWorseThan(runOf(values(40, 2)))
    expect(() => expect(runOf(values(40, 1).map((x) => x / 2))).toBeNoWorseThan(runOf(values(40, 1)))).toThrow(
      /^expected run to be no worse than run: nDCG differs by -0\.\d+ \(0 better, 40 worse, p 0\.000\)$/,
    )
  })
})
