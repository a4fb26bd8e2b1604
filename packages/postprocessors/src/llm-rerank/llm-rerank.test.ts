import { CallbackManager, ChatMessage, estimateTokens, LLMMetadata, NodeWithScore, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { ChatPromptTemplate, PromptTemplate, SelectorPromptTemplate } from '@x/prompts'
import { describe, expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { LLMRerank, type LLMRerankOptions, readRanking } from './llm-rerank.ts'

const entries = ['a', 'b', 'c'].map(
  (id, i) => new NodeWithScore({ node: new TextNode({ id, text: `text ${id}` }), score: i / 10 }),
)
const view = (nodes: readonly NodeWithScore[]) => nodes.map(({ id, score }) => [id, score])
const rerank = (answer: string, options: Partial<LLMRerankOptions> = {}) =>
  new LLMRerank({ llm: new FunctionLLM({ answer: () => answer }), ...options }).postprocessNodes(entries, {
    queryStr: 'q',
  })

describe('the prompt of LLMRerank in wire form', () => {
  const llm = new FunctionLLM({ answer: () => '' })
  const chat = ChatPromptTemplate.fromMessages([['user', '{context_str} {query_str}']])
  const prompts = [
    new PromptTemplate({ template: '{query_str}' }),
    chat,
    new SelectorPromptTemplate({ defaultTemplate: chat }),
  ]

  it.each(prompts.map((prompt) => [prompt.constructor.name, prompt] as const))(
    'reads a %s without a registry',
    (_, prompt) => {
      const data = new LLMRerank({ llm, choiceSelectPrompt: prompt }).toDict()
      // LlamaIndex for Python writes no class names of prompts.
      const unnamed = JSON.parse(JSON.stringify(data['choice_select_prompt']).replaceAll(/,"class_name":"\w+"/g, ''))
      for (const choice_select_prompt of [data['choice_select_prompt'], unnamed]) {
        const read = LLMRerank.fromDict({ ...data, choice_select_prompt }, { llm })
        expect(read.choiceSelectPrompt).toBeInstanceOf(prompt.constructor)
        expect(read.choiceSelectPrompt.equals(prompt)).toBe(true)
      }
    },
  )

  it('is of the type choice_select by default', () => {
    expect(new LLMRerank({ llm }).choiceSelectPrompt.metadata).toEqual({ prompt_type: 'choice_select' })
  })
})

describe('LLMRerank', () => {
  it('drops, keeps or throws for a batch without a chosen node', async () => {
    expect(await rerank('None of them.')).toEqual([])
    expect(view(await rerank('Doc: 2, Relevance: 3', { onNoChoice: 'keep' }))).toEqual([['b', 3]])
    expect(view(await rerank('None of them.', { onNoChoice: 'keep' }))).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ])
    await expect(rerank('None of them.', { onNoChoice: 'throw' })).rejects.toMatchObject({
      code: 'choice_parse',
      line: 'None of them.',
      className: 'LLMRerank',
    })
  })

  it('keeps, drops or throws for a batch whose answer cannot be parsed', async () => {
    const ledger = new ExplanationLedger()
    const llm = () =>
      new FunctionLLM({ answer: (prompt) => (prompt.includes('text c') ? 'Doc: 1, Relevance: 2' : 'Sorry?') })
    const run = (options: Partial<LLMRerankOptions> = {}) =>
      new LLMRerank({ llm: llm(), choiceBatchSize: 2, ...options }).postprocessNodes(entries, { queryStr: 'q', ledger })
    expect(view(await run())).toEqual([
      ['c', 2],
      ['a', 0],
      ['b', 0.1],
    ])
    expect(ledger.of('a').map(({ reason }) => reason)).toEqual(['the answer for batch 1 cannot be read'])
    expect(view(await run({ onUnreadable: 'drop' }))).toEqual([['c', 2]])
    expect(ledger.of('a').at(-1)).toMatchObject({ change: 'dropped', reason: 'the answer for batch 1 cannot be read' })
    await expect(run({ onUnreadable: 'throw' })).rejects.toMatchObject({ code: 'choice_parse', line: 'Sorry?' })
    expect(view(await rerank('x', { parseChoiceSelectAnswerFn: () => ({ choices: [], unreadable: true }) }))).toEqual(
      view(entries),
    )
  })

  it.each(['', '[]', 'None.', 'No documents are relevant.', '<think>Doc: 1?</think>None.', '无', '{"documents": []}'])(
    'treats %j as an answer that chooses nothing',
    async (answer) => {
      expect(await rerank(answer)).toEqual([])
    },
  )

  it.each(['Sorry, I cannot help with that.', '<think>Doc: 1, Relevance: 9', 'All of them', 'Doc one is best'])(
    'treats %j as unreadable',
    async (answer) => {
      expect(view(await rerank(answer))).toEqual(view(entries))
    },
  )

  it('stores the previous score in metadata with keepRetrievalScore, hidden from models', async () => {
    const [best] = await rerank('Doc: 2, Relevance: 5', { keepRetrievalScore: true })
    expect([best!.score, best!.metadata, best!.node.excludedLlmMetadataKeys]).toEqual([
      5,
      { retrieval_score: 0.1 },
      ['retrieval_score'],
    ])
  })

  it('accepts the result of a custom parser: numeric strings, too few relevances, invalid values', async () => {
    const parse = (choices: (number | string)[], relevances: number[] | null) =>
      rerank('', { parseChoiceSelectAnswerFn: () => ({ choices, relevances }) })
    expect(view(await parse(['3', 1], null))).toEqual([
      ['c', 1],
      ['a', 1],
    ])
    expect(view(await parse([3, 1], [2]))).toEqual([['c', 2]])
    expect(await parse(['x', 1.5, 0, 9], null)).toEqual([])
    expect(view(await parse([1, 2], [Number.NaN, 3]))).toEqual([['b', 3]])
  })

  it('does not split batches for a model with an unknown context window', async () => {
    const llm = new FunctionLLM({ answer: () => 'Doc: 1, Relevance: 5' })
    Object.assign(llm, { metadata: { modelName: 'unknown' } })
    await new LLMRerank({ llm }).postprocessNodes(entries, { queryStr: 'q' })
    expect(llm.prompts.length).toBe(1)
  })

  it('halves a batch that exceeds the context window, without losing a node', async () => {
    const long = Array.from(
      { length: 8 },
      (_, i) => new NodeWithScore({ node: new TextNode({ id: `n${i}`, text: 'word '.repeat(60) }) }),
    )
    const llm = new FunctionLLM({
      answer: (prompt) =>
        (prompt.match(/^Document \d+(?=:\nword)/gm) ?? []).map((_, i) => `Doc: ${i + 1}, Relevance: 5`).join('\n'),
      contextWindow: 600,
    })
    const result = await new LLMRerank({ llm }).postprocessNodes(long, { queryStr: 'q' })
    expect(result.map(({ id }) => id)).toEqual(long.map(({ id }) => id))
    expect(llm.prompts.length).toBeGreaterThan(1)
    const unlimited = new FunctionLLM({ answer: () => 'Doc: 1, Relevance: 5', contextWindow: null })
    await new LLMRerank({ llm: unlimited }).postprocessNodes(long, { queryStr: 'q' })
    expect(unlimited.prompts).toHaveLength(1)
  })

  it('asks once if the prompt, the question, the batch and the answer fit the context window exactly', async () => {
    const template = `${'Rank. '.repeat(40)}{context_str} {query_str}`
    const [queryStr, context] = ['Which one? '.repeat(30), 'word '.repeat(200)]
    const prompts = async (contextWindow: number) => {
      const llm = new FunctionLLM({ answer: () => 'Doc: 1, Relevance: 5', contextWindow })
      const choiceSelectPrompt = new PromptTemplate({ template })
      const rerank = new LLMRerank({ llm, choiceSelectPrompt, formatNodeBatchFn: () => context })
      await rerank.postprocessNodes(entries.slice(0, 2), { queryStr })
      return llm.prompts.length
    }
    const room = 100 + [template, queryStr, context].reduce((sum, text) => sum + estimateTokens(text), 0)
    expect([await prompts(room), await prompts(room - 1)]).toEqual([1, 2])
  })

  it('lists and replaces its prompt', async () => {
    const llm = new FunctionLLM({ answer: () => 'Doc: 1, Relevance: 1' })
    const postprocessor = new LLMRerank({ llm })
    expect(Object.keys(postprocessor.getPrompts())).toEqual(['choice_select_prompt'])
    postprocessor.updatePrompts({ choice_select_prompt: new PromptTemplate({ template: '{query_str}|{context_str}' }) })
    await postprocessor.postprocessNodes(entries.slice(0, 1), { queryStr: 'q' })
    expect(llm.prompts).toEqual(['q|Document 1:\ntext a'])
    expect(() => postprocessor.updatePrompts({ other: new PromptTemplate({ template: '' }) })).toThrow(
      expect.objectContaining({ code: 'prompt_key' }),
    )
  })

  it('has a default prompt that asks for the format of the parser', async () => {
    const llm = new FunctionLLM({ answer: () => '' })
    await new LLMRerank({ llm }).postprocessNodes(entries.slice(0, 2), { queryStr: 'Which text?' })
    expect(llm.prompts[0]).toContain('Document 1:\ntext a\n\nDocument 2:\ntext b')
    expect(llm.prompts[0]).toContain('Doc: 3, Relevance: 9')
    expect(llm.prompts[0]).toContain('Which text?')
    expect(String(new ChatMessage({ content: llm.prompts[0] }))).not.toMatch(/\{\w+\}/)
  })
})

