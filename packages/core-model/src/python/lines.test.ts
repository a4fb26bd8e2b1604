import type { Dict } from '@x/core'
import { describe, expect, it } from 'vitest'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { SimpleChatStore } from '../messages/simple-chat-store.ts'
import { Document } from '../nodes/document.ts'
import { ImageDocument, ImageNode } from '../nodes/image-node.ts'
import { IndexNode } from '../nodes/index-node.ts'
import { NodeWithScore } from '../nodes/node-with-score.ts'
import { QueryBundle } from '../nodes/query-bundle.ts'
import { sha256 } from '../nodes/sha256.ts'
import { TextNode } from '../nodes/text-node.ts'
import { lineOf, newerLine, type PythonLine, pythonLine } from './lines.ts'
import { messageInRelease as withoutForms } from './no-line-named.ts'

const [v10, v11, v12, v14] = ['0.10', '0.11', '0.12', '0.14'].map(pythonLine) as [
  PythonLine,
  PythonLine,
  PythonLine,
  PythonLine,
]
const older = pythonLine('0.12.22')

describe('a line of Python writes messages', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
  const message = new ChatMessage({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', provider_metadata: { signature: 's' } },
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'file', file: { url: 'https://example.com/a.pdf', media_type: 'application/pdf', filename: 'a.pdf' } },
    ],
    additionalKwargs: { tool_calls: [call] },
  })
  const blocks = [
    { block_type: 'text', text: 'Look:' },
    { block_type: 'image', image: 'AAAA', path: null, url: null, image_mimetype: 'image/png', detail: 'low' },
    {
      block_type: 'document',
      data: null,
      path: null,
      url: 'https://example.com/a.pdf',
      title: 'a.pdf',
      document_mimetype: 'application/pdf',
    },
  ]

  it('with content up to 0.11', () => {
    for (const line of [v10, v11]) {
      expect(message.toDict({ line })).toEqual(message.toDict())
      expect(ChatMessage.fromDict({ role: 'developer', content: 'a' }).toDict({ line })['role']).toBe('system')
    }
  })

  it('with blocks from 0.12 on; what 0.12 has no blocks for is in parts', () => {
    const dict = message.toDict({ line: v12 })
    expect(Object.keys(dict)).toEqual(['role', 'additional_kwargs', 'blocks', 'parts'])
    expect(dict).toMatchObject({ role: 'assistant', additional_kwargs: { tool_calls: [call] }, blocks })
    const plain = new ChatMessage({ content: 'Hi' })
    expect(plain.toJson({ line: v12 })).toBe(
      '{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"Hi"}]}',
    )
    expect(new ChatMessage({ content: null }).toDict({ line: v12 })['blocks']).toEqual([])
  })

  it('with reasoning and tool calls as blocks in 0.14', () => {
    expect(message.toDict({ line: v14 })).toEqual({
      role: 'assistant',
      additional_kwargs: {},
      blocks: [
        {
          block_type: 'thinking',
          content: 'Hm.',
          num_tokens: null,
          additional_information: { signature: 's' },
        },
        ...blocks,
        { block_type: 'tool_call', tool_call_id: 'c1', tool_name: 'add', tool_kwargs: { a: 1 } },
      ],
    })
    // Calls that blocks cannot say stay data of the provider.
    const flat = new ChatMessage({ additionalKwargs: { tool_calls: [{ id: 'c', name: 'add', arguments: '{}' }] } })
    expect(flat.toDict({ line: v14 })['additional_kwargs']).toEqual(flat.additionalKwargs)
  })

  it('in chat stores', () => {
    const store = new SimpleChatStore()
    store.addMessage('ann', new ChatMessage({ content: 'Hi' }))
    const dict = store.toDict({ line: v12 })
    expect(dict.store['ann']).toEqual([
      { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Hi' }] },
    ])
    expect(SimpleChatStore.fromDict(dict).getMessages('ann').map(String)).toEqual(['user: Hi'])
  })
})

it('tool outputs consist of blocks from 0.12.45 on', () => {
  const output = new ToolOutput({ toolName: 't', content: '3', rawInput: {}, rawOutput: 3 })
  expect(output.toDict({ line: older })).toEqual(output.toDict())
  expect(output.toDict({ line: pythonLine('0.10.15') })).not.toHaveProperty('is_error')
  const dict = output.toDict({ line: v14 })
  expect(dict).toEqual({
    blocks: [{ block_type: 'text', text: '3' }],
    tool_name: 't',
    raw_input: {},
    raw_output: 3,
    is_error: false,
  })
  expect(ToolOutput.fromDict(dict).equals(output)).toBe(true)
})

