import { ChatMessage } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const cut = FunctionTool.fromDefaults({ name: 'cut', schema: {}, fn: () => '😀😀'.slice(0, 3) })

it.each([true, false])(
  'lone surrogates of tools, questions and earlier messages reach no model (stream: %s)',
  async (stream) => {
    const chatHistory = [new ChatMessage({ role: 'user', content: 'old \udc00' })]
    const native = functionCallingLlm([[toolCall('a', 'cut', {})], 'done'])
    const text = new ScriptedLLM({ answers: ['Thought: x\nAction: cut\nAction Input: {}', 'Thought: x\nAnswer: done'] })
    for (const agent of [
      FunctionCallingAgent.fromTools({ llm: native, tools: [cut] }),
      ReActAgent.fromTools({ llm: text, tools: [cut] }),
    ])
      for await (const _ of agent.runEvents('new \ud800', { chatHistory, stream }));
    for (const { calls } of [native, text]) {
      const sent = JSON.stringify(calls.map(({ messages }) => messages))
      expect(sent).not.toMatch(/\\ud[89a-f]/)
      for (const content of ['old \uFFFD', 'new \uFFFD', '😀\uFFFD']) expect(sent).toContain(content)
    }
  },
)
