/**
 * Compares the similarity filter of 10,000 nodes with a plain loop and with LlamaIndexTS. Exits with 1 when it takes more than 1.5
 * times as long as the loop.
 *
 * @example npm run bench -- postprocessors
 */
import { SimilarityPostprocessor as Peer } from 'llamaindex'
import { NodeWithScore, TextNode } from '../packages/core-model/src/index.ts'
import { SimilarityPostprocessor } from '../packages/postprocessors/src/index.ts'
import { writeFigures } from '../tools/figures.ts'
import { bar, interleaved, numbers, tableOf } from './contest.ts'

const next = numbers(7)
const nodes = Array.from(
  { length: 10_000 },
  (_, i) => new NodeWithScore({ node: new TextNode({ id: `n${i}`, text: `${i}` }), score: next() }),
)
const plain = nodes.map(({ node, score }) => ({ node, score }))
const OURS = '`SimilarityPostprocessor`'
const own = new SimilarityPostprocessor({ similarityCutoff: 0.5 })
const peer = new Peer({ similarityCutoff: 0.5 })
const times = await interleaved(
  {
    'a plain loop': () => {
      const kept: NodeWithScore[] = []
      for (const node of nodes) if (node.score !== null && node.score >= 0.5) kept.push(node)
      return kept
    },
    [OURS]: () => own.postprocessNodes(nodes),
    LlamaIndexTS: () => peer.postprocessNodes(plain as never),
  },
  41,
  3,
)
const title = 'the nodes of 10,000 whose score is at least a cutoff'
const peers = { LlamaIndexTS: 'llamaindex' }
writeFigures('postprocessors', [tableOf({ title, measure: 'milliseconds', digits: 3, better: 'less' }, times, peers)])
const ratio = times.get(OURS)! / times.get('a plain loop')!
bar(ratio <= 1.5, `${ratio.toFixed(2)} times as long as a plain loop (bar 1.5)`)
