/**
 * @module
 * Messages and tool outputs in the forms of the releases of LlamaIndex for Python: since 0.12.2, content, reasoning and tool calls are
 * blocks.
 */

import type { Dict } from '@x/core'
import type { AnyModel } from '@x/core/reading'
import { compactJson, deepEqual, isPlainObject, parseExactly } from '@x/core/values'
import type { StoredPart } from '../messages/content-part.ts'
import { BLOCKS, partOf, readBlocks } from '../messages/message-blocks.ts'
import { messageText } from '../messages/message-content.ts'
import { partsText } from '../messages/message-parts.ts'
import { unchangedData } from './as-read.ts'
import { type BlockShapes, type Form, newestBlocks } from './releases.ts'

/** How blocks are written. */
interface Writing {
  readonly shapes: BlockShapes
  readonly form: Form
  /** The blocks that were read and that the form has, with the parts or the calls that they were read as. */
  readonly kept: readonly (readonly [part: unknown, block: Dict])[]
}

/**
 * Returns a message in a form: as it was read, if the form has all of its blocks. Otherwise each part that did not change is written as it
 * was read. What the blocks of the form cannot say is in `parts`, which Python ignores.
 */
export function messageInForm(dict: Dict, message: AnyModel, form: Form): Dict {
  const { content, additional_kwargs, parts: given, role: own, ...rest } = dict
  const role = form.roles[String(own)] ?? own
  const shapes = form.blocks
  if (!shapes) return { ...dict, ...('role' in dict && { role }) }
  if (!('content' in dict) || !('additional_kwargs' in dict)) return dict
  const read = (message as { '~read'?: Dict })['~read']
  const writing = writingOf(read, shapes, form)
  // Data with parts was written by this package.
  if (read && !('parts' in read) && writing.kept.length === blocksIn(read).length) {
    const data = unchangedData(message)
    if (data) return { ...data, ...('role' in data && { role }) }
  }
  const { kwargs, calls } = takenCalls((additional_kwargs ?? {}) as Dict, read, writing)
  const parts = (given ?? null) as StoredPart[] | null
  const flat = [...contentParts(content), ...(calls ?? []).map(() => ({ type: 'tool_call' }))]
  const written = (from: readonly object[]): Dict => ({
    role,
    additional_kwargs: kwargs,
    blocks: blocksOf(from, calls, writing),
    ...rest,
  })
  const ordered = written(parts ?? flat)
  if (saysTheSame(ordered, dict)) return ordered
  return { ...(parts ? written(flat) : ordered), parts: parts ?? flat }
}

/** Returns a tool output in a form. */
export function outputInForm(dict: Dict, output: AnyModel, form: Form): Dict {
  const { content, tool_name, raw_input, raw_output, is_error, parts = null, ...rest } = dict
  if (!('content' in dict)) return dict
  if (form.output === 'errors') return dict
  if (form.output === 'plain' || !form.blocks) {
    const { is_error: _, ...plain } = dict
    return plain
  }
  const read = (output as { '~read'?: Dict })['~read']
  const writing = writingOf(read, form.blocks, form)
  const data = read && writing.kept.length === blocksIn(read).length && unchangedData(output)
  if (data) return data
  const own = Array.isArray(parts) && parts.length > 0 && partsText(parts) === content
  return {
    blocks: blocksOf(own ? parts : [{ type: 'text', text: content }], null, writing),
    tool_name,
    raw_input,
    raw_output,
    is_error,
    ...rest,
    ...(!own && parts !== null && { parts }),
  }
}

const blocksIn = (read: Dict | undefined): Dict[] => {
  const blocks = read?.['blocks']
  return Array.isArray(blocks) ? blocks : []
}

function writingOf(read: Dict | undefined, shapes: BlockShapes, form: Form): Writing {
  const kept = blocksIn(read)
    .filter((block) => hasBlock(shapes, block))
    .map((block) => {
      const part = partOf(block)
      return [part === block ? { type: 'provider', adapter: BLOCKS, data: block } : part, block] as const
    })
  return { shapes, form, kept }
}

