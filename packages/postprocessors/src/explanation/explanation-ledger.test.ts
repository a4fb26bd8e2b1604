import { NodeWithScore, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { LongContextReorder } from '../long-context-reorder.ts'
import { MetadataReplacementPostProcessor } from '../metadata-replacement-postprocessor.ts'
import { PostprocessorPipeline } from '../pipeline/postprocessor-pipeline.ts'
import { PrevNextNodePostprocessor } from '../prev-next/prev-next-node-postprocessor.ts'
import { SimilarityPostprocessor } from '../similarity-postprocessor.ts'
import { ExplanationLedger } from './explanation-ledger.ts'

const a = new TextNode({ id: 'a', text: 'A', metadata: { window: 'A wide' }, relationships: { '3': { nodeId: 'b' } } })
const b = new TextNode({ id: 'b', text: 'B', relationships: { '2': { nodeId: 'a' } } })
const entries = [
  new NodeWithScore({ node: new TextNode({ id: 'x' }), score: 0.9 }),
  new NodeWithScore({ node: a, score: 0.8 }),
  new NodeWithScore({ node: new TextNode({ id: 'y' }), score: 0.1 }),
]

describe('ExplanationLedger', () => {
  it('records all steps of a pipeline and prints them as a table', async () => {
    const ledger = new ExplanationLedger()
    const pipeline = new PostprocessorPipeline({
      postprocessors: [
        new SimilarityPostprocessor({ similarityCutoff: 0.5 }),
        new PrevNextNodePostprocessor({ docstore: new MapDocumentStore([a, b]) }),
        new MetadataReplacementPostProcessor({ targetMetadataKey: 'window' }),
        new LongContextReorder(),
      ],
    })
    await pipeline.postprocessNodes(entries, { ledger })
    expect(`\n${ledger}`).toMatchInlineSnapshot(`
      "
      step                                node  change     rank   score    reason
      ----------------------------------  ----  ---------  -----  -------  ---------------------------------
      1 SimilarityPostprocessor           x     kept       1      0.9      score 0.9 reaches the cutoff 0.5
      1 SimilarityPostprocessor           a     kept       2      0.8      score 0.8 reaches the cutoff 0.5
      1 SimilarityPostprocessor           y     dropped    3 → –  0.1 → –  score 0.1 is below the cutoff 0.5
      2 PrevNextNodePostprocessor         x     kept       1      0.9      retrieved; in document order
      2 PrevNextNodePostprocessor         a     kept       2      0.8      retrieved; in document order
      2 PrevNextNodePostprocessor         b     added      – → 3           neighbour of a retrieved node
      3 MetadataReplacementPostProcessor  x     kept       1      0.9      no metadata entry "window"
      3 MetadataReplacementPostProcessor  a     rewritten  2      0.8      text is metadata entry "window"
      3 MetadataReplacementPostProcessor  b     kept       3               no metadata entry "window"
      4 LongContextReorder                x     kept       1      0.9      relevance rank 1 of 3
      4 LongContextReorder                b     moved      3 → 2           relevance rank 3 of 3
      4 LongContextReorder                a     moved      2 → 3  0.8      relevance rank 2 of 3"
    `)
    expect(ledger.of('b').map(({ change }) => change)).toEqual(['added', 'kept', 'moved'])
  })

  it('distinguishes several entries of the same node by their order', () => {
    const ledger = new ExplanationLedger()
    const twice = [entries[0]!, entries[0]!, entries[1]!]
    ledger.record('Step', twice, [entries[1]!, entries[0]!], new Map())
    expect(
      ledger.entries.map(({ nodeId, change, rankBefore, rankAfter }) => [nodeId, change, rankBefore, rankAfter]),
    ).toEqual([
      ['a', 'moved', 3, 1],
      ['x', 'moved', 1, 2],
      ['x', 'dropped', 2, null],
    ])
  })

  it('takes each entry of the input once, whether the result has the entry or a copy', () => {
    const [one, other] = [0.1, 0.2].map((score) => new NodeWithScore({ node: a, score }))
    const ledger = new ExplanationLedger()
    ledger.record('Step', [one!, other!], [one!, other!.copy()], new Map())
    expect(ledger.entries.map(({ rankBefore, scoreBefore }) => [rankBefore, scoreBefore])).toEqual([
      [1, 0.1],
      [2, 0.2],
    ])
  })

  it('accepts metadata that JSON cannot represent', () => {
    const node = (count: bigint) => TextNode.construct({ id: 'a', metadata: { count } })
    const [one, same, other] = [1n, 1n, 2n].map((count) => NodeWithScore.construct({ node: node(count), score: 1 }))
    const ledger = new ExplanationLedger()
    ledger.record('Same', [one!], [same!], new Map())
    ledger.record('Other', [one!], [other!], new Map())
    expect(ledger.entries.map(({ change }) => change)).toEqual(['kept', 'rewritten'])
  })

  it('prints each entry on one line', () => {
    const many = Array.from({ length: 150_000 }, () => entries[0]!)
    const ledger = new ExplanationLedger()
    ledger.record('Step', many, many, new Map([[entries[0]!, 'two\nlines']]))
    const lines = String(ledger).split('\n')
    expect(lines.length).toBe(many.length + 2)
    expect(lines[2]).toBe('1 Step  x     kept    1       0.9    two lines')
  })
})
