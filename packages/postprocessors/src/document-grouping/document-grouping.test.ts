import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { DocumentGrouping } from './document-grouping.ts'

const entry = (id: string, score: number, fields: ConstructorParameters<typeof TextNode>[0] = {}) =>
  new NodeWithScore({ node: new TextNode({ id, ...fields }), score })
const ids = (entries: readonly NodeWithScore[]) => entries.map(({ id }) => id).join(' ')

describe('DocumentGrouping', () => {
  const nodes = [
    entry('b2', 0.2, { metadata: { file: 'b' }, startCharIdx: 9 }),
    entry('a2', 0.9, { metadata: { file: 'a' }, startCharIdx: 5 }),
    entry('x', 0.3),
    entry('b1', 0.4, { metadata: { file: 'b' }, startCharIdx: 0 }),
    entry('a1', 0.1, { metadata: { file: 'a' }, startCharIdx: 0 }),
    entry('y', 0.5),
  ]
  const group = (options: object = {}) =>
    new DocumentGrouping({ groupKey: 'file', ...options }).postprocessNodes(nodes).then(ids)

  it('groups nodes by document in document order, and keeps nodes without a document separate', async () => {
    expect(await group()).toBe('b1 b2 a1 a2 x y')
    expect(await group({ groupOrder: 'best' })).toBe('a1 a2 y b1 b2 x')
    expect(await group({ maxPerGroup: 1 })).toBe('b1 a2 x y')
    expect(await group({ maxGroups: 2 })).toBe('b1 b2 a1 a2')
    expect(await group({ maxGroups: 0 })).toBe('')
  })

  it('follows links if offsets are missing, and keeps several entries of one node', async () => {
    const linked = [
      entry('c', 0.1, { relationships: { '1': { nodeId: 'D' }, '2': { nodeId: 'b' } } }),
      entry('b', 0.2, { relationships: { '1': { nodeId: 'D' }, '3': { nodeId: 'c' } } }),
      entry('c', 0.3, { relationships: { '1': { nodeId: 'D' } } }),
    ]
    expect(ids(await new DocumentGrouping().postprocessNodes(linked))).toBe('b c c')
  })

  it('groups by integers beyond 2^53, also in arrays and in the reasons', async () => {
    const [a, b] = [2n ** 64n, 2n ** 64n + 1n]
    const some = [a, b, a].map((file, index) => entry(`${index}`, 0, { metadata: { file, list: [file] } }))
    for (const groupKey of ['file', 'list']) {
      const ledger = new ExplanationLedger()
      const grouping = new DocumentGrouping({ groupKey, maxGroups: 1 })
      expect(ids(await grouping.postprocessNodes(some, { ledger }))).toBe('0 2')
      expect(ledger.entries.find(({ nodeId }) => nodeId === '1')?.reason).toContain('18446744073709551617')
    }
  })

  it('treats an entry that occurs twice as two entries', async () => {
    const twice = entry('a', 0.9, { metadata: { file: 'a' } })
    const other = entry('b', 0.95, { metadata: { file: 'a' } })
    const kept = await new DocumentGrouping({ groupKey: 'file', maxPerGroup: 2 }).postprocessNodes([
      twice,
      other,
      twice,
    ])
    expect(ids(kept)).toBe('a b')
  })

  it('records why a node was dropped', async () => {
    const ledger = new ExplanationLedger()
    const options = { groupKey: 'file', maxPerGroup: 1, maxGroups: 2 }
    await new DocumentGrouping(options).postprocessNodes(nodes, { ledger })
    const dropped = ledger.entries.filter(({ change }) => change === 'dropped')
    expect(dropped.map(({ nodeId, reason }) => `${nodeId}: ${reason}`)).toEqual([
      'b2: document "b", not among the best 1 of its document',
      'x: has no document, not among the first 2 documents',
      'a1: document "a", not among the best 1 of its document',
      'y: has no document, not among the first 2 documents',
    ])
  })
})
