/**
 * @module
 * Converts messages of LangChain to those of `@x`.
 */
import type { BaseMessage } from '@langchain/core/messages'
import { compactJson } from '@x/core/values'
import { ChatMessage, type ContentPart, NotSupportedError, type StoredPart } from '@x/core-model'

type Fields = Record<string, unknown>

/** The key of the parts of an answer of `@x`, where its text and calls do not say everything: order, signatures, images. */
export const PARTS = 'answer_parts'

const roles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
}

/** Returns a message of LangChain as a message of `@x`. @throws {NotSupportedError} for a kind of message that is not for models. */
export function chatMessage(message: BaseMessage): ChatMessage {
  const type = message.getType()
  const role = type === 'generic' ? (message as unknown as { role: string }).role : roles[type]
  if (!role) throw new NotSupportedError(`A LangChain message of type ${type} cannot be sent to a model.`)
  const { content, name } = message
  const { tool_call_id: id, tool_calls: calls } = message as { tool_call_id?: string; tool_calls?: readonly Call[] }
  // The content of an answer of `@x`, such as signed reasoning, is passed on unchanged.
  const {
    tool_calls: _,
    [PARTS]: parts,
    ...kept
  } = message.additional_kwargs as Fields & { [PARTS]?: (StoredPart & Fields)[] }
  return new ChatMessage({
    role: role as 'user',
    content: typeof content === 'string' ? content : content.flatMap((block) => contentPart(block as Fields)),
    additionalKwargs: {
      ...kept,
      ...(calls?.length && { tool_calls: calls.map((call) => callRecord(call, parts)) }),
      ...(role === 'tool' && { tool_call_id: id ?? '', ...(name !== undefined && { name }) }),
    },
    ...(parts && { parts }),
  })
}

interface Call {
  id?: string
  name: string
  args: object
}

function callRecord({ id, name, args }: Call, parts: readonly Fields[] = []): Fields {
  const { provider_metadata } = parts.find((part) => part['type'] === 'tool_call' && part['id'] === id) ?? {}
  return {
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: compactJson(args) },
    ...(provider_metadata !== undefined && { provider_metadata }),
  }
}

/** Returns the content part for a block, or nothing for a block that repeats other fields of the message. */
function contentPart(block: Fields): ContentPart[] {
  const { type } = block
  if (type === 'text') return [{ type, text: String(block['text'] ?? '') }]
  if (type === 'image_url') {
    const image = block['image_url']
    return [{ type, image_url: { url: typeof image === 'string' ? image : String((image as Fields)['url']) } }]
  }
  if (type === 'reasoning' || type === 'tool_call' || type === 'tool_use' || type === 'thinking') return []
  if (type === 'image' || type === 'file') return [dataPart(type, block)]
  throw new NotSupportedError(`A LangChain content block of type ${String(type)} has no counterpart in this family.`)
}

/** Returns an image or a file, in the standard form of either major version. */
function dataPart(type: 'image' | 'file', block: Fields): ContentPart {
  const mediaType = String(
    block['mimeType'] ?? block['mime_type'] ?? (type === 'image' ? 'image/png' : 'application/octet-stream'),
  )
  const { data, url: link } = block
  const url = typeof data === 'string' ? `data:${mediaType};base64,${data}` : String(link ?? '')
  if (url === '') throw new NotSupportedError(`A LangChain ${type} block needs data as base64 or a url.`)
  if (type === 'image') return { type: 'image_url', image_url: { url } }
  const { filename } = (block['metadata'] ?? {}) as Fields
  return { type: 'file', file: { url, media_type: mediaType, ...(typeof filename === 'string' && { filename }) } }
}
