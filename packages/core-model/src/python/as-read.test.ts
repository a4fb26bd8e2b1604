import type { Dict } from '@x/core'
import { ClassRegistry, writeJsonText } from '@x/core'
import { fields, string } from '@x/core/fields'
import { parseExactly } from '@x/core/values'
import { describe, expect, it } from 'vitest'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { toolCallsOf } from '../messages/message-content.ts'
import { Document } from '../nodes/document.ts'
import { jsonToDoc } from '../nodes/index-node.ts'
import { docToJson } from '../nodes/node-record.ts'
import { TextNode } from '../nodes/text-node.ts'
import { asRead } from './as-read.ts'
import { pythonLine } from './lines.ts'

const newest = pythonLine('0.14')
const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }]
const message = (...blocks: Dict[]) => ({ role: 'assistant', additional_kwargs: {}, blocks })

/** What Python wrote, in forms that are read as the same thing as another form. */
const messages: [string, Dict][] = [
  ['calls in kwargs', { ...message({ block_type: 'text', text: 'a' }), additional_kwargs: { tool_calls: calls } }],
  [
    'calls in both',
    {
      ...message({ block_type: 'tool_call', tool_call_id: 'c', tool_name: 'f', tool_kwargs: '{"a": 1}' }),
      additional_kwargs: { tool_calls: calls },
    },
  ],
  [
    'arguments as text',
    message({ block_type: 'tool_call', tool_call_id: null, tool_name: 'f', tool_kwargs: '{"b":2.5}' }),
  ],
  [
    'thinking without content',
    message({ block_type: 'thinking', content: null, num_tokens: 3, additional_information: {} }),
  ],
  [
    'a data address',
    message({
      block_type: 'image',
      image: null,
      path: null,
      url: 'data:image/png;base64,AAAA',
      image_mimetype: null,
      detail: null,
    }),
  ],
  ['a null address', message({ block_type: 'audio', audio: 'AAAA', path: null, url: null, format: 'mp3' })],
  [
    'floats',
    {
      ...message({ block_type: 'text', text: 'a' }),
      additional_kwargs: parseExactly('{"a":1.0,"b":[1e-05,-0.0,{"c":100.0}]}'),
    },
  ],
  ['a key of the future', { ...message({ block_type: 'text', text: 'a', marks: null }), stamp: 5 }],
  ['a block of the future', message({ block_type: 'smell', smell: 'AAAA', path: null })],
]

