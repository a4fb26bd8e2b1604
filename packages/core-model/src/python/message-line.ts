/**
 * @module
 * Messages and tool outputs in the form of LlamaIndex for Python 0.12 and newer: content, reasoning and tool calls are blocks.
 */

import type { Dict } from '@x/core'
import { compactJson, deepEqual, isPlainObject, parseExactly } from '@x/core/values'
import type { StoredPart } from '../messages/content-part.ts'
import { BLOCKS, readBlocks } from '../messages/message-blocks.ts'
import { messageText } from '../messages/message-content.ts'
import { partsText } from '../messages/parts-text.ts'

/** The keys of a block after its type, in the order of Python, and the blocks that a line has. */
export type BlockShapes = Readonly<Record<string, readonly string[]>>

/** The blocks of 0.12. */
export const olderBlocks: BlockShapes = {
  text: ['text'],
  image: ['image', 'path', 'url', 'image_mimetype', 'detail'],
  document: ['data', 'path', 'url', 'title', 'document_mimetype'],
}

/** The blocks of 0.14. */
export const newerBlocks: BlockShapes = {
  ...olderBlocks,
  thinking: ['content', 'num_tokens', 'additional_information'],
  tool_call: ['tool_call_id', 'tool_name', 'tool_kwargs'],
}

/** Returns a message with `content` as one with `blocks`. What the blocks of the line cannot say is in `parts`, which Python ignores. */
export function blockMessage(dict: Dict, shapes: BlockShapes): Dict {
  const { role, content, additional_kwargs, parts: given, ...rest } = dict
  if (!('content' in dict) || !('additional_kwargs' in dict)) return dict
  const { kwargs, calls } = takenCalls((additional_kwargs ?? {}) as Dict, shapes)
  const parts = (given ?? null) as StoredPart[] | null
  const flat = [...contentParts(content), ...(calls ?? []).map(() => ({ type: 'tool_call' }))]
  const written = (from: readonly object[]): Dict => ({
    role,
    additional_kwargs: kwargs,
    blocks: blocksOf(from, calls, shapes),
    ...rest,
  })
  const ordered = written(parts ?? flat)
  if (saysTheSame(ordered, dict)) return ordered
  return { ...(parts ? written(flat) : ordered), parts: parts ?? flat }
}

/** Returns a tool output with `blocks` instead of `content`. */
export function blockOutput(dict: Dict): Dict {
  const { content, tool_name, raw_input, raw_output, is_error, parts = null, ...rest } = dict
  if (!('content' in dict)) return dict
  const own = Array.isArray(parts) && parts.length > 0 && partsText(parts) === content
  return {
    blocks: blocksOf(own ? parts : [{ type: 'text', text: content }], null, newerBlocks),
    tool_name,
    raw_input,
    raw_output,
    is_error,
    ...rest,
    ...(!own && parts !== null && { parts }),
  }
}

/** Whether reading a written message returns the same data. */
function saysTheSame(written: Dict, dict: Dict): boolean {
  const { blocks: _, ...read } = readBlocks('ChatMessage', written)
  return deepEqual({ parts: null, ...read }, { parts: null, ...dict, content: plainContent(dict['content']) })
}

/** Returns the content as reading blocks returns it: no parts are null, and one text is a string. */
function plainContent(content: unknown): unknown {
  if (!Array.isArray(content) || content.length > 1) return content
  const [part = null] = content as (Dict | null)[]
  return part?.['type'] === 'text' && Object.keys(part).length === 2 ? part['text'] : part && content
}

/** Takes the tool calls out of the provider's data if the line has blocks for them, and reading the blocks returns the same calls. */
function takenCalls(kwargs: Dict, shapes: BlockShapes): { kwargs: Dict; calls: Dict[] | null } {
  const { tool_calls: calls, ...rest } = kwargs
  if (!shapes['tool_call'] || !Array.isArray(calls) || calls.length === 0) return { kwargs, calls: null }
  const blocks = calls.map(callBlock)
  const read = readBlocks('ChatMessage', { blocks, additional_kwargs: rest })
  const isSame = compactJson((read['additional_kwargs'] as Dict)['tool_calls'] ?? null) === compactJson(calls)
  return isSame ? { kwargs: rest, calls: blocks } : { kwargs, calls: null }
}

function callBlock(call: unknown): Dict {
  const { id = null, function: called, type: _, ...rest } = Object(call) as Dict
  const { name, arguments: text } = Object(called) as Dict
  return { block_type: 'tool_call', tool_call_id: id, tool_name: name, tool_kwargs: parsedArguments(text), ...rest }
}

/** Returns the object that the arguments say, if writing it returns the same text. */
function parsedArguments(text: unknown): unknown {
  try {
    const value = parseExactly(String(text))
    if (isPlainObject(value) && compactJson(value) === text) return value
  } catch {}
  return text
}

function contentParts(content: unknown): Dict[] {
  if (content === null || content === undefined) return []
  if (Array.isArray(content) && content.every(isPlainObject)) return content
  return [{ type: 'text', text: messageText({ content }) }]
}

/** @param calls - the blocks of the tool calls; null if the calls are not blocks. */
function blocksOf(parts: readonly object[], calls: readonly Dict[] | null, shapes: BlockShapes): Dict[] {
  let next = 0
  return (parts as readonly Dict[]).flatMap((part): Dict[] => {
    if (part['type'] === 'tool_call') return calls?.[next] ? [calls[next++]!] : []
    const block = blockOf(part)
    const keys = shapes[String(block['block_type'])]
    if (!keys) return part['type'] === 'reasoning' || isForeign(part) ? [] : [block]
    const whole: Dict = { block_type: block['block_type'] }
    for (const key of keys) whole[key] = block[key] ?? null
    return [{ ...whole, ...block }]
  })
}

/** Whether a part is data of an adapter, or a source: Python has no blocks for them. */
function isForeign(part: Dict): boolean {
  return part['type'] === 'source' || (part['type'] === 'provider' && part['adapter'] !== BLOCKS)
}

/** Returns the block of a part; a part of an unknown type is returned unchanged. */
function blockOf(part: Dict): Dict {
  const { type, text, provider_metadata, image_url, file, data, adapter, ...rest } = part
  if (type === 'text' && typeof text === 'string')
    return { block_type: 'text', text, ...(provider_metadata !== undefined && { provider_metadata }), ...rest }
  if (type === 'reasoning')
    return { block_type: 'thinking', content: text, additional_information: provider_metadata ?? {}, ...rest }
  if (type === 'provider' && adapter === BLOCKS) return data as Dict
  if (type === 'image_url') {
    const { url, ...more } = image_url as Dict
    return { block_type: 'image', ...mediaOf('image', url, rest['image_mimetype']), ...more, ...rest }
  }
  if (type === 'file') {
    const { url, media_type, filename, ...more } = file as Dict
    const mime = media_type === unknownType ? null : media_type
    return { block_type: 'document', ...mediaOf('document', url, mime), title: filename ?? null, ...more, ...rest }
  }
  return part
}

const unknownType = 'application/octet-stream'

/** Returns the data, the path or the address of an image or a document. */
function mediaOf(kind: 'image' | 'document', url: unknown, mime: unknown): Dict {
  const [, inlineType, data] = /^data:([^;,]*);base64,(.+)$/s.exec(String(url)) ?? []
  const type = inlineType === unknownType ? null : inlineType
  if (data !== undefined) return { [kind === 'image' ? 'image' : 'data']: data, [`${kind}_mimetype`]: type }
  const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(String(url))
  return { [isAddress ? 'url' : 'path']: url, [`${kind}_mimetype`]: mime ?? null }
}
