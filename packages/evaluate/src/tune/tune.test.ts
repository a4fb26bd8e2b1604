import { TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { Bm25Retriever, VectorRetriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../statistics.ts'
import type { TestQuestion } from '../test-set.ts'
import { bm25OptionsOf, type RetrievalSettings } from './settings.ts'
import { tune } from './tune.ts'

const defaults = { tokenizer: 'default', k1: 1.5, b: 0.75 }
const next = randomNumbers(4)
const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join('')

/** English texts, each about one word of 12 letters; questions ask for its middle, which words and stems do not find, but parts do. */
const stems = Array.from({ length: 40 }, () => letters(8))
const partNodes = stems.map((stem, i) => new TextNode({ id: `${i}.md`, text: `This is the text about zu${stem}zu.` }))
const partQuestions: TestQuestion[] = stems.map((stem, i) => ({
  id: `${i}`,
  question: `What is the ${stem}?`,
  places: [{ source: `${i}.md` }],
}))

describe('tune', () => {
  it('lets other work run between settings, so that it can be cancelled', async () => {
    const parse = () => {
      for (const end = performance.now() + 11; performance.now() < end; );
      return partNodes
    }
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const testSet = partQuestions.slice(0, 1)
    const tuned = tune({ parse, chunkSizes: [1, 2, 3], testSet, tokenizers: [], bm25: [], signal: controller.signal })
    await expect(tuned).rejects.toBe('enough')
  })

  it('chooses parts of words where they are needed, and says by how much', async () => {
    const result = await tune({ nodes: partNodes, testSet: partQuestions })
    expect(result.isBaseline).toBe(false)
    expect(result.settings.tokenizer).toHaveProperty('ngrams')
    expect(result.heldOut).toMatchObject({ better: 'second', losses: 0 })
    expect(result.heldOut.difference.mean).toBeGreaterThan(0.9)
    expect(result.reason).toMatch(/^Better than the default settings by 1\.0000 on questions that did not take part/)
    const retriever = new Bm25Retriever({ nodes: partNodes, ...bm25OptionsOf(result.settings) })
    expect((await retriever.retrieve(`the ${stems[3]}`))[0]?.id).toBe('3.md')
  })

  it('returns plain JSON, the same in every run', async () => {
    const options = { nodes: partNodes.slice(0, 8), testSet: partQuestions.slice(0, 8) }
    const result = await tune(options)
    expect(JSON.parse(JSON.stringify(result))).toEqual(await tune(options))
  })

  it('keeps the default for few questions, and where a gain is luck', async () => {
    const few = await tune({ nodes: partNodes, testSet: partQuestions.slice(0, 4) })
    expect(few.settings).toEqual(defaults)
    expect(few.reason).toMatch(/^The default settings: what is chosen is not shown to be better, 1\.0000 on questions/)

    // Random right places: the best of many settings is better on these questions, and not on others.
    const words = Array.from({ length: 60 }, () => letters(3))
    const word = () => words[Math.floor(next() * 60)]!
    const text = (length: number) => Array.from({ length }, word).join(' ')
    const nodes = Array.from({ length: 80 }, (_, i) => new TextNode({ id: `${i}`, text: text(10 + (i % 40)) }))
    let changed = 0
    for (let round = 0; round < 8; round++) {
      const testSet = Array.from({ length: 30 }, (_, i) => ({
        id: `${i}`,
        question: text(6),
        places: [{ source: `${Math.floor(next() * 80)}` }],
      }))
      const result = await tune({ nodes, testSet, rounds: 400 })
      if (!result.isBaseline) changed++
      expect(result.best.mean).toBeGreaterThanOrEqual(result.baseline.mean)
    }
    expect(changed).toBeLessThanOrEqual(1)
  })

  it('tries each of the settings once', async () => {
    const tried: RetrievalSettings[] = []
    const onProgress = ({ settings }: { settings: RetrievalSettings }) => tried.push(settings)
    await tune({ nodes: partNodes, testSet: partQuestions, onProgress })
    const keys = tried.map((settings) => JSON.stringify(settings))
    expect(new Set(keys).size).toBe(keys.length)
    expect(tried[0]).toEqual(defaults)
  })

  it('chooses the chunk size', async () => {
    const parse = (size: number | undefined) =>
      partNodes.map(
        (node, i) => new TextNode({ id: node.id, text: size !== 2 ? node.text : `${node.text} ${stems[i]} is here.` }),
      )
    const result = await tune({ parse, chunkSizes: [1, 2], testSet: partQuestions, tokenizers: [], bm25: [] })
    expect(result.settings).toEqual({ ...defaults, chunkSize: 2 })
    expect(result.baseline.settings).toEqual(defaults)
    expect(result.reason).toMatch("Better than the default settings with chunks of the parser's own size by ")
    expect(await tune({ parse, chunkSizes: [2, 1], testSet: partQuestions, tokenizers: [], bm25: [] })).toMatchObject({
      settings: result.settings,
      reason: result.reason,
      heldOut: result.heldOut,
    })
    const today = { chunkSize: 2, k1: 1.2 }
    const kept = await tune({
      parse,
      chunkSizes: [1],
      baseline: today,
      testSet: partQuestions,
      tokenizers: [],
      bm25: [],
    })
    expect(kept).toMatchObject({ isBaseline: true, settings: { ...defaults, ...today } })
    expect(kept.reason).toMatch('Your settings with chunks of 2 and k1 1.2: ')
  })

  it('chooses the weight of vectors, and embeds each question once', async () => {
    const questions = partQuestions
      .slice(0, 12)
      .map((one, i) => ({ ...one, question: `Which text is about ${stems[i]}?` }))
    const vector = (i: number) => Array.from({ length: 13 }, (_, at) => (at === i ? 1 : 0))
    // The vectors of most questions are of a wrong text.
    const queries = Object.fromEntries(questions.map(({ question }, i) => [question, vector(i < 3 ? i : 12)]))
    const texts = Object.fromEntries(partNodes.slice(0, 13).map(({ text }, i) => [text, vector(i)]))
    const embedModel = new TableEmbedding({ texts, queries })
    const nodes = [
      ...partNodes.slice(0, 12).map(
        (node, i) =>
          new TextNode({
            id: node.id,
            text: node.text,
            metadata: { word: stems[i]! },
            embedding: vector(i),
            excludedEmbedMetadataKeys: [],
          }),
      ),
      new TextNode({ id: 'wrong', text: partNodes[12]!.text, embedding: vector(12) }),
    ]
    // Longer, so that the wrong text is not the worst one for the word `text`.
    nodes.push(
      new TextNode({
        id: 'long',
        text: `A long text: ${letters(4)} ${'and so on '.repeat(30)}`,
        embedding: vector(12).map((x) => x / 2),
      }),
    )
    let searches = 0
    const vectors = async () => {
      const retriever = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 3 })
      return {
        retrieve: (...args: Parameters<typeof retriever.retrieve>) => {
          searches++
          return retriever.retrieve(...args)
        },
      }
    }
    const result = await tune({ nodes, vectors, testSet: questions, tokenizers: [], bm25: [] })
    expect(result.tried.some(({ settings }) => settings.weights?.[0] === 4)).toBe(true)
    expect(result.best.settings.weights![0]).toBeGreaterThan(result.best.settings.weights![1])
    expect(searches).toBe(12)
  })

  it('uses questions of persons only, unless told otherwise', async () => {
    const testSet = partQuestions.map((question) => ({ ...question, origin: 'text' as const }))
    await expect(tune({ nodes: partNodes, testSet })).rejects.toThrow(
      'expected questions of the origin person with a right place',
    )
    expect((await tune({ nodes: partNodes, testSet, origins: ['text'] })).questions).toBe(40)
  })

  it('refuses neither and both of nodes and parse, and unknown names', async () => {
    const parse = () => partNodes
    const testSet = partQuestions
    await expect(tune({ testSet })).rejects.toThrow(expect.objectContaining({ code: 'configuration' }))
    await expect(tune({ testSet, nodes: partNodes, chunkSizes: [1] })).rejects.toThrow('chunk sizes need parse')
    await expect(tune({ testSet, nodes: partNodes, baseline: { chunkSize: 1 } })).rejects.toThrow('need parse')
    await expect(tune({ testSet, nodes: partNodes, baseline: { weights: [1, 2] } })).rejects.toThrow('needs vectors')
    await expect(tune({ testSet, nodes: partNodes, baseline: { k1: -1 } })).rejects.toThrow('tune.baseline.k1')
    await expect(tune({ testSet, parse, chunkSizes: [1], nodes: partNodes })).rejects.toThrow('expected either nodes')
    await expect(tune({ testSet, nodes: partNodes, fold: 3 } as never)).rejects.toThrow(/tune\.fold/)
    expect(() => bm25OptionsOf({ tokenizer: { stopWords: 'xx' }, k1: 1, b: 1 })).toThrow(
      /tokenizer\.stopWords: expected en, de/,
    )
  })
})
