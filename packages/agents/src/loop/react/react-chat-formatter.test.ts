import { ChatMessage } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { AgentRunner } from '../../runner/agent-runner.ts'
import { FunctionTool } from '../../tool/function-tool.ts'
import { MultimodalReActAgentWorker } from '../../worker/multimodal-react-agent-worker.ts'
import { ReActChatFormatter } from './react-chat-formatter.ts'

it('ReActChatFormatter describes the current tools, also after an array has grown', () => {
  const formatter = new ReActChatFormatter({ systemHeader: '{tool_names}' })
  const tool = (name: string) => FunctionTool.fromDefaults({ name, schema: {}, fn: () => 1 })
  const tools = [tool('a')]
  expect(formatter.format(tools, [])[0]!.content).toBe('a')
  tools.push(tool('b'))
  expect(formatter.format(tools, [])[0]!.content).toBe('a, b')
  tools[0] = tool('c')
  expect(formatter.format(tools, [])[0]!.content).toBe('c, b')
})

it('ReActChatFormatter joins no instructions of the role developer', () => {
  const history = ['a', 'b'].map((content) => ChatMessage.fromDict({ role: 'developer', content }))
  const formatted = new ReActChatFormatter({ systemHeader: 's', mergeSameRole: true }).format([], history)
  expect(formatted.map(({ content }) => content)).toEqual(['s', 'a', 'b'])
})

it('the headers for a context and for images are the default header with an additional section', () => {
  const plain = new ReActChatFormatter().systemHeader
  const withContext = ReActChatFormatter.fromDefaults({ context: 'Lima is dry.' }).systemHeader
  const { systemHeader: withImages } = new MultimodalReActAgentWorker({
    multiModalLlm: new ScriptedLLM(),
  }).reactChatFormatter
  expect(withContext).toContain('{context}')
  expect(withContext.replace(/## Background[\s\S]*?(?=## Tools)/, '')).toBe(plain)
  for (const part of ['text and images', "Look at the images of the user's message", 'messages with their images'])
    expect(withImages).toContain(part)
})

it('MultimodalReActAgentWorker accepts images only as documents', async () => {
  const agentWorker = new MultimodalReActAgentWorker({ multiModalLlm: new ScriptedLLM() })
  const runner = new AgentRunner({ agentWorker })
  for (const image_docs of [undefined, 'a.png', [null], ['a.png']]) {
    const created = runner.createTask('x', { extraState: { image_docs } })
    await expect(created).rejects.toMatchObject({ code: 'configuration', message: /a list of image documents/ })
  }
  expect(runner.listTasks()).toEqual([])
})
