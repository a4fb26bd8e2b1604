import { LLMMetadata, NodeWithScore, TextNode } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { LLMRerank } from './llm-rerank.ts'
import { readRanking } from './ranking.ts'

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
