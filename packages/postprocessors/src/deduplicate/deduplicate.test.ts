import { ImageNode, IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { Deduplicate } from './deduplicate.ts'

const entry = (id: string, text: string, score: number | null, metadata = {}) =>
  new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })

describe('Deduplicate', () => {
  const nodes = [
    entry('a', 'Café', null),
    entry('b', ' CAFE\u0301 ', 0),
    entry('a', 'tea', 0.5),
    entry('c', 'Café', 0, { page: 1 }),
  ]

  it.each([
    ['text', [1, 2]],
    ['id', [2, 1, 3]],
    ['hash', [0, 1, 2, 3]],
  ] as const)(
    'by %s keeps the duplicate with the highest score, the first one if scores are equal',
    async (by, kept) => {
      const result = await new Deduplicate({ by }).postprocessNodes(nodes)
      expect(result.map((one) => nodes.indexOf(one))).toEqual(kept)
    },
  )

  it.each(['text', 'similar'] as const)(
    'by %s keeps different images, and index nodes of different objects',
    async (by) => {
      const table = (text: string) => new TextNode({ text: `|city|sales|\n|-|-|\n|Paris|${text}|` })
      const index = (indexId: string, obj?: unknown) => new IndexNode({ text: 'city, sales', indexId, obj })
      const image = (fields: object) => new ImageNode({ id: 'x', ...fields })
      const url = 'https://example.org/a.png'
      const count = async (...all: TextNode[]) =>
        (await new Deduplicate({ by }).postprocessNodes(all.map((node) => new NodeWithScore({ node })))).length
      expect(await count(index('a', table('1')), index('b', table('2')), index('c', table('1')))).toBe(2)
      expect(await count(index('a'), index('b'), index('a'))).toBe(2)
      expect(await count(index('a', { page: 1 }), index('b', { page: 2 }), index('c', { page: 1 }))).toBe(2)
      expect(await count(index('a', 'one'), index('b', 'two'), index('c', 'one'))).toBe(2)
      expect(await count(index('a', [1]), index('b', [2]), index('c', [1]))).toBe(2)
      expect(await count(image({ imageUrl: url }), image({ image: 'aGk=' }), image({ imagePath: url }))).toBe(3)
      expect(await count(image({ imageUrl: url, text: 'A cat.' }), image({ imageUrl: url, text: 'a  cat.' }))).toBe(1)
    },
  )

  it('ranks a NaN score lowest', async () => {
    const twins = [Number.NaN, -1, null].map((score) => NodeWithScore.construct({ node: new TextNode(), score }))
    expect(await new Deduplicate().postprocessNodes(twins)).toEqual([twins[1]])
  })
})

