import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuesOf, thrownBy } from '../../../../tools/thrown.ts'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from './chat-message.ts'
import { toolCallsOf } from './message-content.ts'
import { messageParts } from './message-parts.ts'
import { ChatResponse } from './responses.ts'
import { SimpleChatStore } from './simple-chat-store.ts'

const message = (blocks: unknown, rest: object = {}) =>
  ChatMessage.fromDict({ role: 'user', additional_kwargs: {}, ...rest, blocks })
const content = (...blocks: unknown[]): unknown => message(blocks).content

const unknownBlocks = [
  { block_type: 'audio', audio: 'AAAA', path: null, url: null, format: 'mp3' },
  { block_type: 'video', video: null, path: null, url: 'https://example.com/a.mp4', video_mimetype: null, fps: 2 },
  { block_type: 'citation', cited_content: { block_type: 'text', text: 'a' }, source: 's', title: 't' },
  { block_type: 'citable', title: 't', source: 's', content: [{ block_type: 'text', text: 'a' }] },
  { block_type: 'cache', cache_control: { type: 'ephemeral', ttl: '5m' } },
  { block_type: 'of the future', block: [1, null] },
  { text: 'without a type' },
]

describe('blocks, in which newer versions of LlamaIndex for Python write messages,', () => {
  it('are a string if the only block is text', () => {
    expect(content({ block_type: 'text', text: 'Hi' })).toBe('Hi')
    expect(content({ block_type: 'text', text: '' })).toBe('')
    expect(content()).toBeNull()
  })

  it('are parts in their order', () => {
    expect(
      content(
        { block_type: 'thinking', content: 'Hm.', num_tokens: null, additional_information: { signature: 's' } },
        { block_type: 'text', text: 'Look:' },
        { block_type: 'image', image: 'AAAA', path: null, url: null, image_mimetype: 'image/png', detail: 'low' },
        { block_type: 'image', image: null, path: null, url: 'https://example.com/a.png', detail: null },
        { block_type: 'image', image: null, path: 'a.png', url: null },
        { block_type: 'document', data: 'BBBB', title: 'a.pdf', document_mimetype: 'application/pdf' },
        { block_type: 'document', data: null, path: null, url: 'https://example.com/b', title: null },
      ),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', provider_metadata: { signature: 's' } },
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'image_url', image_url: { url: 'a.png' } },
      {
        type: 'file',
        file: { url: 'data:application/pdf;base64,BBBB', media_type: 'application/pdf', filename: 'a.pdf' },
      },
      { type: 'file', file: { url: 'https://example.com/b', media_type: 'application/octet-stream' } },
    ])
  })

  it('keep what a part has no field for', () => {
    expect(
      content(
        { block_type: 'thinking', content: 'Hm.', num_tokens: 7 },
        { block_type: 'image', image: 'AA', url: 'https://example.com/a', path: 'a', image_mimetype: 'image/png' },
        {
          block_type: 'image',
          url: 'https://example.com/a',
          path: 'a',
          image_mimetype: 'image/png',
          detail: 'original',
        },
        { block_type: 'text', text: 'a', annotations: [1] },
      ),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', num_tokens: 7 },
      {
        type: 'image_url',
        image_url: { url: 'data:image/png;base64,AA' },
        url: 'https://example.com/a',
        path: 'a',
      },
      {
        type: 'image_url',
        image_url: { url: 'https://example.com/a', detail: 'original' },
        path: 'a',
        image_mimetype: 'image/png',
      },
      { type: 'text', text: 'a', annotations: [1] },
    ])
    expect(content({ block_type: 'text', text: 'a', annotations: [1] })).toEqual([
      { type: 'text', text: 'a', annotations: [1] },
    ])
  })

  it.each(unknownBlocks)('are kept unchanged if they are unknown: %j', (block) => {
    expect(content(block)).toEqual([block])
    expect(content({ block_type: 'text', text: 'a' }, block)).toEqual([{ type: 'text', text: 'a' }, block])
  })

  it('are kept unchanged if they lack what the part needs', () => {
    const blocks = [
      { block_type: 'text', text: null },
      { block_type: 'image', image: null, url: null, path: null },
      { block_type: 'document', data: '' },
      { block_type: 'tool_call', tool_kwargs: {} },
    ]
    expect(content(...blocks)).toEqual(blocks)
  })

  it('are the tool calls of the message', () => {
    const call = { block_type: 'tool_call', tool_call_id: 'c1', tool_name: 'add', tool_kwargs: { a: 1 } }
    const read = message([
      { block_type: 'text', text: 'I add.' },
      call,
      { ...call, tool_call_id: null, tool_kwargs: '{"b"' },
    ])
    expect(read.content).toBe('I add.')
    expect(toolCallsOf(read)).toEqual([
      { id: 'c1', name: 'add', arguments: '{"a":1}' },
      { id: null, name: 'add', arguments: '{"b"' },
    ])
    // Integrations write the calls of the provider beside the blocks.
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 1}' } }]
    const both = message([call, { ...call, tool_call_id: 'c2' }], { additional_kwargs: { tool_calls, other: 1 } })
    expect(both.content).toBeNull()
    expect(both.additionalKwargs['other']).toBe(1)
    expect(toolCallsOf(both).map(({ id, arguments: args }) => [id, args])).toEqual([
      ['c1', '{"a": 1}'],
      ['c2', '{"a":1}'],
    ])
  })

  it('keep the order of tool calls among the other blocks', () => {
    const call = (id: string) => ({ block_type: 'tool_call', tool_call_id: id, tool_name: 'add', tool_kwargs: {} })
    const text = (value: string) => ({ block_type: 'text', text: value })
    const thinking = (value: string) => ({ block_type: 'thinking', content: value })
    const order = (...blocks: object[]) =>
      messageParts(ChatMessage.fromJson(message(blocks).toJson())).map((part) =>
        'text' in part ? part.text : part.type === 'tool_call' ? part.id : part.type,
      )
    expect(order(thinking('1'), call('c1'), text('A.'), thinking('2'), call('c2'))).toEqual([
      '1',
      'c1',
      'A.',
      '2',
      'c2',
    ])
    expect(order(text('A.'), call('c1'), text('B.'))).toEqual(['A.', 'c1', 'B.'])
    expect(order(call('c1'), text('A.'), unknownBlocks[4]!)).toEqual(['c1', 'A.', 'provider'])
    expect(order(call('c1'), { block_type: 'image', url: 'https://example.com/a.png' })).toEqual(['c1', 'image_url'])
    expect(message([thinking('1'), text('A.'), call('c1')]).parts).toBeNull()
    // Calls of the provider in another order than their blocks are not moved.
    const tool_calls = ['c2', 'c1'].map((id) => ({ id, function: { name: 'add', arguments: '{}' } }))
    const both = message([call('c1'), text('A.'), call('c2')], { additional_kwargs: { tool_calls } })
    expect(both.parts).toBeNull()
    expect(toolCallsOf(both).map(({ id }) => id)).toEqual(['c2', 'c1'])
  })

  it('keep all digits of the integers in tool calls', () => {
    const text =
      '{"role":"assistant","blocks":[{"block_type":"tool_call","tool_name":"t","tool_kwargs":{"a":12345678901234567890}}]}'
    expect(toolCallsOf(ChatMessage.fromJson(text))[0]?.arguments).toBe('{"a":12345678901234567890}')
  })

  it('change neither the data nor content', () => {
    const data = { role: 'user', blocks: Object.freeze([Object.freeze({ block_type: 'text', text: 'Hi' })]) }
    expect(ChatMessage.fromDict(Object.freeze(data)).content).toBe('Hi')
    expect(ChatMessage.fromDict({ content: 'Hi', blocks: [] }).content).toBe('Hi')
    const parts = [{ type: 'text', text: 'a' }]
    expect(ChatMessage.fromDict({ content: parts }).content).toEqual(parts)
    expect(ChatMessage.fromDict({ content: [] }).content).toEqual([])
  })

  it('that are not an array are an error', () => {
    expect(issuesOf(() => message('Hi'))).toMatchObject([
      { path: 'blocks', message: 'expected an array, received a string' },
    ])
  })

  it('are read again from what is written, unchanged', () => {
    const text = fc.string({ maxLength: 5 })
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
    const media = { url: maybe(text), path: maybe(text) }
    const block = fc.oneof(
      fc.record({ block_type: fc.constant('text'), text }),
      fc.record({
        block_type: fc.constant('image'),
        image: maybe(text),
        image_mimetype: maybe(text),
        detail: maybe(text),
        ...media,
      }),
      fc.record({
        block_type: fc.constant('document'),
        data: maybe(text),
        document_mimetype: maybe(text),
        title: maybe(text),
        ...media,
      }),
      fc.record({
        block_type: fc.constant('thinking'),
        content: maybe(text),
        num_tokens: maybe(fc.nat()),
        additional_information: fc.dictionary(text, text),
      }),
      fc.record({
        block_type: fc.constant('tool_call'),
        tool_call_id: maybe(text),
        tool_name: text,
        tool_kwargs: fc.oneof(text, fc.dictionary(text, fc.nat())),
      }),
      fc.constantFrom(...unknownBlocks),
    )
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const read = message(blocks)
        const again = ChatMessage.fromJson(read.toJson())
        expect(again.toDict()).toEqual(read.toDict())
        const texts = blocks.filter((one) => one['block_type'] === 'text').map((one) => (one as { text: string }).text)
        for (const one of texts) expect(JSON.stringify(read.content)).toContain(JSON.stringify(one))
        expect(toolCallsOf(read)).toHaveLength(blocks.filter((one) => one['block_type'] === 'tool_call').length)
      }),
    )
  })
})

