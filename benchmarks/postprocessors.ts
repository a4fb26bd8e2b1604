/**
 * Compares the similarity filter and the reordering of 10,000 nodes with a plain loop and, if it is installed, with LlamaIndexTS.
 * Then it measures how the time of every class that calls no model grows from 1,000 to 100,000 nodes.
 * Exits with 1 when a bar is missed.
 *
 * @example npm run bench -- postprocessors
 */

import { NodeWithScore, TextNode } from '../packages/core-model/src/index.ts'
import { MapDocumentStore } from '../packages/core-model/src/testing.ts'
import * as postprocessors from '../packages/postprocessors/src/index.ts'
import { peerVersion, writeFigures } from '../tools/figures.ts'

const words = 'red green blue river stone paper window garden market letter number night'.split(' ')

/** A linear congruential generator: the same nodes in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

function makeNodes(count: number): NodeWithScore[] {
  const next = numbers(7)
  return Array.from({ length: count }, (_, i) => {
    const text = Array.from({ length: 30 }, () => words[Math.floor(next() * words.length)]).join(' ')
    const node = new TextNode({
      id: `n${i}`,
      text: `${text} ${i % 1000}`,
      embedding: Array.from({ length: 16 }, () => next() - 0.5),
      metadata: {
        date: new Date(next() * 1.7e12).toISOString(),
        window: text,
        file: `f${i % 97}`,
        __last_accessed__: next() * 1e9,
      },
      startCharIdx: i,
      relationships: {
        ...(i > 0 && { '2': { nodeId: `n${i - 1}` } }),
        ...(i < count - 1 && { '3': { nodeId: `n${i + 1}` } }),
      },
    })
    return new NodeWithScore({ node, score: next() })
  })
}

/** Returns the median time of each contestant in milliseconds. Runs are interleaved, so that noise affects all of them equally. */
async function medians(contestants: Record<string, () => unknown>, rounds: number): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round < rounds + 3; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const start = performance.now()
      await run()
      if (round >= 3) times[name]!.push(performance.now() - start)
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]!]),
  )
}

/** The maximum growth of the time per node from 1,000 to 100,000 nodes. A quadratic class grows by about 100. */
const growthBar = 15
let missed = 0
const print = (line: string) => process.stdout.write(`${line}\n`)

// 1. Ratios to a plain loop.

const plainFilter = (nodes: readonly NodeWithScore[]) => {
  const kept: NodeWithScore[] = []
  for (const node of nodes) if (node.score !== null && node.score >= 0.5) kept.push(node)
  return kept
}

const plainReorder = (nodes: readonly NodeWithScore[]) => {
  const sorted = [...nodes].sort((a, b) => a.score! - b.score!)
  const front: NodeWithScore[] = []
  const back: NodeWithScore[] = []
  for (const [index, node] of sorted.entries()) (index % 2 === 0 ? front : back).push(node)
  return [...front.reverse(), ...back]
}

async function peer(nodes: readonly NodeWithScore[]): Promise<Record<string, () => unknown>> {
  try {
    const name = 'llamaindex'
    const { SimilarityPostprocessor } = await import(name)
    const filter = new SimilarityPostprocessor({ similarityCutoff: 0.5 })
    const plain = nodes.map(({ node, score }) => ({ node, score }))
    return { 'LlamaIndexTS filter': () => filter.postprocessNodes(plain) }
  } catch {
    return {}
  }
}

{
  const nodes = makeNodes(10_000)
  const filter = new postprocessors.SimilarityPostprocessor({ similarityCutoff: 0.5 })
  const reorder = new postprocessors.LongContextReorder()
  const contestants = {
    'loop: filter': () => plainFilter(nodes),
    SimilarityPostprocessor: () => filter.postprocessNodes(nodes),
    'loop: reorder': () => plainReorder(nodes),
    LongContextReorder: () => reorder.postprocessNodes(nodes),
    'loop: filter + reorder': () => plainReorder(plainFilter(nodes)),
    'filter + reorder': async () => reorder.postprocessNodes(await filter.postprocessNodes(nodes)),
    ...(await peer(nodes)),
  }
  const times = await medians(contestants, 41)
  print('10,000 nodes, median of 41 interleaved runs')
  const bars: [string, string, number][] = [
    ['SimilarityPostprocessor', 'loop: filter', 1.5],
    ['LongContextReorder', 'loop: reorder', 1.5],
    ['filter + reorder', 'loop: filter + reorder', 1.5],
  ]
  for (const [ours, floor, bar] of bars) {
    const ratio = times[ours]! / times[floor]!
    if (ratio > bar) missed++
    print(
      `  ${ours.padEnd(24)} ${times[ours]!.toFixed(3)} ms, plain loop ${times[floor]!.toFixed(3)} ms: ${ratio.toFixed(2)} times (bar ${bar})`,
    )
  }
  const theirs = times['LlamaIndexTS filter']
  if (theirs !== undefined)
    writeFigures('postprocessors', [
      {
        title: 'the nodes of 10,000 whose score is at least a cutoff',
        measure: 'milliseconds',
        unit: '',
        digits: 3,
        better: 'less',
        rows: [
          { name: '`SimilarityPostprocessor`', value: times['SimilarityPostprocessor']!, ours: true },
          { name: 'LlamaIndexTS', value: theirs, version: peerVersion('llamaindex') },
          { name: 'a plain loop', value: times['loop: filter']! },
        ],
      },
    ])
  print(
    theirs === undefined
      ? '  LlamaIndexTS is not installed here'
      : `  LlamaIndexTS filter      ${theirs.toFixed(3)} ms: ${(times['SimilarityPostprocessor']! / theirs).toFixed(2)} times its time`,
  )
}