describe('a line of Python writes nodes', () => {
  const node = new TextNode({ id: 'a', text: 'Paris', metadata: { page: 1 }, startCharIdx: 0, endCharIdx: 5 })
  const document = new Document({ id: 'd', text: 'Paris', metadata: { page: 1 } })
  const keys = (dict: Dict) => Object.keys(dict).slice(6).join(' ')

  it('with the keys of its text nodes, in their order', () => {
    expect(node.toDict({ line: v10 })).toEqual(node.toDict())
    expect(keys(node.toDict({ line: v11 }))).toBe(
      'text mimetype start_char_idx end_char_idx text_template metadata_template metadata_seperator class_name',
    )
    expect(keys(node.toDict({ line: v12 }))).toBe(
      'metadata_template metadata_separator text mimetype start_char_idx end_char_idx metadata_seperator text_template class_name',
    )
    expect(keys(node.toDict({ line: v14 }))).toBe(keys(node.toDict({ line: v12 })))
    expect(keys(document.toDict({ line: v12 }))).toBe(
      'metadata_template metadata_separator text_resource image_resource audio_resource video_resource text_template class_name text',
    )
  })

  it('with the image and the vector of a document in its resources', () => {
    const image = new ImageDocument({ id: 'i', text: 'a', imageUrl: 'https://example.com/a.png', textEmbedding: [1] })
    expect(image.toDict({ line: v12 })).toMatchObject({
      text_resource: { embeddings: { dense: [1] }, text: 'a', path: null, url: null, mimetype: null },
      image_resource: { url: 'https://example.com/a.png', mimetype: null },
      audio_resource: null,
    })
    expect(image.toDict({ line: v12 })).not.toHaveProperty('image_url')
    const own = new ImageNode({ id: 'i', image: 'AAAA' })
    expect(own.toDict({ line: v12 })).toMatchObject({ image: 'AAAA', image_path: null })
  })

  it('also inside of index nodes', () => {
    const table = new IndexNode({ id: 'x', indexId: 't', obj: document })
    expect(table.toDict({ line: v12 })['obj']).toMatchObject({ __data__: { text_resource: { text: 'Paris' } } })
  })

  it('leaves out what the caller leaves out', () => {
    const dict = document.toDict({ line: v12, include: ['metadata'] })
    expect(Object.keys(dict).filter((key) => dict[key] !== null)).toEqual(['metadata', 'class_name'])
    expect(message().toDict({ line: v12, exclude: ['content'] })).toEqual({ role: 'user', additional_kwargs: {} })
  })

  const message = () => new ChatMessage({ content: 'a' })

  it('with its hash of documents and image nodes', () => {
    const picture = new ImageNode({ imagePath: 'a.png', text: 'x' })
    expect(v10.hashOf(picture)).toBe(picture.hash)
    for (const name of ['0.10.15', '0.10.68', '0.11.9']) expect(pythonLine(name).hashOf(picture)).toBe(sha256('x{}'))
    for (const line of [v10, v11]) expect(line.hashOf(document)).toBe(document.hash)
    for (const line of [v12, v14]) {
      expect(line.hashOf(node)).toBe(node.hash)
      expect(line.hashOf(document)).toBe(sha256(`page: 1-${sha256('Paris')}`))
      expect(line.hashOf(new Document({ text: 'Paris' }))).toBe(sha256(sha256('Paris')))
      // An empty text is a resource without identity, or none.
      expect(line.hashOf(new Document({ metadata: { a: 'b' } }))).toBe(sha256(line === v12 ? 'a: b-' : 'a: b'))
      expect(line.hashOf(new ImageNode({ imagePath: 'a.png', text: 'x' }))).toBe(sha256('None-a.png-None-x'))
      const image = new ImageDocument({ text: 'x', image: 'AAAA', imageMimetype: 'image/png' })
      expect(line.hashOf(image)).toBe(sha256(`${sha256(sha256('AAAA'))}-${sha256('x')}`))
    }
  })
})

