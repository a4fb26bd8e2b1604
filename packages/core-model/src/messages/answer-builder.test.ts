import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerBuilder, deltasOf } from './answer-builder.ts'
import { reasoningOf, toolCallsOf } from './message-content.ts'
import { finishReasonOf, usageOf } from './response-metadata.ts'

const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0, totalTokens: 3 }

describe('AnswerBuilder', () => {
  it('returns text, reasoning with its data, calls, usage and finish reason', () => {
    const answer = new AnswerBuilder()
    answer.addReasoning('H', 'a')
    answer.addReasoning('m.', 'a', { signature: 's' })
    answer.addReasoning('', 'b')
    answer.addText('Let me see.')
    answer.addToolCall({ key: 'x', id: 'c1', name: 'add', arguments: '{}', metadata: { p: 1 } })
    answer.setUsage(usage)
    answer.setUsage(null)
    expect(answer.finishReason).toBe(null)
    answer.finish('max_tokens')
    expect(answer.finishReason).toBe('length')
    const response = answer.response({ raw: { id: 'r' }, messageData: { own: true } })
    expect(String(response)).toBe('Let me see.')
    expect(response).toMatchObject({ delta: null, raw: { id: 'r' } })
    expect(reasoningOf(response.message)).toEqual([
      { type: 'reasoning', text: 'Hm.', provider_metadata: { signature: 's' } },
    ])
    expect(response.message.additionalKwargs).toMatchObject({
      own: true,
      tool_calls: [{ provider_metadata: { p: 1 } }],
    })
    expect(toolCallsOf(response.message)).toEqual([{ id: 'c1', name: 'add', arguments: '{}' }])
    expect(usageOf(response)).toEqual(usage)
    expect(finishReasonOf(response)).toBe('length')
  })

  it('has null as content if only tool calls were added, and an empty string if nothing was added', () => {
    expect(new AnswerBuilder().response().message.content).toBe('')
    const answer = new AnswerBuilder()
    answer.addToolCall({ name: 'now' })
    expect(answer.response().message).toMatchObject({
      content: null,
      additionalKwargs: { tool_calls: [{ type: 'function' }] },
    })
  })

  it('reports the additions since the last response', () => {
    const answer = new AnswerBuilder()
    expect(answer.isChanged).toBe(false)
    answer.addText('a')
    expect(answer.isChanged).toBe(true)
    const first = answer.response({ stream: true })
    expect(deltasOf(first)).toEqual({ text: 'a', reasoning: '', toolCalls: [] })
    expect([first.additionalKwargs, first.message.additionalKwargs]).toEqual([{}, {}])
    expect(answer.isChanged).toBe(false)
    answer.addToolCall({ key: 0, name: 'add', arguments: '{' })
    answer.addToolCall({ key: 0, id: 'c1', arguments: '}' })
    answer.addReasoning('Hm')
    expect(deltasOf(answer.response({ stream: true }))).toEqual({
      text: '',
      reasoning: 'Hm',
      toolCalls: [
        { index: 0, id: null, name: 'add', arguments: '{' },
        { index: 0, id: 'c1', name: null, arguments: '}' },
      ],
    })
    answer.addToolCall({ key: 0, arguments: '{"a":1}', isWhole: true })
    const last = answer.response({ stream: true })
    expect(deltasOf(last).toolCalls).toEqual([])
    expect(toolCallsOf(last.message)).toEqual([{ id: 'c1', name: 'add', arguments: '{"a":1}' }])
  })

  it.each<[string, (answer: AnswerBuilder) => void]>([
    ['text', (answer) => answer.addText('a')],
    ['reasoning', (answer) => answer.addReasoning('a')],
    ['data of reasoning', (answer) => answer.addReasoning('', '', { signature: 's' })],
    ['a part', (answer) => answer.addPart({ type: 'source', url: 'https://a.org' } as never)],
    ['a call', (answer) => answer.addToolCall({ name: 'add' })],
    ['a finish reason', (answer) => answer.finish('stop')],
    ['the usage', (answer) => answer.setUsage(usage)],
  ])('is changed by %s, until the next response', (_, add) => {
    const answer = new AnswerBuilder()
    answer.addText('')
    answer.addReasoning('')
    answer.setUsage(null)
    expect(answer.isChanged).toBe(false)
    add(answer)
    expect(answer.isChanged).toBe(true)
    answer.response()
    expect(answer.isChanged).toBe(false)
  })

  it('leaves out what is no piece of a call', () => {
    const call = { index: 0, id: null, name: null, arguments: '' }
    const wrong = [null, { ...call, index: 0.5 }, { ...call, arguments: undefined }]
    const additionalKwargs = { tool_call_deltas: [...wrong, call], reasoning_delta: 5 }
    expect(deltasOf({ delta: null, additionalKwargs })).toEqual({ text: '', reasoning: '', toolCalls: [call] })
  })

  it('joins the pieces of interleaved calls, for every split into pieces', () => {
    const piece = fc.record({ key: fc.nat(3), arguments: fc.string({ maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const answer = new AnswerBuilder()
        const texts = new Map<number, string>()
        const deltas: string[] = []
        for (const { key, arguments: text } of pieces) {
          texts.set(key, (texts.get(key) ?? '') + text)
          answer.addToolCall({ key, id: `c${key}`, name: 't', arguments: text })
          for (const delta of deltasOf(answer.response({ stream: true })).toolCalls)
            deltas[delta.index] = (deltas[delta.index] ?? '') + delta.arguments
        }
        expect(toolCallsOf(answer.response().message).map((call) => call.arguments)).toEqual([...texts.values()])
        expect(deltas).toEqual([...texts.values()])
      }),
    )
  })
})
