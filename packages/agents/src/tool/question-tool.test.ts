import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { QueryEngineTool } from './query-engine-tool.ts'
import { RetrieverTool } from './retriever-tool.ts'

const echo = { query: (question: string) => question }

describe('QueryEngineTool', () => {
  it('uses the argument `input` as the question, or all arguments', async () => {
    const tool = new QueryEngineTool({ queryEngine: echo })
    expect(String(await tool.call({ input: 'Why?' }))).toBe('Why?')
    expect(String(await tool.call({ city: 'Lima' }))).toBe('{"city":"Lima"}')
  })

  it('validates the arguments with its own schema, and asks the question that toQuestion returns', async () => {
    const tool = new QueryEngineTool({
      queryEngine: echo,
      schema: z.object({ city: z.string(), days: z.number().default(1) }),
      toQuestion: ({ city, days }) => `${city} in ${days}?`,
    })
    expect(tool.metadata.getParametersDict()).toMatchObject({ required: ['city'] })
    expect(String(await tool.call({ city: 'Lima' }))).toBe('Lima in 1?')
    await expect(tool.call({ city: 5 })).rejects.toMatchObject({ code: 'tool_input', issues: [{ path: 'city' }] })
  })

  it('has the options for approval and time limit', () => {
    expect(new QueryEngineTool({ queryEngine: echo, needsApproval: true, timeoutMs: 5 })).toMatchObject({
      needsApproval: true,
      timeoutMs: 5,
    })
    expect(new QueryEngineTool({ queryEngine: echo }).needsApproval).toBe(false)
  })
})

describe('RetrieverTool', () => {
  const node = (text: string, score: number) =>
    new NodeWithScore({ node: new TextNode({ text, metadata: { page: 1 } }), score })

  it('returns the nodes as models see them, and as source nodes', async () => {
    const asked: string[] = []
    const nodes = [node('one', 2), node('two', 1)]
    const retriever = {
      retrieve: (query: string) => {
        asked.push(query)
        return nodes
      },
    }
    const tool = RetrieverTool.fromDefaults({ retriever, name: 'find' })
    const output = await tool.call({ input: 'numbers' })
    expect(output.content).toBe('page: 1\n\none\n\npage: 1\n\ntwo')
    expect(output.rawOutput).toMatchObject({ sourceNodes: nodes })
    expect(asked).toEqual(['numbers'])
  })

  it('processes the nodes with the query, in order', async () => {
    const seen: (string | null)[] = []
    const drop = {
      postprocessNodes: async (nodes: readonly NodeWithScore[], { queryStr }: { queryStr: string | null }) => {
        seen.push(queryStr)
        return nodes.slice(1)
      },
    }
    const tool = new RetrieverTool({
      retriever: { retrieve: () => [node('one', 2), node('two', 1)] },
      nodePostprocessors: [drop, drop],
    })
    expect(String(await tool.call('q'))).toBe('Nothing was found.')
    expect(seen).toEqual(['q', 'q'])
  })
})