describe('lineOf', () => {
  it('returns the oldest release that writes the form of data', () => {
    const node = new TextNode({ id: 'a', text: 'x' })
    const written = (line: string, ...models: { toDict(options: object): unknown }[]) =>
      models.map((model) => lineOf(model.toDict({ line: pythonLine(line) })))
    const calls = { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }
    const text = new ChatMessage({ content: 'a' })
    const output = new ToolOutput({ toolName: 't', content: '3', rawInput: {}, rawOutput: 3 })
    const thought = new ChatMessage({ content: [{ type: 'reasoning', text: 'Hm.' }] })
    expect(written('0.10', node, text, output)).toEqual(['0.10', '0.10', null])
    expect(written('0.11', node, text, output)).toEqual(['0.10.48', '0.10', null])
    expect(written('0.12.5', node, new Document({}), text)).toEqual(['0.12.1', '0.12.1', '0.12.3'])
    expect(written('0.12.6', new Document({}))).toEqual(['0.12.6'])
    expect(written('0.12.9', new Document({}))).toEqual(['0.12.7'])
    expect(written('0.12.22', new Document({ text: ' a' }))).toEqual(['0.12.10'])
    expect(written('0.12.24', new Document({ text: ' a' }))).toEqual(['0.12.24'])
    expect(written('0.14', new Document({}), output, thought)).toEqual(['0.12.32', '0.12.45', '0.14.3'])
    expect(written('0.14', new ChatMessage({ content: null, additionalKwargs: calls }))).toEqual(['0.14.5'])
    const citation = { block_type: 'citation', cited_block_index: 0 }
    expect(lineOf({ role: 'user', blocks: [citation] })).toBe('0.12.45')
    expect(lineOf({ role: 'developer', blocks: [{ block_type: 'image', image_url: 'a' }] })).toBe('0.12.27')
    expect(lineOf([node.toDict(), { a: [text.toDict({ line: v12 })] }])).toBe('0.12.3')
  })

  it('tells releases apart by the hash of a document', () => {
    const document = new Document({ id: 'd', text: 'x', metadata: { a: 1 } })
    const record = { __data__: document.toDict({ line: older }), __type__: '4' }
    expect(lineOf(record, older.hashOf(document))).toBe('0.12.10')
    expect(lineOf(record, v12.hashOf(document))).toBe('0.12.28')
    expect(lineOf({ ...record, __type__: '9' }, 'unknown')).toBe('0.12.10')
    const image = new ImageNode({ id: 'i', image: 'AAAA' })
    const stored = { __data__: image.toDict({ line: v11 }), __type__: '2' }
    expect(lineOf(stored, v11.hashOf(image))).toBe('0.11.10')
    expect(lineOf(stored, image.hash)).toBe('0.10.48')
  })

  it('looks at no data of users', () => {
    const blocks = { role: 'user', blocks: [{ block_type: 'thinking' }] }
    const node = new TextNode({ metadata: { blocks } })
    expect(lineOf(node.toDict())).toBe('0.10')
    expect([lineOf({}), lineOf(null), lineOf({ metadata: blocks })]).toEqual([null, null, null])
  })
})

