import { Document, type NodeWithScore, type QueryBundle, TextNode } from '@x/core-model'
import { MarkdownNodeParser } from '@x/node-parser'
import { ExplanationLedger, SimilarityPostprocessor } from '@x/postprocessors'
import { Bm25Retriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { evaluateRetriever } from './evaluate-retriever.ts'
import { readTestSet } from './test-set.ts'

const text = `# Fruit

Pears are green and grow on trees. Pears are sweet.

## Apples

Apples are red. They keep for months in a cool cellar.

## Wine

Wine is made of grapes.
`
const sources: Record<string, string> = { 'fruit.md': text }
const sourceText = (source: string) => sources[source]
const parsed = (options: object) =>
  new MarkdownNodeParser(options).getNodesFromDocuments([new Document({ id: 'fruit.md', text })])

const testSet = readTestSet(
  [
    '{"id":"pear","question":"Which colour has a pear?","places":[{"source":"fruit.md","lines":[3,3]}]}',
    '{"id":"apple","question":"How long do apples keep?","places":[{"source":"fruit.md","lines":[7,7]}]}',
    '{"id":"moon","question":"Who lives on the moon?","places":[]}',
  ].join('\n'),
)

describe('evaluateRetriever', () => {
  it('lets other work run between questions, so that it can be cancelled', async () => {
    const retrieve = async () => {
      for (const end = performance.now() + 11; performance.now() < end; );
      return []
    }
    const questions = Array.from({ length: 5 }, (_, i) => ({ ...testSet[0]!, id: `${i}` }))
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const run = evaluateRetriever({ retriever: { retrieve }, testSet: questions, signal: controller.signal })
    await expect(run).rejects.toBe('enough')
  })

  it('returns the same measures for another chunking, by lines or by offsets', async () => {
    const offsets = testSet.map(({ places, ...question }) => ({
      ...question,
      places: places.map(({ source, lines = [1, 1] }) => {
        const starts = text.split('\n').map((_, i, all) => all.slice(0, i).join('\n').length + (i > 0 ? 1 : 0))
        return { source, offsets: [starts[lines[0] - 1]!, starts[lines[1]]!] as const }
      }),
    }))
    for (const options of [{}, { lineNumbers: true }, { chunkSize: 16 }, { chunkSize: 16, lineNumbers: true }])
      for (const questions of [testSet, offsets]) {
        const retriever = new Bm25Retriever({ nodes: await parsed(options) })
        const run = await evaluateRetriever({ retriever, testSet: questions, sourceText })
        expect(run.measures.recall.mean).toBe(1)
        expect(run.measures.ndcg.mean).toBe(1)
      }
  })

  it('finds places by their words, wherever they have moved', async () => {
    const quotes = [
      {
        id: 'pear',
        question: 'Which colour has a pear?',
        places: [{ source: 'fruit.md', quote: 'grow on  trees. Pears' }],
      },
      {
        id: 'apple',
        question: 'How long do apples keep?',
        places: [{ source: 'fruit.md', quote: 'cool cellar.\n\n## Wine' }],
      },
    ]
    for (const options of [{ chunkSize: 16 }, { chunkSize: 16, lineNumbers: true }]) {
      const retriever = new Bm25Retriever({ nodes: await parsed(options) })
      const run = await evaluateRetriever({ retriever, testSet: quotes, sourceText })
      expect(run.measures.recall.mean).toBe(1)
      expect(run.measures.mrr.mean).toBe(1)
      const gone = [{ ...quotes[0]!, places: [{ source: 'fruit.md', quote: 'Plums (fresh)' }] }]
      await expect(evaluateRetriever({ retriever, testSet: gone, sourceText })).rejects.toThrow(
        'fruit.md: it does not contain the quote "Plums (fresh)".',
      )
      await expect(evaluateRetriever({ retriever, testSet: quotes })).rejects.toThrow('pass `sourceText`')
      const later = (async (source: string) => sources[source]) as never
      await expect(evaluateRetriever({ retriever, testSet: quotes, sourceText: later })).rejects.toMatchObject({
        message: expect.stringMatching('which is not asynchronous, received an instance of Promise'),
      })
    }
  })

  it('counts questions without a right place and does not ask them', async () => {
    const asked: string[] = []
    const retriever = {
      retrieve: async (query: string | QueryBundle) => {
        asked.push(String(query))
        return []
      },
    }
    const run = await evaluateRetriever({ retriever, testSet })
    expect(run.unanswerable).toBe(1)
    expect(run.questions.map(({ id }) => id)).toEqual(['pear', 'apple'])
    expect(asked).toHaveLength(2)
  })

  it('is plain JSON, the same in every run', async () => {
    const retriever = new Bm25Retriever({
      nodes: await parsed({ lineNumbers: true, idFunc: (at: number) => `n${at}` }),
    })
    const run = await evaluateRetriever({ retriever, testSet, name: 'docs' })
    const again = await evaluateRetriever({ retriever, testSet, name: 'docs', maxConcurrency: 2 })
    expect(JSON.parse(JSON.stringify(run))).toEqual(again)
  })

  it('throws when lines and offsets cannot be compared', async () => {
    const retriever = new Bm25Retriever({ nodes: await parsed({}) })
    await expect(evaluateRetriever({ retriever, testSet })).rejects.toThrow(
      expect.objectContaining({
        code: 'place',
        message: expect.stringMatching(/its lines are not known.*`lineNumbers: true`/),
      }),
    )
  })

  it('refuses a test set without right places, and questions that are not valid', async () => {
    const retriever = { retrieve: async () => [] }
    await expect(evaluateRetriever({ retriever, testSet: testSet.slice(2) })).rejects.toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
    const twice = [testSet[0]!, { ...testSet[1]!, id: 'pear' }]
    await expect(evaluateRetriever({ retriever, testSet: twice })).rejects.toThrow('"pear" is the id of line 1 too')
    const turned = [{ ...testSet[0]!, places: [{ source: 'a', lines: [3, 1] as const }] }]
    await expect(evaluateRetriever({ retriever, testSet: turned })).rejects.toThrow(/places\[0\]\.lines/)
  })

  it('refuses unknown options', async () => {
    await expect(
      evaluateRetriever({ retriever: { retrieve: async () => [] }, testSet, top: 3 } as never),
    ).rejects.toThrow(/evaluateRetriever\.top/)
    const signal = new AbortController() as never
    await expect(evaluateRetriever({ retriever: { retrieve: async () => [] }, testSet, signal })).rejects.toThrow(
      'evaluateRetriever.signal: expected an AbortSignal',
    )
  })

  it.each([null, [null], 'nodes', {}])('refuses %j from a retriever or a postprocessor', async (nodes) => {
    const found = async () => nodes as never
    const run = (options: Pick<Parameters<typeof evaluateRetriever>[0], 'retriever' | 'postprocessors'>) =>
      evaluateRetriever({ testSet, sourceText, ...options })
    const code = 'model_validation'
    await expect(run({ retriever: { retrieve: found } })).rejects.toMatchObject({ code })
    const retriever = { retrieve: async () => [] }
    await expect(run({ retriever, postprocessors: [{ postprocessNodes: found }] })).rejects.toMatchObject({ code })
  })

  it('stops when the signal is aborted', async () => {
    const controller = new AbortController()
    const retriever = new Bm25Retriever({ nodes: await parsed({ lineNumbers: true }) })
    const onProgress = () => controller.abort(new Error('enough'))
    await expect(evaluateRetriever({ retriever, testSet, signal: controller.signal, onProgress })).rejects.toThrow(
      'enough',
    )
  })
})

describe('the reason of a miss', () => {
  const nodes = ['Pears are green.', 'Pears and wine.', 'Grapes grow.'].map(
    (text, i) => new TextNode({ id: `${i}`, text, metadata: { file: `${i}.md` } }),
  )
  const question = (question: string, source: string) => readTestSet(JSON.stringify({ question, places: [{ source }] }))
  const missOf = async (testSet: ReturnType<typeof question>, options: object = {}) => {
    const retriever = new Bm25Retriever({ nodes })
    return (await evaluateRetriever({ retriever, testSet, nodes, ...options })).questions[0]!.misses[0]
  }

  it('is that no term is in common', async () => {
    expect(await missOf(question('Which fruit is sweet?', '2.md'))).toEqual({
      place: '2.md',
      kind: 'no_common_term',
      reason: 'no term in common with the question',
    })
  })

  it('is that no node contains the place', async () => {
    expect(await missOf(question('Which pear?', 'gone.md'))).toMatchObject({ kind: 'no_node' })
  })

  it('is the rank after the first k', async () => {
    expect(await missOf(question('Are pears green?', '1.md'), { k: 1 })).toEqual({
      place: '1.md',
      kind: 'ranked_low',
      reason: 'ranked 2, after the first 1',
    })
  })

  it('is that it was not retrieved, with the terms in common', async () => {
    const retriever = new Bm25Retriever({ nodes, similarityTopK: 1 })
    expect(await missOf(question('Are pears green?', '1.md'), { retriever })).toEqual({
      place: '1.md',
      kind: 'not_retrieved',
      reason: 'not among the 1 nodes retrieved; 1 of 2 terms in common (pear)',
    })
    expect(await missOf(question('Are pears green?', '1.md'), { retriever, nodes: undefined })).toEqual({
      place: '1.md',
      kind: 'not_retrieved',
      reason: 'not among the 1 nodes retrieved',
    })
  })

  it('is the step that dropped it, with its reason from the ledger', async () => {
    const keepAll = { postprocessNodes: (list: readonly NodeWithScore[]) => list }
    const postprocessors = [keepAll, new SimilarityPostprocessor({ similarityCutoff: 99 })]
    const testSet = question('Are pears green?', '0.md')
    expect(await missOf(testSet, { postprocessors })).toMatchObject({
      kind: 'dropped',
      reason: 'dropped by step 2 (SimilarityPostprocessor)',
    })
    const explained = await missOf(testSet, { postprocessors, ledger: () => new ExplanationLedger() })
    expect(explained?.reason).toMatch(
      /^dropped by step 2 \(SimilarityPostprocessor\): score [\d.]+ is below the cutoff 99$/,
    )
  })
})
