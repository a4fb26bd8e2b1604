/**
 * @module
 * Converts messages of LangChain to those of `@x`.
 */
import type { BaseMessage } from '@langchain/core/messages'
import { compactJson, present } from '@x/core/values'
import { ChatMessage, type ContentPart, messageParts, NotSupportedError } from '@x/core-model'

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
  const { content: given, name, additional_kwargs } = message
  const { role = roles[type], tool_call_id: id = '', tool_calls: calls = [] } = message as unknown as Own
  if (!role) throw new NotSupportedError(`A LangChain message of type ${type} cannot be sent to a model.`)
  const { tool_calls: _, [PARTS]: written = null, ...kept } = additional_kwargs as Fields & { [PARTS]?: Fields[] }
  const content = typeof given === 'string' ? given : given.flatMap((block) => contentPart(block as Fields))
  const additionalKwargs = {
    ...kept,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => callRecord(call, written ?? [])) }),
    ...(role === 'tool' && present({ tool_call_id: id, name })),
  }
  if (!written) return new ChatMessage({ role: role as 'user', content, additionalKwargs })
  // What an answer of `@x` contains beside its text and its calls, such as signed reasoning. Both may have been changed since.
  const parts = messageParts({ content, additionalKwargs, parts: written })
  return new ChatMessage({ role: role as 'user', parts, additionalKwargs })
}

/** The properties that only some messages have. */
interface Own {
  role?: string
  tool_call_id?: string
  tool_calls?: readonly { id?: string; name: string; args: object }[]
}

function callRecord({ id, name, args }: NonNullable<Own['tool_calls']>[number], parts: readonly Fields[]): Fields {
  const { provider_metadata } = parts.find((part) => part['type'] === 'tool_call' && part['id'] === id) ?? {}
  return present({ id, type: 'function', function: { name, arguments: compactJson(args) }, provider_metadata })
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
  const given = block['mimeType'] ?? block['mime_type'] ?? (type === 'image' ? 'image/png' : 'application/octet-stream')
  const media_type = String(given)
  const { data, url: link = '' } = block
  const url = typeof data === 'string' ? `data:${media_type};base64,${data}` : String(link)
  if (url === '') throw new NotSupportedError(`A LangChain ${type} block needs data as base64 or a url.`)
  if (type === 'image') return { type: 'image_url', image_url: { url } }
  const { filename } = Object(block['metadata']) as Fields
  return { type: 'file', file: { url, media_type, ...(typeof filename === 'string' && { filename }) } }
}