describe('a release', () => {
  it('has the newest form that is not newer', () => {
    const message = new ChatMessage({ content: 'a' })
    const keys = (name: string) => Object.keys(message.toDict({ line: pythonLine(name) })).join()
    for (const name of ['0.12.0', '0.12.1', '0.11.24', '0.10.68.post1']) expect(keys(name)).toBe(keys('0.10'))
    for (const name of ['0.12.2', '0.12.24.post1', '0.13.6', '0.15', '1.0', '0.14.99'])
      expect(keys(name)).toBe(keys('0.12'))
    expect(pythonLine('0.13.6').name).toBe('0.13.6')
    expect([newerLine('0.12.9', '0.12.10'), newerLine('0.12', '0.12.52'), newerLine(null, '0.10')]).toEqual([
      '0.12.10',
      '0.12',
      '0.10',
    ])
  })

  it.each(['0.9', '0.1', '12', '', 'newest', '0.12.x', '0.12.5; drop'])('%j is not known', (name) => {
    const message = `pythonLine.name: expected a release of LlamaIndex for Python from "0.10" on, such as "0.13.6", received ${JSON.stringify(name)}.`
    expect(() => pythonLine(name)).toThrow(message)
  })

  it('is also a name, in every class', () => {
    const message = new ChatMessage({
      role: 'assistant',
      content: 'a',
      additionalKwargs: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    })
    const nodes = [new Document({ text: ' a ' }), new IndexNode({ indexId: 'i', obj: new Document({ text: 'b' }) })]
    const output = new ToolOutput({ toolName: 't', content: 'c' })
    const store = new SimpleChatStore()
    store.addMessage('k', message)
    const written = [message, output, store, ...nodes, ...nodes.map((node) => new NodeWithScore({ node, score: 1 }))]
    for (const name of ['0.10', '0.11', '0.12.5', '0.13', '0.13.6', '0.14.14', '0.12.24.post1'])
      for (const value of written)
        expect(value.toDict({ line: name })).toEqual(value.toDict({ line: pythonLine(name) }))
    expect(message.toJson({ line: '0.13' })).toBe(message.toJson({ line: pythonLine('0.13') }))
  })

  it.each(['0.9', '', '0.12.x', 'newest'])('%j is not the name of one', (name) => {
    const values = [new ChatMessage({}), new TextNode({}), new IndexNode({ indexId: 'i' })]
    for (const value of values)
      expect(() => value.toDict({ line: name })).toThrow(/: expected .*"0\.13\.6".*, received/)
  })

  it('is checked by name where nothing is nested', () => {
    expect(() => new QueryBundle({ queryStr: 'q' }).toDict({ line: 'newest' })).toThrow(
      'QueryBundle.line: expected "0.13.6" or another release, received "newest"',
    )
  })

  it('is refused by name where a bundle has no forms', () => {
    expect(() => withoutForms({}, new ChatMessage({}), '0.13')).toThrow(
      "toDict.line: expected pythonLine('0.13') of @x/core-model/python, received a string",
    )
  })

  it.each([
    ['0.12.22', ['text', 'image']],
    ['0.12.36', ['text', 'image', 'document']],
    ['0.13.6', ['text', 'image', 'document']],
    ['0.14.3', ['thinking', 'text', 'image', 'document']],
    ['0.14.5', ['thinking', 'text', 'image', 'document', 'tool_call']],
  ])('writes only blocks that it has: %s', (name, types) => {
    const message = new ChatMessage({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'file', file: { url: 'https://example.com/a.pdf', media_type: 'application/pdf' } },
      ],
      additionalKwargs: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    })
    const dict = message.toDict({ line: pythonLine(name) }) as { blocks: Dict[] }
    expect(dict.blocks.map(({ block_type }) => block_type)).toEqual(types)
    expect(ChatMessage.fromDict(dict).content).toEqual(expect.anything())
    // Python 0.12.3 to 0.12.22 refuses an image whose address is null.
    expect('url' in dict.blocks.find(({ block_type }) => block_type === 'image')!).toBe(name !== '0.12.22')
  })

  it('without developers has systems', () => {
    const role = (name: string, given: string) =>
      ChatMessage.fromDict({ role: given, content: 'a' }).toDict({ line: pythonLine(name) })['role']
    expect([role('0.12.22', 'developer'), role('0.12.27', 'developer')]).toEqual(['system', 'developer'])
    expect([role('0.10.15', 'model'), role('0.11', 'model')]).toEqual(['assistant', 'model'])
  })

  it('called the addresses of images otherwise', () => {
    const message = new ChatMessage({
      content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    })
    const dict = message.toDict({ line: pythonLine('0.12.2') })
    expect(dict['blocks']).toMatchObject([{ block_type: 'image', image_url: 'https://example.com/a.png' }])
    expect(ChatMessage.fromDict(dict).content).toEqual(message.content)
  })

  it('writes the text of documents as it is shown, or as it is', () => {
    const text = (name: string) =>
      new Document({ text: ' a\n', textTemplate: 'T {content}' }).toDict({ line: pythonLine(name) })
    expect(text('0.12.6')).not.toHaveProperty('text')
    expect(text('0.12.22')).toMatchObject({ text: 'T  a', text_resource: { text: ' a\n' } })
    expect(text('0.12.24')).toMatchObject({ text: ' a\n', text_resource: { text: ' a\n' } })
    const empty = (name: string) => new Document({}).toDict({ line: pythonLine(name) })['text_resource']
    expect(empty('0.14.14')).toBeNull()
    for (const name of ['0.12', '0.12.22', '0.12.28']) expect(empty(name)).toMatchObject({ text: '' })
    expect(new Document({ textTemplate: '{' }).toDict({ line: older })['text']).toBe('')
  })
})
