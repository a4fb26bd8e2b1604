/**
 * @module
 * The content of messages of LlamaIndex for Python 0.12 and newer, which consists of blocks. Short, because every bundle with messages
 * contains it.
 */

import type { Dict } from '@x/core'
import { invalid } from '@x/core/reading'
import { isPlainObject, present, textOrJson } from '@x/core/values'

/** Marks blocks without a part in the ordered parts of a message. */
export const BLOCKS = 'llama_index'

/**
 * Returns data whose blocks are content: the string of a single text block, or parts; null without content. Data with content is
 * returned unchanged. A block becomes the part or the tool call of its kind, and keeps further data under their names. A block without
 * such a part is an unknown part: it is kept unchanged. If the order is not reasoning, content, tool calls, `parts` contains it.
 * @throws {ModelValidationError} if `blocks` is not an array of objects.
 */
export function readBlocks(title: string, data: Dict): Dict {
  const { blocks = null, content, additional_kwargs: extra } = data
  if (content || blocks === null) return data
  if (!Array.isArray(blocks)) throw invalid(title, 'an array', blocks, ['blocks'])
  // Integrations for Python write the calls of the provider beside the blocks of the same calls.
  const known = [(extra as Dict | null)?.['tool_calls'] ?? []].flat() as (Dict | null)[]
  const calls = [...known]
  const own: Dict[] = []
  let kinds = ''
  let count = 0
  const parts = blocks.map((block: unknown, index) => {
    const { block_type: kind, text } = Object(block) as Dict
    if (!isPlainObject(block) || (kind === 'text' && text && !isString(text)))
      throw invalid(title, 'a block', block, ['blocks', index])
    // A block of an unknown kind.
    const part = isString(kind) ? partOf(block) : block
    const { type, id } = part
    if (type === 'function') {
      const found = known.findIndex((call) => call?.['id'] === id)
      // Parts stand for the calls in their order.
      kinds += (found < 0 ? calls.push(part) - 1 : found) === count++ ? 'c' : 'x'
      return { type: 'tool_call' }
    }
    kinds += type === 'reasoning' ? 'a' : 'b'
    own.push(part)
    return part === block ? { type: 'provider', adapter: BLOCKS, data: block } : part
  })
  const [first = null, second] = own
  return {
    ...(count === calls.length && !/x|^a*b*c*$/.test(kinds) && { parts }),
    ...data,
    content: first && (second || first['type'] !== 'text' || Object.keys(first)[2] ? own : first['text']),
    additional_kwargs: calls[0] ? { ...(extra as Dict), tool_calls: calls } : extra,
  }
}

const isString = (value: unknown): value is string => typeof value === 'string'

/** Returns the part or the tool call of a block; the block itself if it is of another kind, or lacks what the part needs. */
export function partOf(block: Dict): Dict {
  const {
    block_type: type,
    text,
    content = '',
    additional_information: provider_metadata,
    tool_call_id: id = null,
    tool_name: name,
    tool_kwargs: args = {},
    image,
    data = image,
    [`${type}_mimetype`]: mime,
    image_url = null,
    image_path = null,
    url = image_url,
    path = image_path,
    detail,
    title: filename,
    ...rest
  } = present(block)
  const media_type = mime ?? 'application/octet-stream'
  const address = data ? isString(data) && isString(media_type) && `data:${media_type};base64,${data}` : (url ?? path)
  // An address that is not used stays with the part.
  const kept = { url: data ? url : null, path: data || url ? path : null }
  const part =
    type === 'text'
      ? text !== undefined && { type, text }
      : type === 'thinking'
        ? { type: 'reasoning', text: content, provider_metadata }
        : type === 'tool_call'
          ? name !== undefined && {
              id,
              type: 'function',
              function: { name, arguments: textOrJson(args) },
            }
          : address &&
            (type === 'image'
              ? {
                  type: 'image_url',
                  image_url: present({ url: address, detail }),
                  image_mimetype: data ? null : mime,
                  ...kept,
                }
              : type === 'document' && { type: 'file', file: present({ url: address, media_type, filename }), ...kept })
  return part ? present({ ...part, ...rest }) : block
}
