import { ChatMessage, type Dict, QueryBundle, ToolOutput, toolCallsOf } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { PromptTemplate } from '@x/prompts'
import { beforeEach, describe, expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall } from '../../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../../agent/function-calling-agent.ts'
import { journal } from '../../journal.ts'
import { LegacyFunctionCallingAgent, LegacyReActAgent } from '../../legacy/legacy-agents.ts'
import type { ToolCall } from '../../task/agent-event.ts'
import { MemoryTaskStore } from '../../task/memory-task-store.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import { FunctionTool } from '../../tool/function-tool.ts'
import { imageMessage } from '../../worker/multimodal-react-agent-worker.ts'
import type { Layer } from '../layer.ts'

const echo = FunctionTool.fromDefaults({
  name: 'echo',
  schema: { type: 'object', properties: { text: { type: 'string' } } },
  fn: ({ text = 'nothing' }) => text,
})

describe('the function-calling agent', () => {
  it('requires a model with native tool calls', () => {
    expect(() => FunctionCallingAgent.fromTools({ llm: new ScriptedLLM() })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
  })

  it('refuses the name of a tool that the step does not have, before the model is asked', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([]), tools: [echo] })
    const message = 'toolChoice: expected a tool of this step, received "nope".'
    await expect(agent.chat('x', { toolChoice: 'nope' as never })).rejects.toMatchObject({
      code: 'configuration',
      message,
    })
  })

  it('reads missing arguments as an empty object', async () => {
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[toolCall('1', 'echo', '')], 'done']),
      tools: [echo],
    })
    expect((await agent.chat('x')).sources.map(String)).toEqual(['nothing'])
  })

  it('adds one tool message per call, in order, also above the limit', async () => {
    const calls = [1, 2, 3].map((i) => toolCall(`${i}`, 'echo', { text: `t${i}` }))
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([calls, 'done']),
      tools: [echo],
      maxFunctionCalls: 2,
    })
    await agent.chat('x')
    const messages = agent.chatHistory.filter(({ role }) => role === 'tool')
    expect(messages.map(({ additionalKwargs }) => additionalKwargs['tool_call_id'])).toEqual(['1', '2', '3'])
    expect(messages[2]!.content).toContain('limit')
  })

  it.each([
    [null, 'no tool ""'],
    [5, 'no tool ""'],
    [{ id: 'a', name: 'echo', arguments: 5 }, 'expected a JSON object'],
    [{ id: 'a', name: 'echo', arguments: [1] }, 'expected a JSON object, found no "{". Received "[1]"'],
    [{ id: 'a', name: 'echo', arguments: '"text"' }, 'expected a JSON object'],
    [{ id: 'a', name: 'echo', arguments: ' [{"text": "x"}]' }, 'expected a JSON object, found no "{". Received " [{'],
    [{ id: 'a', name: '__proto__', arguments: '{}' }, 'no tool "__proto__"'],
    [{ id: 'a', name: 'echo', arguments: '{"text":'.repeat(100_000) }, 'at most 200 levels'],
  ])('reports the error of the call %j to the model', async (call, words) => {
    const call_ = () => {
      throw new Error('it ran')
    }
    const open: AsyncBaseTool = { metadata: echo.metadata, takesArguments: true, call: call_ }
    const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([[call as never], 'done']), tools: [open] })
    const { sources } = await agent.chat('x')
    expect(sources.map(({ content, isError }) => [content, isError])).toEqual([[expect.stringContaining(words), true]])
  })

  it('throws ToolArgumentsError, not ReActParseError, for arguments that cannot be parsed', async () => {
    const llm = functionCallingLlm([[{ id: 'a', name: 'echo', arguments: '{"text": ' } as never]])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [echo], onToolError: 'raise' })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'tool_arguments', text: '{"text": ' })
  })

  describe('with failures that end the run', () => {
    const policies = { onToolError: 'raise', onUnknownTool: 'raise' } as const
    const made: unknown[] = []
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const
    const fn = ({ text }: { text: string }) => {
      made.push(text)
      return text
    }
    const tools = [
      FunctionTool.fromDefaults({ name: 'note', schema, fn }),
      FunctionTool.fromDefaults({ name: 'asks', schema, needsApproval: () => false, fn }),
    ]
    const run = (call: unknown, more: object = {}) => {
      const llm = functionCallingLlm([[toolCall('a', 'note', { text: 'first' }), call as never], 'done'])
      return FunctionCallingAgent.fromTools({ llm, tools, ...policies, ...more }).chat('x')
    }
    beforeEach(() => {
      made.length = 0
    })

    it.each([
      ['tool_input', toolCall('b', 'note', { text: 5 })],
      ['tool_input', toolCall('b', 'asks', { text: 5 })],
      ['tool_arguments', { id: 'b', name: 'note', arguments: '{"text": ' }],
      ['tool_not_found', toolCall('b', 'other', {})],
    ])('makes no call of a turn if another one fails: %s', async (code, call) => {
      await expect(run(call)).rejects.toMatchObject({ code })
      expect(made).toEqual([])
    })

    it('makes each call once if a layer reports the failure to the model', async () => {
      const kind: Layer = {
        rank: 50,
        tool: (next) => (call, scope) =>
          next(call, scope).catch(
            () => new ToolOutput({ content: 'no', toolName: call.name, rawInput: {}, rawOutput: 0 }),
          ),
      }
      const { sources } = await run(toolCall('b', 'note', { text: 5 }), { layers: [kind] })
      expect([made, sources.map(String)]).toEqual([['first'], ['first', 'no']])
    })

    it('makes the call of a turn before one that is corrected', async () => {
      const repairToolCall = ({ call }: { call: ToolCall }) => ({ ...call, arguments: { text: 'second' } })
      await run(toolCall('b', 'note', { text: 5 }), { repairToolCall })
      expect(made).toEqual(['first', 'second'])
    })
  })

  it.each([undefined, null, 'text', { content: 5 }])('treats the tool result %j as a failure', async (output) => {
    const { metadata } = echo
    const tool = { metadata, takesArguments: true, call: () => output } as unknown as AsyncBaseTool
    const make = (onToolError: 'observe' | 'raise') =>
      FunctionCallingAgent.fromTools({
        llm: functionCallingLlm([[toolCall('1', 'echo', {})], 'done']),
        tools: [tool],
        onToolError,
      })
    expect((await make('observe').chat('x')).sources.map(String)).toEqual([expect.stringContaining('no output')])
    await expect(make('raise').chat('x')).rejects.toMatchObject({ code: 'tool_execution' })
  })

  it('creates ids for calls without an id', async () => {
    const call = { name: 'echo', arguments: '{}' } as never
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[call, call], [call], 'ok']),
      tools: [echo],
    })
    await agent.chat('x')
    const ids = agent.chatHistory.flatMap(({ additionalKwargs }) => additionalKwargs['tool_call_id'] ?? [])
    expect(ids).toEqual(['call_1_0', 'call_1_1', 'call_2_0'])
    const asked = agent.chatHistory.flatMap((message) => toolCallsOf(message).map(({ id }) => id))
    expect(asked).toEqual(ids)
  })

  it('asks for the best answer at the limit', async () => {
    const calls = [toolCall('1', 'echo', { text: 'a' })]
    const llm = functionCallingLlm([calls, 'what I know'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [echo], maxFunctionCalls: 1, onMaxIterations: 'answer' })
    expect((await agent.chat('x')).response).toBe('what I know')
    expect(llm.calls[1]!.options).toEqual({})
  })

  it('makes ids unique within the task, and keeps the ids of the provider in the records', async () => {
    const calls = [toolCall('call_0', 'echo', { text: 'a' }), toolCall('call_0', 'echo', { text: 'b' })]
    const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([calls, calls, 'ok']), tools: [echo] })
    await agent.chat('x')
    const asked = agent.chatHistory.flatMap(({ additionalKwargs }) => (additionalKwargs['tool_calls'] as Dict[]) ?? [])
    expect(asked.map(({ id, provider_id }) => [id, provider_id])).toEqual([
      ['call_0', undefined],
      ['call_1_1', 'call_0'],
      ['call_2_0', 'call_0'],
      ['call_2_1', 'call_0'],
    ])
    const answered = agent.chatHistory.flatMap(({ additionalKwargs }) => additionalKwargs['tool_call_id'] ?? [])
    expect(answered).toEqual(asked.map(({ id }) => id))
  })
})

