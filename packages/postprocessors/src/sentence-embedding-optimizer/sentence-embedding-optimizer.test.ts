import { type EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gate, LetterEmbedding } from '../../test/stand-ins.ts'
import { getTopKEmbeddings, SentenceEmbeddingOptimizer } from './sentence-embedding-optimizer.ts'

const entry = (text: string) => new NodeWithScore({ node: new TextNode({ text }) })

describe('SentenceEmbeddingOptimizer', () => {
  const far = new TableEmbedding({ texts: { 'A.': [0, 1] }, queries: { q: [1, 0] } })

  it('throws for a node without a sentence above the threshold, drops it or keeps it', async () => {
    const shorten = (onEmpty: 'throw' | 'drop' | 'keep') =>
      new SentenceEmbeddingOptimizer({ embedModel: far, thresholdCutoff: 0.5, onEmpty }).postprocessNodes(
        [entry('A.')],
        { queryStr: 'q' },
      )
    await expect(shorten('throw')).rejects.toMatchObject({ code: 'zero_sentences' })
    expect(await shorten('drop')).toEqual([])
    expect((await shorten('keep')).map(({ text }) => text)).toEqual(['A.'])
  })

  it('embeds the query once for all nodes, and not at all if it has an embedding', async () => {
    const embedModel = new TableEmbedding({ texts: { 'A.': [1, 0] }, queries: { q: [1, 0] } })
    const optimizer = new SentenceEmbeddingOptimizer({ embedModel })
    await optimizer.postprocessNodes([entry('A.'), entry('A.')], { queryStr: 'q' })
    await optimizer.postprocessNodes([entry('A.')], {
      queryBundle: new QueryBundle({ queryStr: 'x', embedding: [1, 0] }),
    })
    expect(embedModel.requests.filter(([kind]) => kind === 'query')).toEqual([['query', 'q']])
  })

  it('embeds the sentences of all nodes with one request, or many sentences with concurrent requests', async () => {
    const shorten = async (nodes: NodeWithScore[], maxConcurrency = 1) => {
      const gate = new Gate()
      const embedModel = {
        getQueryEmbedding: async () => [1, 0],
        getTextEmbeddingBatch: (texts: readonly string[]) =>
          gate.pass(() => texts.map((text) => (text.startsWith('A') ? [1, 0] : [0, 1]))),
      } as unknown as EmbeddingModel
      const options = { embedModel, maxConcurrency, percentileCutoff: 0.5, contextBefore: 0, contextAfter: 0 }
      const shortened = await new SentenceEmbeddingOptimizer(options).postprocessNodes(nodes, { queryStr: 'q' })
      return { gate, texts: shortened.map(({ text }) => text) }
    }
    const few = await shorten(Array.from({ length: 20 }, (_, n) => entry(`A ${n}. B ${n}.`)))
    expect(few.gate.calls).toBe(1)
    expect(few.texts).toEqual(Array.from({ length: 20 }, (_, n) => `A ${n}.`))
    const many = await shorten([entry(''), ...Array.from({ length: 300 }, (_, n) => entry(`B ${n}. A ${n}. C.`))], 2)
    expect([many.gate.calls, many.gate.mostInFlight]).toEqual([4, 2])
    expect(many.texts).toEqual(['', ...Array.from({ length: 300 }, (_, n) => `A ${n}.`)])
  })

  it('rejects a wrong number of vectors, so that no sentence is silently dropped', async () => {
    for (const vectors of [
      [[1, 0]],
      [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      undefined,
    ]) {
      const embedModel = {
        getQueryEmbedding: async () => [1, 0],
        getTextEmbedding: async () => [1, 0],
        getTextEmbeddingBatch: async () => vectors as number[][],
      }
      await expect(
        new SentenceEmbeddingOptimizer({ embedModel }).postprocessNodes([entry('One came. Two left.')], {
          queryStr: 'q',
        }),
      ).rejects.toMatchObject({ code: 'embedding_dimension', expected: 2, received: vectors?.length ?? 0 })
    }
  })

  it('rejects an invalid language tag', () => {
    expect(() => new SentenceEmbeddingOptimizer({ lang: '!!' })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })

  it('never lengthens the text and keeps sentences in order, each once', async () => {
    const sentence = fc.constantFrom('Cats purr.', 'Dogs bark!', 'Is it?', 'Yes.', 'A bird sang.')
    const option = fc.record({
      percentileCutoff: fc.constantFrom(null, 0, 0.3, 1),
      contextBefore: fc.constantFrom(null, 0, 2),
      contextAfter: fc.constantFrom(0, 1, 9),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 8 }), option, async (sentences, options) => {
        const tagged = sentences.map((text, index) => `S${index} ${text}`)
        const optimizer = new SentenceEmbeddingOptimizer({ embedModel: new LetterEmbedding(), ...options })
        const [result] = await optimizer.postprocessNodes([entry(tagged.join(' '))], { queryStr: 'cats' })
        const places = [...result!.text.matchAll(/S(\d)/g)].map(([, digit]) => Number(digit))
        expect(places.length).toBeGreaterThan(0)
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
        expect(result!.text).toBe(places.map((place) => tagged[place]).join(' '))
      }),
      { numRuns: 60 },
    )
  })
})

describe('getTopKEmbeddings', () => {
  it('ranks NaN last, and below every cutoff', () => {
    const similarityFn = (_: readonly number[], [value]: readonly number[]) => value!
    const vectors = [[Number.NaN], [1], [3], [1]]
    expect(getTopKEmbeddings([0], vectors, { similarityFn })).toEqual([
      [3, 1, 1, Number.NaN],
      [2, 1, 3, 0],
    ])
    expect(getTopKEmbeddings([0], vectors, { similarityFn, cutoff: 1, topK: null })).toEqual([[3], [2]])
    for (const topK of [0, -1]) expect(getTopKEmbeddings([0], vectors, { similarityFn, topK })).toEqual([[], []])
  })
})
