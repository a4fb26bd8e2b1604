/**
 * @module
 * Converts messages of `@x` to those of LangChain, as plain objects that every chat model accepts.
 */
import { isPlainObject, jsonOr, present } from '@x/core/values'
import {
  type ChatMessage,
  type FilePart,
  isFilePart,
  isImagePart,
  isReasoningPart,
  isTextPart,
  type ModelToolCall,
  messageParts,
  messageText,
  toolCallsOf,
} from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'
import { ADAPTER } from './answer.ts'

type Fields = Record<string, unknown>

const roles: Readonly<Record<string, string>> = {
  chatbot: 'assistant',
  model: 'assistant',
  function: 'tool',
}

/** Returns a message in LangChain's form. An answer of one of its models gets back the data that only that model understands. */
export function langChainMessage(message: ChatMessage): Fields {
  const role = roles[message.role] ?? message.role
  const { name, tool_call_id: id = '' } = message.additionalKwargs
  if (role === 'tool') return present({ role, content: contentOf(message), tool_call_id: String(id), name })
  if (role !== 'assistant') return { role, content: contentOf(message) }
  const calls = toolCallsOf(message).map(langChainCall)
  const { content, ...own } = ownData(message)
  return {
    role,
    content: Array.isArray(content) ? withIds(content, calls) : (content ?? contentOf(message)),
    tool_calls: calls,
    ...own,
  }
}

function ownData(message: ChatMessage): Fields {
  for (const part of messageParts(message)) if (part.type === 'provider' && part.adapter === ADAPTER) return part.data
  return {}
}

/** Returns the content with the current ids of its calls. */
function withIds(content: readonly Fields[], calls: readonly Fields[]): Fields[] {
  let next = 0
  return content.map((block) => {
    const isCall = block['type'] === 'tool_use' || block['type'] === 'tool_call'
    const call = isCall ? calls[next++] : undefined
    return call ? { ...block, id: call['id'] } : block
  })
}

function langChainCall({ id, name, arguments: args }: ModelToolCall, index: number): Fields {
  return { type: 'tool_call', id: id ?? `call_${index}`, name, args: typeof args === 'string' ? parsed(args) : args }
}

/** Returns the arguments as an object. A string that is not a JSON object becomes one argument, so that the model sees what it wrote. */
function parsed(json: string): Fields {
  const value = jsonOr(json === '' ? '{}' : json)
  return isPlainObject(value) ? value : { input: json }
}

function contentOf(message: ChatMessage): string | Fields[] {
  const { content } = message
  if (!Array.isArray(content) || !content.some((part) => isImagePart(part) || isFilePart(part)))
    return messageText(message)
  return content.flatMap((part: unknown): Fields[] => {
    if (isTextPart(part)) return [{ type: 'text', text: part.text }]
    if (isImagePart(part)) return [{ type: 'image_url', image_url: { url: part.image_url.url } }]
    if (isFilePart(part)) return [fileBlock(part.file)]
    return isReasoningPart(part) ? [] : [part as Fields]
  })
}

function fileBlock({ url, media_type, filename }: FilePart['file']): Fields {
  const inline = readDataUrl(url)
  return {
    type: 'file',
    mime_type: inline?.mediaType || media_type,
    ...(inline ? { source_type: 'base64', data: inline.data } : { source_type: 'url', url }),
    ...(filename !== undefined && { metadata: { filename } }),
  }
}