it('keeps the message of the model unchanged, even without text', async () => {
  const message = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { refusal: 'I will not.' } })
  const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([message]) })
  expect(String(await agent.chat('x'))).toBe('')
  expect(agent.chatHistory.at(-1)).toEqual(message)
})

describe('the legacy agents', () => {
  it('keep the user message of a failed chat', async () => {
    const agent = LegacyReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [new Error('down'), 'Answer: up'] }) })
    await expect(agent.chat('x')).rejects.toThrow('down')
    expect(agent.chatHistory.map(String)).toEqual(['user: x'])
    const answer = await agent.streamChat('y')
    await answer.done
    expect(agent.chatHistory).toHaveLength(3)

    const cut = LegacyReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [['Answer: o', new Error('cut')]] }) })
    await expect((await cut.streamChat('x')).done).rejects.toThrow('cut')
    expect(cut.chatHistory.map(String)).toEqual(['user: x'])
  })

  it('keep the user message of a failed chat in its own conversation', async () => {
    const agent = LegacyReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [new Error('down'), new Error('down')] }),
    })
    const memory = ChatMemoryBuffer.fromDefaults()
    await expect(agent.chat('x', { memory })).rejects.toThrow('down')
    await expect(agent.chat('y', { conversation: { memory } })).rejects.toThrow('down')
    expect([memory.getAll().map(String), agent.chatHistory]).toEqual([['user: x', 'user: y'], []])
  })

  it('throw the error of a failed chat even if its message cannot be kept', async () => {
    const memory = ChatMemoryBuffer.fromDefaults()
    memory.put = () => {
      throw new Error('disk full')
    }
    const answers = [new Error('down'), ['Answer: o', new Error('cut')]]
    const agent = LegacyReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), memory })
    await expect(agent.chat('x')).rejects.toThrow('down')
    await expect((await agent.streamChat('y')).done).rejects.toThrow('cut')
  })

  it('retrieve tools once per chat', async () => {
    const asked: string[] = []
    const toolRetriever = {
      retrieve: (query: string) => {
        asked.push(query)
        return [echo]
      },
    }
    const llm = functionCallingLlm([[toolCall('1', 'echo', { text: 'a' })], 'done', 'again', 'outside'])
    const agent = LegacyFunctionCallingAgent.fromTools({ llm, toolRetriever })
    await agent.chat('x')
    expect(asked).toEqual(['x'])
    await agent.chat('x')
    expect(asked).toEqual(['x', 'x'])
    await agent.query('x')
    expect(asked).toEqual(['x', 'x', 'x'])
    await agent.reset()
    expect(agent.chatHistory).toEqual([])
  })

  it('delete the task of an answer', async () => {
    const taskStore = new MemoryTaskStore()
    const options = { llm: functionCallingLlm(['one', 'Answer: two']), taskStore: journal(taskStore) }
    await LegacyFunctionCallingAgent.fromTools(options).chat('x')
    await LegacyReActAgent.fromTools(options).chat('x')
    expect(await taskStore.list()).toEqual([])
  })

  it('insert context before the message', async () => {
    const llm = functionCallingLlm(['ok', 'ok', 'ok'])
    const found = ['one', 'two'].map((text) => ({ getContent: () => text }))
    const agent = LegacyFunctionCallingAgent.fromTools({
      llm,
      contextRetriever: { retrieve: async () => found },
      qaPrompt: new PromptTemplate({ template: '{context_str} | {query_str}' }),
      contextSeparator: ', ',
    })
    await agent.chat('question')
    await agent.query('question')
    await agent.query(new QueryBundle({ queryStr: 'question' }))
    const asked = llm.calls.map(({ messages }) => messages!.at(-1)!['content'])
    expect(asked).toEqual(Array(3).fill('one, two | question'))
    await expect(agent.query('question', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'abort' })
    expect(() => LegacyFunctionCallingAgent.fromTools({ llm, contextRetriever: { retrieve: async () => [] } })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
  })
})

describe('imageMessage', () => {
  it('uses the data, URL, path or file of each image, and omits images without any', () => {
    const { content } = imageMessage({
      prompt: 'look',
      role: 'user',
      imageDocuments: [
        { image: 'QUJD', imageUrl: 'http://no', imageMimetype: 'image/png' },
        { imageUrl: 'http://x/a.png', imagePath: 'no' },
        { image_path: 'a.png' },
        { metadata: { file_path: 'b.png' } },
        {},
      ],
    })
    const parts = (content as { image_url: { url: string } }[]).slice(1)
    const urls = parts.map(({ image_url }) => image_url.url)
    expect(urls).toEqual(['data:image/png;base64,QUJD', 'http://x/a.png', 'a.png', 'b.png'])
  })
})