describe('what Python wrote is written again as it was read', () => {
  it.each(messages)('%s', (_, dict) => {
    const text = writeJsonText(dict)
    const read = ChatMessage.fromJson(text)
    for (const one of [read, read.copy(), read.copy({ deep: true })]) expect(one.toJson({ line: newest })).toBe(text)
    expect(read.toJson({ line: asRead })).toBe(text)
    // Not in other forms, and the result is the caller's.
    expect(read.toDict()).not.toHaveProperty('blocks')
    ;(read.toDict({ line: newest })['blocks'] as Dict[]).pop()
    expect(read.toJson({ line: newest })).toBe(text)
  })

  it('each part that did not change', () => {
    const [, thinking] = messages[3]!
    const block = (thinking['blocks'] as Dict[])[0]!
    const read = ChatMessage.fromDict(thinking)
    const changed = read.copy({ update: { content: [...(read.content as []), { type: 'text', text: 'More.' }] } })
    expect(changed.toDict({ line: newest })['blocks']).toEqual([block, { block_type: 'text', text: 'More.' }])
    expect(read.copy({ update: { content: 'Other' } }).toDict({ line: newest })['blocks']).toEqual([
      { block_type: 'text', text: 'Other' },
    ])
    const kwargs = ChatMessage.fromDict(messages[0]![1])
    const dict = kwargs.copy({ update: { content: 'b' } }).toDict({ line: newest })
    expect(dict).toMatchObject({
      additional_kwargs: { tool_calls: calls },
      blocks: [{ block_type: 'text', text: 'b' }],
    })
    expect(toolCallsOf(ChatMessage.fromDict(dict))).toHaveLength(1)
  })

  it('but not for releases that do not have its blocks', () => {
    const [, dict] = messages[3]!
    const line = pythonLine('0.13.6')
    const written = ChatMessage.fromDict(dict).toDict({ line })
    expect(written).toMatchObject({ blocks: [], parts: [{ type: 'reasoning' }] })
    const unknown = ChatMessage.fromDict(messages.at(-1)![1]).toDict({ line })
    expect(unknown['blocks']).toEqual([])
    expect(unknown['parts']).toEqual(messages.at(-1)![1]['blocks'])
  })

  it('outputs of tools', () => {
    const dict = { blocks: [], tool_name: 't', raw_input: {}, raw_output: null, is_error: false }
    const output = ToolOutput.fromDict(dict)
    expect(output.toDict({ line: newest })).toEqual(dict)
    expect(output.toDict({ line: asRead })).toEqual(dict)
    output.content = 'a'
    expect(output.toDict({ line: newest })['blocks']).toEqual([{ block_type: 'text', text: 'a' }])
  })

  const media = { embeddings: null, text: null, path: null, url: null, mimetype: null }
  const head = {
    id_: 'a',
    embedding: null,
    metadata: { a: 1 },
    excluded_embed_metadata_keys: [],
    excluded_llm_metadata_keys: [],
    relationships: {},
    metadata_template: '{key}: {value}',
    metadata_separator: '\n',
  }
  const resources = { text_resource: media, image_resource: media, audio_resource: null, video_resource: null }
  const template = { text_template: '{content}' }
  const own = { mimetype: 'text/html', start_char_idx: null, end_char_idx: null, metadata_seperator: ', ' }

  it.each<[string, string, Dict]>([
    ['a shown text', '4', { ...head, ...resources, ...template, class_name: 'Document', text: 'shown' }],
    ['resources without content', '4', { ...head, ...resources, ...template, class_name: 'ImageDocument', text: '' }],
    ['no resource', '4', { ...head, ...resources, text_resource: null, ...template, class_name: 'Document', text: '' }],
    ['the class Node', '5', { ...head, ...resources, ...template, class_name: 'Node' }],
    ['a media type, and two separators', '1', { ...head, text: 'a', ...own, ...template, class_name: 'TextNode' }],
    [
      'JSON with blanks',
      '3',
      { ...head, text: 'a', ...own, ...template, index_id: 'i', obj: '{"a": 1}', class_name: 'IndexNode' },
    ],
  ])('nodes: %s', (_, type, data) => {
    const node = jsonToDoc({ __data__: data, __type__: type })
    const text = JSON.stringify({ __data__: data, __type__: type })
    expect(JSON.stringify(docToJson(node, newest))).toBe(text)
    // Vectors are stored beside nodes.
    const stored = node.copy({ update: { embedding: [1, 2] } })
    expect(stored.toDict({ line: newest })).toEqual({ ...data, embedding: [1, 2] })
    expect(JSON.stringify(docToJson(stored.copy({ update: { embedding: null } }), newest))).toBe(text)
    const changed = node.copy({ update: { metadata: { a: 2 } } })
    expect(changed.toDict({ line: newest })['metadata']).toEqual({ a: 2 })
    expect(node.toDict({ line: newest, include: ['metadata'] })).toMatchObject({ metadata: { a: 1 } })
  })

  it('documents only for releases that read them', () => {
    const document = jsonToDoc({
      __data__: { ...head, ...resources, text_resource: null, ...template, class_name: 'Document', text: '' },
      __type__: '4',
    })
    expect(document.toDict({ line: pythonLine('0.12.22') })['text_resource']).toMatchObject({ text: '' })
    const both = { ...head, ...resources, ...template, class_name: 'Document', text: 'shown' }
    expect(Document.fromDict(both).toDict({ line: pythonLine('0.12.6') })).not.toHaveProperty('text')
    expect(Document.fromDict(both).toDict({ line: pythonLine('0.12.5') })).not.toHaveProperty('text_resource')
  })

  it('not the form of 0.10, in which a resource has only further data', () => {
    const resource = { embeddings: null, text: ' ', path: null, url: 'https://example.com/x', mimetype: null }
    const written = new Document({ id: 'd', text: ' ' }).toDict({ line: newest })
    const read = Document.fromDict({ ...written, text_resource: resource })
    expect(read.toDict()).toMatchObject({ text: ' ', text_resource: { url: 'https://example.com/x' } })
    for (const name of ['0.12.6', '0.12.22', '0.12', '0.13.6', '0.14.14'])
      expect(Document.fromDict(read.toDict()).toDict({ line: pythonLine(name) })).toMatchObject({
        text_resource: { text: ' ', url: 'https://example.com/x' },
      })
  })

  it('also of own classes', () => {
    class Page extends fields(TextNode, 'Page', { note: string({ default: '' }) }) {}
    const data = { ...head, text: 'a', ...own, ...template, note: 'n', class_name: 'Page' }
    const registry = new ClassRegistry([Page])
    const node = jsonToDoc({ __data__: data, __type__: '1' }, { registry })
    expect(node.toDict({ line: newest })).toMatchObject({ mimetype: 'text/html', note: 'n', class_name: 'Page' })
  })
})
