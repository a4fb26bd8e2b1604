/**
 * @module
 * Converts messages of `@x` to those of LangChain, as plain objects that every chat model accepts.
 */
import {
  type ChatMessage,
  isFilePart,
  isImagePart,
  isReasoningPart,
  isTextPart,
  type ModelToolCall,
  messageText,
  toolCallsOf,
} from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'

type Fields = Record<string, unknown>

/** The key under which an answer stores the content blocks of its provider, which are sent back unchanged. */
export const PROVIDER_CONTENT = 'langchain_content'

const roles: Readonly<Record<string, string>> = {
  chatbot: 'assistant',
  model: 'assistant',
  function: 'tool',
}

/** Returns a message in LangChain's form. */
export function langChainMessage(message: ChatMessage): Fields {
  const role = roles[message.role] ?? message.role
  const { name, tool_call_id: id, [PROVIDER_CONTENT]: blocks } = message.additionalKwargs
  if (role === 'tool')
    return {
      role,
      content: contentOf(message),
      tool_call_id: String(id ?? ''),
      ...(typeof name === 'string' && { name }),
    }
  if (role !== 'assistant') return { role, content: contentOf(message) }
  return {
    role,
    content: Array.isArray(blocks) ? blocks : contentOf(message),
    tool_calls: toolCallsOf(message).map(langChainCall),
  }
}

function langChainCall({ id, name, arguments: args }: ModelToolCall, index: number): Fields {
  return { type: 'tool_call', id: id ?? `call_${index}`, name, args: typeof args === 'string' ? parsed(args) : args }
}

/** Returns the arguments as an object. A string that is not a JSON object becomes one argument, so that the model sees what it wrote. */
function parsed(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {}
  return { input: json }
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

function fileBlock({ url, media_type, filename }: { url: string; media_type: string; filename?: string }): Fields {
  const inline = readDataUrl(url)
  return {
    type: 'file',
    mime_type: inline?.mediaType || media_type,
    ...(inline ? { source_type: 'base64', data: inline.data } : { source_type: 'url', url }),
    ...(filename !== undefined && { metadata: { filename } }),
  }
}