/** Returns an image block with the keys of the form. */
function named(block: Dict, { image }: BlockShapes): Dict {
  if (block['block_type'] !== 'image' || !image?.includes('image_url')) return block
  const { path = null, url = null, ...rest } = block
  return { ...rest, image_path: path, image_url: url }
}

/** Whether a form has a block. Blocks of an unknown kind are of releases that are newer than this package. */
function hasBlock(shapes: BlockShapes, block: Dict): boolean {
  const type = String(block['block_type'])
  const keys = shapes[type]
  if (!keys) return !newestBlocks[type] && shapes['tool_call'] !== undefined
  if (type === 'image') return addressKeys.every((key) => keys.includes(key) || (block[key] ?? null) === null)
  return type !== 'citation' || keys.every((key) => key in block)
}

/** The keys of the addresses of images, which one release called otherwise. */
const addressKeys = ['path', 'url', 'image_path', 'image_url']

/** Whether reading a written message returns the same data. */
function saysTheSame(written: Dict, dict: Dict): boolean {
  const { blocks: _, role: __, ...read } = readBlocks('ChatMessage', written)
  const { role: ___, ...said } = dict
  return deepEqual({ parts: null, ...read }, { parts: null, ...said, content: plainContent(dict['content']) })
}

/** Returns the content as reading blocks returns it: no parts are null, and a single text part is a string. */
function plainContent(content: unknown): unknown {
  if (!Array.isArray(content) || content.length > 1) return content
  const [part = null] = content as (Dict | null)[]
  return part?.['type'] === 'text' && Object.keys(part).length === 2 ? part['text'] : part && content
}

interface TakenCalls {
  kwargs: Dict
  /** The blocks of the tool calls in their order, null for a call that is not a block; null if no call is a block. */
  calls: readonly (Dict | null)[] | null
}

/**
 * Takes the tool calls out of the provider's data if the form has blocks for them, and reading the blocks returns the same calls. Calls
 * that were read from the provider's data stay there.
 */
function takenCalls(kwargs: Dict, read: Dict | undefined, writing: Writing): TakenCalls {
  const { tool_calls: calls, ...rest } = kwargs
  if (!writing.shapes['tool_call'] || !Array.isArray(calls) || calls.length === 0) return { kwargs, calls: null }
  const given = Object(read?.['additional_kwargs'])['tool_calls']
  if (Array.isArray(given) && given.length > 0)
    return { kwargs, calls: calls.map((call) => keptBlock(call, writing) ?? null) }
  const blocks = calls.map((call) => keptBlock(call, writing) ?? callBlock(call))
  const again = readBlocks('ChatMessage', { blocks, additional_kwargs: rest })
  const isSame = compactJson((again['additional_kwargs'] as Dict)['tool_calls'] ?? null) === compactJson(calls)
  return isSame ? { kwargs: rest, calls: blocks } : { kwargs, calls: null }
}

function keptBlock(part: unknown, { kept }: Writing): Dict | undefined {
  return kept.find(([read]) => deepEqual(read, part))?.[1]
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
function blocksOf(parts: readonly object[], calls: TakenCalls['calls'], writing: Writing): Dict[] {
  const { shapes, form } = writing
  let next = 0
  return (parts as readonly Dict[]).flatMap((part): Dict[] => {
    if (part['type'] === 'tool_call') {
      const call = calls?.[next++]
      return call ? [call] : []
    }
    const kept = keptBlock(part, writing)
    if (kept) return [kept]
    const block = named(blockOf(part), shapes)
    // Older releases refuse a whole store with one block that they do not know.
    if (!hasBlock(shapes, block)) return []
    const { block_type: type } = block
    const keys = shapes[String(type)] ?? []
    const nulls = Object.fromEntries(keys.map((key) => [key, null]))
    const whole: Dict = { ...(keys.length > 0 && { block_type: type, ...nulls }), ...block }
    if ((type === 'audio' || (type === 'image' && form.refusesNullUrl)) && whole['url'] === null) delete whole['url']
    return [whole]
  })
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
