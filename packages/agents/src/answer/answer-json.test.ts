import { ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { AgentChatResponse } from './agent-chat-response.ts'
import { answerToJson } from './answer-json.ts'

const circular: Record<string, unknown> = {}
circular['self'] = circular

describe('answerToJson', () => {
  it.each<[string, unknown]>([
    ['an object that contains itself', circular],
    ['NaN', Number.NaN],
    ['a Map', new Map([['a', 1]])],
    ['bytes', new Uint8Array([1, 2])],
    ['a function', () => 1],
  ])('replaces a raw output without a JSON form: %s', (_, rawOutput) => {
    const source = new ToolOutput({ content: 'seen', toolName: 'look', rawInput: { a: 1 }, rawOutput })
    const { sources } = answerToJson(new AgentChatResponse({ response: 'Done.', sources: [source] }))
    expect(sources).toEqual([{ ...source.copy({ update: { rawOutput: 'seen' } }).toDict() }])
  })

  it('writes what AgentChatResponse.fromDict reads, plus output and usage', () => {
    const source = new ToolOutput({ content: '10', toolName: 'count', rawInput: {}, rawOutput: { rows: 10n } })
    const usage = {
      modelCalls: 1,
      toolCalls: 1,
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      totalTokens: 0,
    }
    const answer = new AgentChatResponse({ response: 'Ten.', sources: [source], output: { count: 10 }, usage })
    const data = answerToJson(answer)
    expect(JSON.parse(JSON.stringify(data))).toEqual(data)
    expect(data).toMatchObject({ output: { count: 10 }, usage })
    const read = AgentChatResponse.fromDict(data)
    expect(read.response).toBe('Ten.')
    expect(data.sources.map(({ tool_name, is_error }) => [tool_name, is_error])).toEqual([['count', false]])
    // @ts-expect-error the JSON has the names of Python
    void data.sources[0]?.toolName
    expect(read.sources[0]?.rawOutput).toEqual({ rows: 10 })
  })
})