describe('nodes with nearly the same words', () => {
  const long = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
  const texts = async (all: string[], options = {}) => {
    const nodes = all.map((text, at) => new NodeWithScore({ node: new TextNode({ text }), score: at }))
    return (await new Deduplicate({ by: 'similar', ...options }).postprocessNodes(nodes)).map(({ text }) => text)
  }

  it('are duplicates, and the best is returned', async () => {
    expect(await texts(['It is tall.', 'It is tall', 'it  is TALL!'])).toEqual(['it  is TALL!'])
    expect(await texts([long, `${long} and a new end`, `${long}.`])).toEqual([`${long}.`])
    expect(await texts([long, long.replace('word30', 'other')])).toHaveLength(1)
    expect(await texts([long, long.replace('word30', 'other')], { minSimilarity: 1 })).toHaveLength(2)
  })

  it('differ if many of their words, or the order, differ', async () => {
    const reversed = long.split(' ').reverse().join(' ')
    const half = `${long.slice(0, long.length / 2)} ${'else '.repeat(30)}`
    expect(await texts([long, reversed, half, 'It is tall.', 'It is not tall.', '', '…'])).toHaveLength(6)
  })

  it('are found in long texts too', async () => {
    const book = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7919) % 50021}`).join(' ')
    expect(
      await texts([book, book.replace('w7919', 'x'), `${book.slice(0, book.length / 2)} ${long.repeat(200)}`]),
    ).toHaveLength(2)
  })

  it('are compared by the 256 smallest hashes of their sequences', async () => {
    const [one, other] = [0, 300].map((skipped) =>
      Array.from({ length: 900 }, (_, at) => `w${at < skipped ? at + 1000 : at}`).join(' '),
    ) as [string, string]
    expect(await texts([one, other], { minSimilarity: 135 / 256 })).toHaveLength(1)
    expect(await texts([one, other], { minSimilarity: 136 / 256 })).toHaveLength(2)
  })

  it('are those whose share of common sequences reaches the limit, however many nodes there are', async () => {
    const words = fc.array(
      fc.integer({ min: 0, max: 9 }).map((word) => `w${word}`),
      { minLength: 1, maxLength: 30 },
    )
    const changed = fc.tuple(fc.nat(30), fc.nat(3), fc.constantFrom('w1', 'x', 'y'))
    const texts = fc
      .tuple(
        fc.array(words, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(3), fc.array(changed, { maxLength: 4 })), { maxLength: 40 }),
      )
      .map(([all, copies]) =>
        copies.map(([from, changes]) => {
          const copy = [...all[from % all.length]!]
          for (const [at, count, word] of changes) copy.splice(at % copy.length, count, word)
          return copy.join(' ')
        }),
      )
    const limit = fc.constantFrom(0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1)
    await fc.assert(
      fc.asyncProperty(texts, limit, async (all, minSimilarity) => {
        const kept: (readonly [string, Set<string>])[] = []
        for (const text of all) {
          const own = sequencesOf(text)
          if (!kept.some(([, other]) => shareOf(own, other) >= minSimilarity)) kept.push([text, own])
        }
        const nodes = all.map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
        const found = await new Deduplicate({ by: 'similar', minSimilarity }).postprocessNodes(nodes)
        expect(found.map(({ text }) => text)).toEqual(kept.map(([text]) => text))
      }),
    )
  })

  const unlike = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const text = `The report of ${'the same department of the city '.repeat(3)} ${Array.from({ length: 30 }, (_, at) => `${n} ${at}`).join(' ')}`
      return new NodeWithScore({ node: new TextNode({ text }), score: 1 })
    })

  it('are found in linear time', { tags: 'growth' }, async () => {
    const growth = await growthOf((count) => new Deduplicate({ by: 'similar' }).postprocessNodes(unlike(count)), 200)
    expect(growth).toBeLessThan(1.75)
  })

  it('are looked for until the signal aborts, while other work runs', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const work = new Deduplicate({ by: 'similar' }).postprocessNodes(unlike(3000), { signal: controller.signal })
    await expect(work).rejects.toBe('enough')
  })

  it('says in the ledger of which node they are duplicates', async () => {
    const nodes = ['It is tall.', 'It is tall'].map(
      (text, at) => new NodeWithScore({ node: new TextNode({ id: `n${at}`, text }), score: -at }),
    )
    const ledger = new ExplanationLedger()
    await new Deduplicate({ by: 'similar' }).postprocessNodes(nodes, { ledger })
    expect(ledger.entries.map(({ reason }) => reason)).toEqual([
      'the first or best of its duplicates',
      'nearly the words of node "n0"',
    ])
  })
})

/** The sequences of three words in a string. */
function sequencesOf(text: string): Set<string> {
  const words = text.split(' ').filter((word) => word !== '')
  return new Set(words.slice(0, Math.max(1, words.length - 2)).map((_, at) => words.slice(at, at + 3).join(' ')))
}

/** The share of common sequences. */
function shareOf(one: Set<string>, other: Set<string>): number {
  const common = [...one].filter((sequence) => other.has(sequence)).length
  return common / (one.size + other.size - common)
}
