import { describe, expect, it, vi } from 'vitest'
import { thrownBy } from '../../test/sample-models.ts'
import { CallbackManager } from '../callbacks/callback-manager.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { ChatResponse, CompletionResponse } from '../messages/responses.ts'
import { NodeWithScore } from '../nodes/node-with-score.ts'
import { QueryBundle } from '../nodes/query-bundle.ts'
import { TextNode } from '../nodes/text-node.ts'
import { asMessages, inputText, inputTextOrStream } from './input-text.ts'
import { DefinedComponent, type QueryComponentDefinition } from './query-component.ts'

const adder = (own: Partial<QueryComponentDefinition> = {}) =>
  new DefinedComponent({
    name: 'Adder',
    inputKeys: () => ({ required: ['a', 'b'], optional: ['c'] }),
    outputKeys: ['sum'],
    run: ({ a, b, c = 0 }) => ({ sum: Number(a) + Number(b) + Number(c) }),
    ...own,
  })

describe('QueryComponent', () => {
  it('runs on its inputs', async () => {
    expect(await adder().runComponent({ a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await adder().runComponent({ a: 1, b: 2, c: 3 })).toEqual({ sum: 6 })
  })

  it('lets partial inputs win, also after several partial calls', async () => {
    const step = adder({ partial: { a: 10 } })
    step.partial({ b: 20 })
    expect(step.freeReqInputKeys).toEqual([])
    expect(step.partialInputs).toEqual({ a: 10, b: 20 })
    expect(await step.runComponent({ a: 1 })).toEqual({ sum: 30 })
    expect(adder({ partial: { a: 1 } }).freeReqInputKeys).toEqual(['b'])
  })

  it('names missing and unknown inputs, before anything runs', async () => {
    const run = vi.fn()
    const step = adder({ run })
    await expect(step.runComponent({ c: 1 })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['a', 'b'],
      message: 'Adder: missing input a, b.',
    })
    await expect(step.runComponent({ a: 1, b: 2, d: 3, toString: 4 })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['d', 'toString'],
      message: 'Adder: unknown input d, toString; it takes a, b, c.',
    })
    await expect(adder({ inputKeys: () => ({ required: [], optional: [] }) }).runComponent({ x: 1 })).rejects.toThrow(
      'it takes none',
    )
    expect(run).not.toHaveBeenCalled()
  })

  it('accepts null, 0 and an empty string as inputs', async () => {
    expect(await adder().runComponent({ a: 0, b: '' })).toEqual({ sum: 0 })
    expect(await adder().runComponent({ a: null, b: 1 })).toEqual({ sum: 1 })
  })

  it('prepares inputs before the run, and passes the options to it', async () => {
    const run = vi.fn(async () => ({ sum: 1 }))
    const signal = new AbortController().signal
    await adder({ prepare: ({ a }) => ({ a: `${a}!` }), run }).runComponent({ a: 1, b: 2 }, { signal })
    expect(run).toHaveBeenCalledWith({ a: '1!' }, { signal })
  })

  it('returns exactly the declared outputs', async () => {
    for (const outputs of [{}, { other: 1 }, { sum: 1, other: 2 }, null as never])
      await expect(adder({ run: () => outputs }).runComponent({ a: 1, b: 2 })).rejects.toMatchObject({
        code: 'component_output',
      })
  })

  it('passes a callback manager to the component inside', () => {
    const setCallbackManager = vi.fn()
    const manager = new CallbackManager()
    adder({ setCallbackManager }).setCallbackManager(manager)
    adder().setCallbackManager(manager)
    expect(setCallbackManager).toHaveBeenCalledWith(manager)
  })
})

const node = new TextNode({ text: 't', metadata: { m: 1, hidden: 2 }, excludedLlmMetadataKeys: ['hidden'] })

describe('inputText', () => {
  it.each<[string, unknown, string]>([
    ['text', 'a', 'a'],
    ['empty text', '', ''],
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
      message: 'Input query[1]: expected a string or a value with a text form, received null.',
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
  expect(asMessages(messages)).toBe(messages)
  for (const other of [[], [new ChatMessage(), 'a'], [{ role: 'user' }], 'a', null, new ChatMessage()])
    expect(asMessages(other)).toBeNull()
})
