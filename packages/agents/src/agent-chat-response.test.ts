import { NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { expect, it } from 'vitest'
import { AgentChatResponse } from './agent-chat-response.ts'

it('gathers the nodes of its sources, however many', () => {
  const node = new NodeWithScore({ node: new TextNode({ text: 'a' }) })
  const rawOutput = { sourceNodes: Array(200_000).fill(node) }
  const source = new ToolOutput({ content: 'a', toolName: 't', rawInput: {}, rawOutput })
  expect(new AgentChatResponse({ sources: [source, source] }).sourceNodes).toHaveLength(400_000)
})
