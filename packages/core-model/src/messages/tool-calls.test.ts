import { describe, expect, it } from 'vitest'
import { ChatMessage } from './chat-message.ts'
import type { MessageContent, ReasoningPart } from './content-part.ts'
import { reasoningOf, toolCallsOf } from './tool-calls.ts'

const assistant = (additionalKwargs: Record<string, unknown>, content: MessageContent = '') =>
  new ChatMessage({ role: 'assistant', content, additionalKwargs })

describe('toolCallsOf', () => {
  it('reads nested and flat calls, and the names that providers use for arguments', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } },
      { id: 'b', name: 'add', arguments: { x: 2 } },
      { id: 'c', name: 'add', input: { x: 3 } },
      { id: 'd', name: 'add', args: { x: 4 } },
    ]
    expect(toolCallsOf(assistant({ tool_calls: calls }))).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'add', arguments: { x: 2 } },
      { id: 'c', name: 'add', arguments: { x: 3 } },
      { id: 'd', name: 'add', arguments: { x: 4 } },
    ])
  })

  it('returns null as id if the provider sends no id', () => {
    expect(toolCallsOf(assistant({ tool_calls: [{ name: 'now' }, { id: '', name: 'now' }] }))).toEqual([
      { id: null, name: 'now', arguments: '' },
      { id: null, name: 'now', arguments: '' },
    ])
  })

  it('never throws for malformed calls', () => {
    const odd = [null, 5, 'x', [], { function: null }, { function: 5, name: 7 }, { arguments: [1] }, { name: null }]
    expect(toolCallsOf(assistant({ tool_calls: odd })).map(({ name }) => name)).toEqual([
      '',
      '',
      '',
      '',
      '',
      '7',
      '',
      '',
    ])
    for (const tool_calls of [undefined, null, {}, 'x']) expect(toolCallsOf(assistant({ tool_calls }))).toEqual([])
  })
})

describe('reasoningOf', () => {
  it('reads parts of the content first', () => {
    const part: ReasoningPart = { type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 's' } } }
    expect(reasoningOf(assistant({ reasoning: 'other' }, [part, { type: 'text', text: 'Hi' }]))).toEqual([part])
  })

  it('reads a string, an array of strings, and parts', () => {
    expect(reasoningOf(assistant({ reasoning: 'Hm.' }))).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(reasoningOf(assistant({ reasoning_content: 'Hm.' }))).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(reasoningOf(assistant({ reasoning: ['a', { text: 'b', provider_metadata: { x: 1 } }] }))).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: 'b', provider_metadata: { x: 1 } },
    ])
  })

  it('returns an empty array without reasoning', () => {
    for (const reasoning of [undefined, null, '', 5, [null, 5, {}]])
      expect(reasoningOf(assistant({ reasoning }))).toEqual([])
  })
})
