/**
 * @module
 * Converts messages and call options to the body of a chat request.
 */
import {
  type CallOptions,
  type ChatMessage,
  isFilePart,
  isImagePart,
  isTextPart,
  ModelCallError,
  messageText,
  toolCallsOf,
} from '@x/core-model'
import { compactJson } from '@x/core-model/internal'
import type { Json } from './model-server.ts'

/** The settings of a model for its requests. */
export interface ChatRequestSettings {
  model: string
  /** The server's name of the option that limits the answer. */
  maxTokensName: 'max_tokens' | 'max_completion_tokens'
  /** The content of every request, under the names of the server. */
  body: Json
}

/** Call options that are not part of the body. */
const outside: readonly string[] = ['signal', 'parentId', 'timeoutMs', 'headers', 'providerOptions']

/** Returns the body of a chat request. Options that are not mapped here are sent unchanged. */
export function chatRequest(
  messages: readonly ChatMessage[],
  options: CallOptions,
  settings: ChatRequestSettings,
): Json {
  const { tools, toolChoice, maxTokens, responseFormat, ...others } = options
  const rest = Object.entries(others).filter(([name, value]) => value !== undefined && !outside.includes(name))
  return {
    model: settings.model,
    messages: messages.map(messageBody),
    ...settings.body,
    ...(tools && tools.length > 0 && { tools, ...(toolChoice !== undefined && { tool_choice: toolChoice }) }),
    ...(maxTokens !== undefined && { [settings.maxTokensName]: maxTokens }),
    ...(responseFormat && { response_format: formatBody(responseFormat) }),
    ...Object.fromEntries(rest),
    ...options.providerOptions?.['openai'],
  }
}

function formatBody(format: CallOptions['responseFormat'] & {}): Json {
  if (format.type === 'text') return { type: 'text' }
  if (!format.schema) return { type: 'json_object' }
  const { schema, name = 'answer', description, strict } = format
  const own = {
    name,
    schema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
  return { type: 'json_schema', json_schema: own }
}

function messageBody(message: ChatMessage): Json {
  const { role, additionalKwargs } = message
  const { name, tool_call_id: callId } = additionalKwargs
  const calls = toolCallsOf(message).map((call) => ({
    id: call.id ?? '',
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : compactJson(call.arguments),
    },
  }))
  const content = contentBody(message)
  return {
    role: role === 'chatbot' ? 'assistant' : role,
    // Some servers refuse an empty string beside tool calls.
    content: calls.length > 0 && content === '' ? null : content,
    ...(typeof name === 'string' && { name }),
    ...(typeof callId === 'string' && { tool_call_id: callId }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function contentBody(message: ChatMessage): string | null | readonly Json[] {
  const { content } = message
  if (content === null) return null
  if (!Array.isArray(content) || !content.some((part) => isImagePart(part) || isFilePart(part)))
    return messageText(message)
  return content.flatMap((part: unknown): Json[] => {
    if (isTextPart(part)) return [{ type: 'text', text: part.text }]
    if (isImagePart(part)) return [{ type: 'image_url', image_url: part.image_url }]
    return isFilePart(part) ? [fileBody(part.file)] : []
  })
}

function fileBody({
  url,
  media_type: mediaType,
  filename,
}: {
  url: string
  media_type: string
  filename?: string
}): Json {
  if (!url.startsWith('data:'))
    throw new ModelCallError(`File "${filename ?? url}": this interface takes files as data URLs only.`, {
      kind: 'bad_request',
    })
  return { type: 'file', file: { filename: filename ?? `file.${mediaType.split('/')[1] ?? 'bin'}`, file_data: url } }
}
