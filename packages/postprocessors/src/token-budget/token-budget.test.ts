import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { TokenBudget } from './token-budget.ts'

const countTokens = (text: string) => text.split(/\s+/).filter(Boolean).length
const entry = (text: string, score: number | null, metadata = {}) =>
  new NodeWithScore({ node: new TextNode({ text, metadata }), score })
const texts = (entries: readonly NodeWithScore[]) => entries.map(({ text }) => text)

describe('TokenBudget', () => {
  const nodes = [entry('one two three', 0.5), entry('one two', 0.9), entry('one', 0.1)]

  it('skips a node that does not fit, stops there, or truncates it', async () => {
    const fit = (overflow: 'skip' | 'stop' | 'cut') =>
      new TokenBudget({ maxTokens: 4, separatorTokens: 0, overflow, countTokens }).postprocessNodes(nodes)
    expect(texts(await fit('skip'))).toEqual(['one two', 'one'])
    expect(texts(await fit('stop'))).toEqual(['one two'])
    expect(texts(await fit('cut'))).toEqual(['one two', 'one two'])
  })

  it('counts the content for language models, and the separators', async () => {
    const seen = entry('one two', 1, { by: 'Ann' })
    expect(await new TokenBudget({ maxTokens: 3, countTokens }).postprocessNodes([seen])).toEqual([])
    expect(await new TokenBudget({ maxTokens: 4, countTokens }).postprocessNodes([seen])).toEqual([seen])
    expect(
      texts(
        await new TokenBudget({ maxTokens: 6, separatorTokens: 3, countTokens }).postprocessNodes([
          entry('a b', 2),
          entry('c d', 1),
          entry('e', 0),
        ]),
      ),
    ).toEqual(['a b', 'e'])
  })

  it.each([null, Number.NaN, -1, Number.POSITIVE_INFINITY, '5', 5n, {}, Promise.resolve(3)])(
    'refuses countTokens that returns %s',
    async (value) => {
      const budget = new TokenBudget({ maxTokens: 4, countTokens: (() => value) as never })
      await expect(budget.postprocessNodes(nodes)).rejects.toMatchObject({
        code: 'model_validation',
        issues: [{ path: 'countTokens()', message: expect.stringContaining('expected a number of tokens') }],
      })
    },
  )

  it('counts an entry that occurs twice as two entries', async () => {
    const twice = entry('one two', 1)
    const fit = (maxTokens: number) =>
      new TokenBudget({ maxTokens, separatorTokens: 0, countTokens }).postprocessNodes([twice, twice])
    expect(texts(await fit(3))).toEqual(['one two'])
    expect(texts(await fit(4))).toEqual(['one two', 'one two'])
  })

  it('counts the separator after an empty node', async () => {
    const fit = new TokenBudget({ maxTokens: 2, separatorTokens: 1, countTokens })
    expect(texts(await fit.postprocessNodes([entry('', 1), entry('a b', 0.5), entry('c', 0.1)]))).toEqual(['', 'c'])
  })

  it('records which nodes were left out and why', async () => {
    const ledger = new ExplanationLedger()
    await new TokenBudget({ maxTokens: 2, overflow: 'stop', countTokens }).postprocessNodes(nodes, { ledger })
    expect(ledger.entries.map(({ change, reason }) => [change, reason])).toEqual([
      ['kept', '2 tokens fit, 0 left'],
      ['dropped', '3 tokens do not fit into 0'],
      ['dropped', 'the budget is used up'],
    ])
  })

  it('never exceeds the budget, keeps input order, and keeps nodes whole except with overflow cut', async () => {
    const words = fc
      .array(fc.constantFrom('a', 'bb', 'ccc', '\n', '. '), { maxLength: 12 })
      .map((parts) => parts.join(' '))
    const input = fc.array(fc.tuple(words, fc.option(fc.integer({ min: -3, max: 3 })), fc.boolean()), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        input,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('skip', 'stop', 'cut'),
        async (specs, maxTokens, overflow) => {
          const entries = specs.map(([text, score, shown]) => entry(text, score, shown ? { by: 'x' } : {}))
          const kept = await new TokenBudget({ maxTokens, overflow, separatorTokens: 1, countTokens }).postprocessNodes(
            entries,
          )
          const used = kept.reduce(
            (sum, { node }, index) => sum + countTokens(node.getContent('llm')) + (index > 0 ? 1 : 0),
            0,
          )
          expect(used).toBeLessThanOrEqual(Math.max(maxTokens, 0))
          const ids = entries.map(({ id }) => id)
          expect(kept.map(({ id }) => ids.indexOf(id))).toEqual(
            kept.map(({ id }) => ids.indexOf(id)).sort((x, y) => x - y),
          )
          if (overflow !== 'cut') expect(kept.every((one) => entries.includes(one))).toBe(true)
        },
      ),
    )
  })
})
