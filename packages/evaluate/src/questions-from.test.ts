import { Document, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { evaluateRetriever } from './evaluate-retriever.ts'
import { questionsFrom } from './questions-from.ts'
import { readTestSet, writeTestSet } from './test-set.ts'

const answer = 'They are kept in a cool and dark cellar, each wrapped in paper, for some months.'
const node = (text: string, id = 'a') => new TextNode({ id, text })

describe('questionsFrom without a model', () => {
  it('takes a heading of several words, otherwise the first sentence', async () => {
    const nodes = [
      node(`## How apples are kept ##\n\n${answer}`),
      node(`# Apples\n\nApples keep for months if one knows how. ${answer}`, 'b'),
      node(`Dr. J. Smith keeps apples in winter. ${answer}`, 'c'),
      node('# How apples are kept\n\nCool.', 'd'),
      node('Short. Text.', 'e'),
      node('', 'f'),
    ]
    expect((await questionsFrom(nodes)).map(({ id, question }) => [id, question])).toEqual([
      ['a', 'How apples are kept'],
      ['b', 'Apples keep for months if one knows how.'],
      ['c', 'Dr. J. Smith keeps apples in winter.'],
    ])
  })

  it('has the places of the nodes, is a test set, and its questions are found', async () => {
    const text = `# How apples are kept\n\n${answer}\n\n# What pears are for\n\nPears are eaten at once, because they do not keep for long, not even in a cellar.`
    for (const lineNumbers of [true, false]) {
      const nodes = await new MarkdownNodeParser({ lineNumbers }).getNodesFromDocuments([
        new Document({ id: 'x.md', text }),
      ])
      const questions = await questionsFrom(nodes)
      expect(questions[1]?.places).toEqual([
        lineNumbers ? { source: 'x.md', lines: [5, 7] } : { source: 'x.md', offsets: [105, text.length] },
      ])
      expect(readTestSet(writeTestSet(questions))).toEqual(questions)
      const run = await evaluateRetriever({ retriever: new Bm25Retriever({ nodes }), testSet: questions })
      expect(run.measures.ndcg.mean).toBe(1)
    }
  })

  it('reads a heading in time linear in its length', { tags: 'growth' }, async () => {
    const read = (size: number) => questionsFrom([node(`# How${' '.repeat(size)}\t\r\n${answer}`)])
    expect(await growthOf(read, 1000)).toBeLessThan(1.75)
  })

  it('returns at most the limit, at equal distances', async () => {
    const nodes = Array.from({ length: 10 }, (_, i) => node(`# How apples are kept\n\n${answer}`, `${i}`))
    expect((await questionsFrom(nodes, { limit: 4 })).map(({ id }) => id)).toEqual(['0', '2', '5', '7'])
  })
})

describe('questionsFrom with a model', () => {
  it('asks for one question per node, and leaves out answers that are none', async () => {
    const llm = new ScriptedLLM({ answers: ['<think>hm</think>"Where do apples\n keep?"', '…', 'x'.repeat(501)] })
    const nodes = ['a', 'b', 'c'].map((id) => node(answer, id))
    expect(await questionsFrom(nodes, { llm, maxConcurrency: 1 })).toEqual([
      { id: 'a', question: 'Where do apples keep?', places: [{ source: 'a' }], origin: 'model' },
    ])
  })

  it('continues after a failure without repeating the calls that were saved', async () => {
    const saved = new Map<string, unknown>()
    const durable = async <T>(name: string, fn: () => Promise<T>): Promise<T> => {
      if (!saved.has(name)) saved.set(name, await fn())
      return saved.get(name) as T
    }
    const nodes = ['a', 'b'].map((id) => node(answer, id))
    const first = new ScriptedLLM({ answers: ['Where?'] })
    const failing = questionsFrom(nodes, { llm: first, durable, maxConcurrency: 1 })
    await expect(failing).rejects.toMatchObject({ code: 'unexpected_call' })
    expect([...saved]).toEqual([[expect.stringMatching(/^question\/a\/[0-9a-f]{16}$/), 'Where?']])
    const second = new ScriptedLLM({ answers: ['How long?'] })
    const questions = await questionsFrom(nodes, { llm: second, durable, maxConcurrency: 1 })
    expect(questions.map(({ question }) => question)).toEqual(['Where?', 'How long?'])
    const changed = new ScriptedLLM({ answers: ['Why?'] })
    expect(await questionsFrom([node(`${answer} More.`, 'a')], { llm: changed, durable })).toMatchObject([
      { question: 'Why?' },
    ])
  })
})