it('emits its event to the callback manager of the run, as parent of the model events', async () => {
  const handlers = [new RecordingCallbackHandler(), new RecordingCallbackHandler()] as const
  const [own, model] = handlers.map((handler) => new CallbackManager([handler], { newId: () => 'rerank' }))
  const llm = new ScriptedLLM({ answers: ['Doc: 1, Relevance: 9'], callbackManager: model! })
  const component = new LLMRerank({ llm }).asQueryComponent()
  await component.runComponent({ nodes: entries, query_str: 'q' }, { callbackManager: own!, parentId: 'outer' })
  const starts = handlers.map(({ events }) =>
    events.flatMap((event) => (event.phase === 'start' ? [`${event.type} < ${event.parent}`] : [])),
  )
  expect(starts).toEqual([['reranking < outer'], ['templating < rerank', 'llm < rerank']])
})

const nodes = ['a', 'b', 'c'].map((text) => new NodeWithScore({ node: new TextNode({ id: text, text }), score: 0.1 }))
const rank = async (llm: ScriptedLLM, options = {}) =>
  (await new LLMRerank({ llm, answerFormat: 'schema', ...options }).postprocessNodes(nodes, { queryStr: 'q' })).map(
    ({ id, score }) => [id, score],
  )

describe('LLMRerank by a schema', () => {
  it('sends a schema and a prompt for it, and reads the ranking', async () => {
    const answer =
      '{"ranking":[{"document":3,"relevance":9},{"document":1,"relevance":4},{"document":7,"relevance":9}]}'
    const llm = new ScriptedLLM({ answers: [answer] })
    expect(await rank(llm)).toEqual([
      ['c', 9],
      ['a', 4],
    ])
    expect(JSON.stringify(llm.calls[0])).toContain('"additionalProperties":false')
    expect(JSON.stringify(llm.calls[0])).toContain('Answer with JSON')
  })

  it('asks for text if the provider has no schemas, and reads text', async () => {
    const llm = new ScriptedLLM({ answers: ['Doc: 2, Relevance: 7'], metadata: new LLMMetadata({}) })
    const predict = llm.predict.bind(llm)
    let refused = 0
    llm.predict = (async (...args: Parameters<typeof predict>) => {
      if (args[2]?.responseFormat) {
        refused++
        throw new ModelCallError('no json_schema here', { kind: 'bad_request' })
      }
      return predict(...args)
    }) as typeof predict
    expect(await rank(llm)).toEqual([['b', 7]])
    expect(refused).toBe(1)
    llm.predict = async () => {
      throw new ModelCallError('busy', { kind: 'overloaded' })
    }
    await expect(rank(llm)).rejects.toThrow('busy')
  })

  it('takes an empty ranking as nothing chosen, and an answer that is none as unreadable', async () => {
    expect(await rank(new ScriptedLLM({ answers: ['{"ranking":[]}'] }))).toEqual([])
    expect(await rank(new ScriptedLLM({ answers: ['{"ranking":[]}'] }), { onNoChoice: 'keep' })).toHaveLength(3)
    expect(await rank(new ScriptedLLM({ answers: ['I cannot rank these.'] }))).toHaveLength(3)
    expect(readRanking('{"ranking":[null,{"document":1,"relevance":2}]}', 3)).toEqual({
      choices: [1],
      relevances: [2],
      unreadable: false,
    })
    expect(readRanking('null', 3).choices).toEqual([])
  })

  it('writes the format only where it is not text', () => {
    const llm = new ScriptedLLM({ answers: [] })
    expect(new LLMRerank({ llm, answerFormat: 'schema' }).toDict()).toMatchObject({ answer_format: 'schema' })
    expect(new LLMRerank({ llm }).toDict()).not.toHaveProperty('answer_format')
  })
})
