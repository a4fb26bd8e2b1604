import { NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent, TaskStepOutput } from '../index.ts'
import { noUsage } from '../task-usage.ts'
import { AgentChatResponse } from './agent-chat-response.ts'
import { StreamingAgentChatResponse } from './chat-answer.ts'
import { QueryResponse } from './query-response.ts'

it('AgentChatResponse collects the nodes of any number of sources', () => {
  const node = new NodeWithScore({ node: new TextNode({ text: 'a' }) })
  const rawOutput = { sourceNodes: Array(200_000).fill(node) }
  const source = new ToolOutput({ content: 'a', toolName: 't', rawInput: {}, rawOutput })
  expect(new AgentChatResponse({ sources: [source, source] }).sourceNodes).toHaveLength(400_000)
  expect(new AgentChatResponse({ sources: [source], sourceNodes: [] }).sourceNodes).toHaveLength(200_000)
  expect(new AgentChatResponse({ sources: [source], sourceNodes: [node] }).sourceNodes).toEqual([node])
})

it('AgentChatResponse refuses a response that is no string', () => {
  for (const response of [5, {}, ['a']])
    expect(() => new AgentChatResponse({ response: response as never })).toThrow('AgentChatResponse.response: expected')
})

describe('AgentChatResponse in wire form', () => {
  const node = new NodeWithScore({ node: new TextNode({ id: 'n', text: 'a' }), score: 0.5 })
  const source = new ToolOutput({ content: '3', toolName: 'add', rawInput: { a: 1 }, rawOutput: 3 })

  it('writes and reads snake case', () => {
    const answer = new AgentChatResponse({ response: 'Four.', sources: [source], sourceNodes: [node] })
    const dict = { response: 'Four.', sources: [source.toDict()], source_nodes: [node.toDict()] }
    expect(answer.toDict()).toEqual(dict)
    expect(JSON.parse(JSON.stringify(answer))).toEqual(dict)
    const again = AgentChatResponse.fromDict(dict)
    expect(again.sources[0]).toBeInstanceOf(ToolOutput)
    expect(again.sourceNodes[0]?.node).toBeInstanceOf(TextNode)
    expect(again.toDict()).toEqual(dict)
  })

  it('writes the answer of a query engine in a tool output as data', () => {
    const rawOutput = new QueryResponse({ response: 'x', sourceNodes: [node] })
    const answer = new AgentChatResponse({ sources: [source.copy({ update: { rawOutput } })] })
    expect(answer.toDict().source_nodes).toEqual([node.toDict()])
    expect(answer.toDict().sources[0]).toHaveProperty('raw_output', {
      response: 'x',
      source_nodes: [node.toDict()],
      metadata: null,
    })
  })

  it('reads missing keys as empty, and reports invalid fields', () => {
    expect(AgentChatResponse.fromDict({}).toDict()).toEqual({ response: '', sources: [], source_nodes: [] })
    expect(() =>
      AgentChatResponse.fromDict({ response: null, sources: [{ tool_name: 'a' }], source_nodes: 1 }),
    ).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: [
          expect.objectContaining({ path: 'response' }),
          expect.objectContaining({ path: 'sources[0].content' }),
          expect.objectContaining({ path: 'sourceNodes' }),
        ],
      }),
    )
  })

  it('writes the text of a streaming answer so far', async () => {
    const answer = new StreamingAgentChatResponse({ stream: ['fo', 'ur'] })
    await answer.done
    expect(answer.toDict()).toEqual({ response: 'four', sources: [], source_nodes: [] })
  })
})

it('AgentChatResponse keeps its usage in a saved task, and rejects a value that is not a usage', () => {
  const usage = { ...noUsage(), modelCalls: 2, totalTokens: 30, cost: 0.25 }
  const parts = new AgentChatResponse({ response: 'Yes.', usage }).toParts()
  expect(AgentChatResponse.fromDict(parts).usage).toEqual(usage)
  expect(AgentChatResponse.fromDict({ response: 'Yes.' }).usage).toBeNull()
  expect(() => AgentChatResponse.fromDict({ ...parts, usage: { ...usage, modelCalls: 'many' } })).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})

class Noted extends AgentChatResponse {}

it('what an agent makes is an instance of the classes that read it', async () => {
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: a', 'Answer: b', 'Answer: c'] }) })
  const answer = await agent.chat('x')
  const [output] = agent.getCompletedSteps(agent.listTasks()[0]!.taskId)
  expect(answer).toBeInstanceOf(AgentChatResponse)
  expect(output).toBeInstanceOf(TaskStepOutput)
  expect(await agent.query('x')).toBeInstanceOf(QueryResponse)
  const streamed = await agent.streamChat('x')
  expect(streamed).toBeInstanceOf(AgentChatResponse)
  expect(streamed).toBeInstanceOf(StreamingAgentChatResponse)
  expect(answer).not.toBeInstanceOf(Noted)
  expect(new Noted()).toBeInstanceOf(AgentChatResponse)
  expect(new Noted()).toBeInstanceOf(Noted)
  for (const other of [null, {}, answer]) expect(other).not.toBeInstanceOf(TaskStepOutput)
})
