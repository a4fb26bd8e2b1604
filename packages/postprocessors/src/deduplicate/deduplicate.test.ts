import { ImageNode, IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
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

  it('says in the ledger of which node they are duplicates', async () => {
    const nodes = ['It is tall.', 'It is tall'].map(
      (text, at) => new NodeWithScore({ node: new TextNode({ id: `n${at}`, text }), score: -at }),
    )
    const ledger = new ExplanationLedger()
    await new Deduplicate({ by: 'similar' }).postprocessNodes(nodes, { ledger })
    expect(ledger.of('n1')[0]?.reason).toBe('nearly the words of node "n0"')
  })
})
