import type { Dict } from '@x/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { SimpleChatStore } from '../messages/simple-chat-store.ts'
import { jsonToDoc } from '../nodes/index-node.ts'
import { docToJson } from '../nodes/node-record.ts'
import { pythonLine } from './lines.ts'
import { formOf, releaseNumber } from './releases.ts'

/** Releases between whose forms something changed, and those whose programs wrote the samples. */
const releases = ['0.12.2', '0.12.5', '0.12.6', '0.12.9', '0.12.22', '0.12.52', '0.13.6', '0.14.2', '0.14.4', '0.14.14']

const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(' a\n', '', 'T é😀', '{"a": 1}'))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const none = fc.constant(null)
const base64 = fc.base64String({ minLength: 4, maxLength: 12 })
const url = fc.oneof(
  text.map((path) => `https://example.com/${path}`),
  fc.constantFrom('data:image/png;base64,AAAA', 'data:application/pdf;base64,QQ==', 'data:,hi'),
)
const type = fc.constantFrom('image/png', 'application/pdf', 'application/octet-stream', null)
const args = fc.oneof(
  fc.dictionary(text, fc.nat(), { maxKeys: 2 }),
  fc.constantFrom('{"b":2.5}', '{"a": 1}', '{}', 'oops'),
)
const data = fc.dictionary(text, fc.oneof(text, fc.nat(), none), { maxKeys: 2 })

/** The values that Python writes in the keys of blocks. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  image: base64,
  audio: base64,
  video: base64,
  data: base64,
  url: maybe(url),
  image_url: maybe(url),
  path: maybe(fc.constantFrom('a.png', '/b c.pdf')),
  image_path: none,
  image_mimetype: type,
  document_mimetype: type,
  video_mimetype: type,
  detail: maybe(fc.constantFrom('low', 'high', 'original')),
  format: maybe(text),
  fps: maybe(fc.nat()),
  title: text,
  source: text,
  content: maybe(text),
  num_tokens: maybe(fc.nat()),
  additional_information: data,
  additional_location_info: data,
  cache_control: fc.constant({ type: 'ephemeral', ttl: '5m' }),
  cited_content: text.map((said) => ({ block_type: 'text', text: said })),
  tool_call_id: maybe(text),
  tool_name: text,
  tool_kwargs: args,
}

/** Blocks of a release. Media have data, or an address, or a path; citable ones contain blocks. */
function blocksOf(release: string): fc.Arbitrary<Dict[]> {
  const kinds = Object.entries(formOf(release).blocks!).map(([kind, keys]) => {
    const block = fc.record(
      Object.fromEntries(keys.map((key) => [key, values[key] ?? fc.nat()] as const)) as Record<
        string,
        fc.Arbitrary<unknown>
      >,
    )
    return block.chain((given) =>
      fc
        .constantFrom(
          ...keys.filter((key) => ['image', 'audio', 'video', 'data', 'url', 'image_url', 'path'].includes(key)),
          '',
        )
        .map((kept) => {
          const written: Dict = { block_type: kind }
          for (const key of keys) {
            const isPlace = ['image', 'audio', 'video', 'data', 'url', 'image_url', 'path'].includes(key)
            written[key] = isPlace && kept !== '' && key !== kept ? null : given[key]
          }
          if (kind === 'citable') written['content'] = [{ block_type: 'text', text: 'a' }]
          return written
        }),
    )
  })
  return fc.array(fc.oneof(...kinds), { maxLength: 4 })
}

const calls = fc.array(
  fc.record({
    id: text,
    type: fc.constant('function'),
    function: fc.record({ name: text, arguments: fc.constantFrom('{}', '{"a": 1}', '{"a":1}', 'oops') }),
  }),
  { maxLength: 2 },
)
const kwargs = fc.oneof(data, fc.record({ tool_calls: calls }), fc.record({ name: text, tool_calls: calls }))
const messagesOf = (release: string) =>
  fc.record({
    role: fc.constantFrom(
      'user',
      'assistant',
      'tool',
      releaseNumber(release) < releaseNumber('0.12.27') ? 'model' : 'developer',
    ),
    additional_kwargs: kwargs,
    blocks: blocksOf(release),
  })

/** A document or a node of class `Node` as a release writes it. */
function recordsOf(release: string): fc.Arbitrary<Dict> {
  const { document, resource, copy } = formOf(release)
  const keys = resource.filter((key) => key !== 'data')
  const media = fc
    .record({
      text: maybe(text),
      path: maybe(text),
      url: maybe(url),
      mimetype: maybe(text),
      embeddings: maybe(fc.constant({ dense: [0.5] })),
    })
    .map((given) => Object.fromEntries(keys.map((key) => [key, (given as Dict)[key]])))
  return fc
    .record({
      texts: maybe(media),
      image: maybe(media),
      audio: maybe(media),
      metadata: data,
      kind: fc.constantFrom('Document', 'ImageDocument', 'Node'),
      shown: text,
    })
    .map(({ texts, image, audio, metadata, kind, shown }) => {
      const given: Dict = {
        id_: 'a',
        embedding: null,
        metadata,
        excluded_embed_metadata_keys: [],
        excluded_llm_metadata_keys: [],
        relationships: {},
        metadata_template: '{key}: {value}',
        metadata_separator: ' | ',
        text_resource:
          texts ??
          (copy === 'none' || formOf(release).emptyIsNull ? null : Object.fromEntries(keys.map((key) => [key, null]))),
        image_resource: image,
        audio_resource: audio,
        video_resource: null,
        text_template: '{content}',
      }
      const written = Object.fromEntries(document!.map((key) => [key, given[key]]))
      const all = { ...written, class_name: kind, ...(kind !== 'Node' && copy !== 'none' && { text: shown }) }
      return { __data__: all, __type__: kind === 'Node' ? '5' : '4' }
    })
}

describe.each(releases)('what LlamaIndex for Python %s writes is written again, byte for byte:', (release) => {
  const line = pythonLine(release)

  it('messages, alone and in chat stores', () => {
    fc.assert(
      fc.property(messagesOf(release), (dict) => {
        const written = JSON.stringify(dict)
        expect(ChatMessage.fromJson(written).toJson({ line })).toBe(written)
        const store = JSON.stringify({ store: { ann: [dict] }, class_name: 'SimpleChatStore' })
        expect(JSON.stringify(SimpleChatStore.fromDict(JSON.parse(store)).toDict({ line }))).toBe(store)
      }),
      { numRuns: rounds(100, 400) },
    )
  })

  it.runIf(formOf(release).output === 'blocks')('outputs of tools', () => {
    const outputs = fc.record({
      blocks: blocksOf(release),
      tool_name: text,
      raw_input: data,
      raw_output: data,
      is_error: fc.boolean(),
    })
    fc.assert(
      fc.property(outputs, (dict) => {
        const written = JSON.stringify(dict)
        expect(ToolOutput.fromJson(written).toJson({ line })).toBe(written)
      }),
    )
  })

  it.runIf(formOf(release).document !== null)('documents, images and nodes of the class Node', () => {
    fc.assert(
      fc.property(recordsOf(release), (record) => {
        const written = JSON.stringify(record)
        expect(JSON.stringify(docToJson(jsonToDoc(JSON.parse(written)), line))).toBe(written)
      }),
      { numRuns: rounds(60, 200) },
    )
  })
})