// 2. Growth of every class that calls no model.

const sizes = [1_000, 10_000, 100_000]
const lists = new Map(sizes.map((size) => [size, makeNodes(size)]))
const stores = new Map([...lists].map(([size, list]) => [size, new MapDocumentStore(list.map(({ node }) => node))]))
const subjects: Record<string, (size: number) => postprocessors.NodePostprocessor> = {
  SimilarityPostprocessor: () => new postprocessors.SimilarityPostprocessor({ similarityCutoff: 0.5 }),
  KeywordNodePostprocessor: () =>
    new postprocessors.KeywordNodePostprocessor({
      requiredKeywords: ['river stone', 'zebra'],
      excludeKeywords: ['mark'],
    }),
  LongContextReorder: () => new postprocessors.LongContextReorder(),
  MetadataReplacementPostProcessor: () =>
    new postprocessors.MetadataReplacementPostProcessor({ targetMetadataKey: 'window' }),
  PrevNextNodePostprocessor: (size) =>
    new postprocessors.PrevNextNodePostprocessor({ docstore: stores.get(size)!, mode: 'both' }),
  FixedRecencyPostprocessor: (size) => new postprocessors.FixedRecencyPostprocessor({ topK: size }),
  TimeWeightedPostprocessor: (size) => new postprocessors.TimeWeightedPostprocessor({ topK: size, now: 1.7e9 }),
  NERPIINodePostprocessor: () =>
    new postprocessors.NERPIINodePostprocessor({ ner: () => [{ entity_group: 'ITEM', word: 'river' }] }),
  Deduplicate: () => new postprocessors.Deduplicate(),
  TokenBudget: (size) => new postprocessors.TokenBudget({ maxTokens: size * 20 }),
  DocumentGrouping: () => new postprocessors.DocumentGrouping({ groupKey: 'file', maxPerGroup: 50 }),
  MaximalMarginalRelevance: () => new postprocessors.MaximalMarginalRelevance({ topN: 10 }),
  RankFusion: (size) =>
    new postprocessors.RankFusion({
      topN: size,
      rankers: [new postprocessors.LongContextReorder(), new postprocessors.FixedRecencyPostprocessor({ topK: size })],
    }),
}

print('\nGrowth: microseconds per node at 1,000, 10,000 and 100,000 nodes (best of several runs)')
for (const [name, create] of Object.entries(subjects)) {
  const perNode: number[] = []
  for (const [index, size] of sizes.entries()) {
    const postprocessor = create(size)
    const nodes = lists.get(size)!
    let best = Number.POSITIVE_INFINITY
    for (let run = 0; run < [8, 4, 3][index]!; run++) {
      const start = performance.now()
      await postprocessor.postprocessNodes(nodes)
      best = Math.min(best, performance.now() - start)
    }
    perNode.push((best * 1000) / size)
  }
  // With a hundred times as many nodes, a quadratic class takes a hundred times as long per node; sorting and caches cost a little.
  const growth = perNode[2]! / perNode[0]!
  if (growth > growthBar) missed++
  print(
    `  ${name.padEnd(34)} ${perNode.map((time) => time.toFixed(2).padStart(8)).join(' ')}   x${growth.toFixed(2)}${growth > growthBar ? '  quadratic?' : ''}`,
  )
}

// 3. Growth with the length of one string, for the functions that read text.

const textSubjects: Record<string, (text: string) => unknown> = {
  keywordMatcher: postprocessors.keywordMatcher(['nowhere found', 'iver']),
  splitSentences: (text) => postprocessors.splitSentences(text),
  textWindows: (text) => postprocessors.textWindows(text, { size: 500, overlap: 50 }),
  applyPiiMapping: (text) => postprocessors.applyPiiMapping(text, { A: 'river', B: 'green garden' }),
  maskEntities: (text) => postprocessors.maskEntities(text, [{ entity_group: 'ITEM', word: 'river' }]),
  choices: (text) => postprocessors.defaultParseChoiceSelectAnswerFn(text, 10),
}
print('\nGrowth: nanoseconds per unit of one text of 10,000, 100,000 and 1,000,000 units')
for (const [name, run] of Object.entries(textSubjects)) {
  const perUnit = [10_000, 100_000, 1_000_000].map((size, index) => {
    const next = numbers(3)
    let text = ''
    while (text.length < size) text += `${words[Math.floor(next() * words.length)]}${next() < 0.1 ? '. ' : ' '}`
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < [6, 3, 3][index]!; round++) {
      const start = performance.now()
      run(text)
      best = Math.min(best, performance.now() - start)
    }
    return (best * 1e6) / size
  })
  const growth = perUnit[2]! / perUnit[0]!
  if (growth > growthBar) missed++
  print(
    `  ${name.padEnd(34)} ${perUnit.map((time) => time.toFixed(1).padStart(8)).join(' ')}   x${growth.toFixed(2)}${growth > growthBar ? '  quadratic?' : ''}`,
  )
}

print(missed === 0 ? '\nAll bars met.' : `\n${missed} bars missed.`)
process.exitCode = missed === 0 ? 0 : 1