describe('newer versions of LlamaIndex for Python', () => {
  it('have the roles developer and model', () => {
    for (const role of ['developer', 'model'] as const) {
      const message = ChatMessage.fromDict({ role, blocks: [] })
      expect([message.role, message.toDict()['role'], message.copy().role]).toEqual([role, role, role])
      expect(ChatMessage.fromJson(message.toJson()).equals(message)).toBe(true)
    }
    expect(issuesOf(() => ChatMessage.fromDict({ role: 'narrator' }))).toMatchObject([{ path: 'role' }])
  })

  it('write chat responses and stores whose messages consist of blocks', () => {
    const dict = { role: 'assistant', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Hello' }] }
    expect(String(ChatResponse.fromDict({ message: dict, raw: null, delta: null }))).toBe('Hello')
    const store = SimpleChatStore.fromDict({ store: { ann: [dict] }, class_name: 'SimpleChatStore' })
    expect(store.toDict().store).toEqual({ ann: [{ role: 'assistant', content: 'Hello', additional_kwargs: {} }] })
  })

  it('write tool outputs that consist of blocks', () => {
    const output = (...blocks: unknown[]) =>
      ToolOutput.fromDict({ blocks, tool_name: 't', raw_input: {}, raw_output: 3, is_error: false })
    expect(output({ block_type: 'text', text: '3' })).toMatchObject({ content: '3', parts: null, rawOutput: 3 })
    expect(output()).toMatchObject({ content: '', parts: null })
    const drawn = output(
      { block_type: 'text', text: 'Drawn.' },
      { block_type: 'image', image: 'AAAA', image_mimetype: 'image/png' },
      unknownBlocks[0],
    )
    expect(drawn.content).toBe('Drawn.\n[image image/png]')
    expect(drawn.modelContent).toEqual([
      { type: 'text', text: 'Drawn.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      unknownBlocks[0],
    ])
    expect(ToolOutput.fromJson(drawn.toJson()).equals(drawn)).toBe(true)
  })
})

it('an unreadable message of a store is named by key and index', () => {
  const store = {
    ann: [
      { role: 'user', content: 'a' },
      { role: 'narrator', content: 'b' },
    ],
  }
  expect(thrownBy(() => SimpleChatStore.fromDict({ store, class_name: 'SimpleChatStore' }))).toMatchObject({
    code: 'model_validation',
    message: expect.stringMatching(
      /^SimpleChatStore\.store\.ann\[1\]\.role: expected one of "system", .*, received "narrator"\.$/,
    ),
  })
})

describe('damaged blocks', () => {
  it.each<[unknown, string]>([
    [null, 'blocks[0]: expected a block, received null'],
    ['text', 'blocks[0]: expected a block, received a string'],
    [[{}], 'blocks[0]: expected a block, received an array'],
    [{ block_type: 'text', text: 5 }, 'blocks[0]: expected a block'],
    [{ block_type: 'text', text: [null] }, 'blocks[0]: expected a block'],
  ])('%j are refused with their place', (block, message) => {
    const read = (title: string, make: () => unknown) =>
      expect(make).toThrow(
        expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(`${title}.${message}`) }),
      )
    read('ChatMessage', () => ChatMessage.fromDict({ role: 'user', blocks: [block] }))
    read('ToolOutput', () => ToolOutput.fromDict({ tool_name: 't', raw_input: {}, raw_output: 1, blocks: [block] }))
  })

  it.each([{ block_type: { toString: 1 } }, { block_type: 'image', image: { toString: 1 } }, { block_type: 5 }])(
    '%j are kept like those of an unknown kind',
    (block) => {
      const { content } = ChatMessage.fromDict({ role: 'user', blocks: [{ block_type: 'text', text: 'Hi' }, block] })
      expect(content).toEqual([{ type: 'text', text: 'Hi' }, block])
    },
  )
})
