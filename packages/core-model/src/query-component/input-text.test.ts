import { describe, expect, it } from 'vitest'
import { thrownBy } from '../../../../tools/thrown.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { ChatResponse, CompletionResponse } from '../messages/responses.ts'
import { NodeWithScore } from '../nodes/node-with-score.ts'
import { QueryBundle } from '../nodes/query-bundle.ts'
import { TextNode } from '../nodes/text-node.ts'
import { asMessages, inputText, inputTextOrStream } from './input-text.ts'

const node = new TextNode({ text: 't', metadata: { m: 1, hidden: 2 }, excludedLlmMetadataKeys: ['hidden'] })

describe('inputText', () => {
  it.each<[string, unknown, string]>([
    ['text', 'a', 'a'],
    ['an empty string', '', ''],
    ['a number', 0.5, '0.5'],
    ['a bigint', 5n, '5'],
    ['a chat response', new ChatResponse({ message: { content: 'c' } }), 'c'],
    ['a chat response without content', new ChatResponse({ message: { content: null } }), ''],
    ['a completion', new CompletionResponse({ text: 'd' }), 'd'],
    ['a query', new QueryBundle({ queryStr: 'q' }), 'q'],
    ['an answer', { response: 'r', sourceNodes: [] }, 'r'],
    ['an answer without text', { response: null, sourceNodes: [] }, ''],
    ['a node, in LLM mode', node, 'm: 1\n\nt'],
    ['a scored node', new NodeWithScore({ node }), 'm: 1\n\nt'],
    ['an array of these', ['a', 1, node], 'a\n\n1\n\nm: 1\n\nt'],
    ['an empty list', [], ''],
  ])('returns the text of %s', (_, value, text) => {
    expect(inputText(value)).toBe(text)
  })

  it.each([
    null,
    undefined,
    true,
    {},
    { text: 'a' },
    { message: { content: 'x' } },
    { queryStr: 'q' },
    { response: 'r' },
    () => 'a',
    new ChatMessage(),
    new Date(),
  ])('rejects %o', (value) => {
    expect(thrownBy(() => inputText(value, 'query'))).toMatchObject({ code: 'component_input', keys: ['query'] })
  })

  it('names the index in an array', () => {
    expect(thrownBy(() => inputText(['a', null], 'query'))).toMatchObject({
      keys: ['query[1]'],
      message: 'Input query[1]: expected a string or a value with a string form, received null.',
    })
  })
})

describe('inputTextOrStream', () => {
  async function* stream(...pieces: unknown[]) {
    yield* pieces
  }

  it('joins the pieces of a stream', async () => {
    expect(await inputTextOrStream(stream('a', 1, 'b'))).toBe('a1b')
    const piece = (text: string, delta: string | null) => new CompletionResponse({ text, delta })
    expect(await inputTextOrStream(stream(piece('x', 'x'), piece('x', null), piece('xy', 'y')))).toBe('xy')
    expect(await inputTextOrStream(stream())).toBe('')
    expect(await inputTextOrStream(['a', node, 1].values())).toBe('am: 1\n\nt1')
  })

  it('converts everything else like inputText', async () => {
    expect(await inputTextOrStream(['a', 'b'])).toBe('a\n\nb')
    await expect(inputTextOrStream(null, 'k')).rejects.toMatchObject({ keys: ['k'] })
    await expect(inputTextOrStream(stream(null), 'k')).rejects.toMatchObject({ keys: ['k'] })
    await expect(inputTextOrStream(new Set(['a']), 'k')).rejects.toMatchObject({ keys: ['k'] })
  })
})

it('asMessages accepts arrays that contain only messages', () => {
  const messages = [new ChatMessage(), new ChatMessage()]
  for (const array of [messages, []]) expect(asMessages(array)).toBe(array)
  for (const other of [[new ChatMessage(), 'a'], [{ role: 'user' }], 'a', null, new ChatMessage()])
    expect(asMessages(other)).toBeNull()
})
