/**
 * @module
 * Converts messages and call options of the AI SDK to those of `@x`.
 */

import { present, textOrJson } from '@x/core/values'
import {
  type CallOptions,
  ChatMessage,
  type FilePart,
  type ImagePart,
  type MessagePart,
  type ModelToolChoice,
  NotSupportedError,
  type ToolDefinition,
} from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import type { AiSdkRequest, AiSdkRequestMessage, AiSdkRequestPart } from './model-types.ts'

/** Returns the messages of a prompt. Each output of a tool is a separate message. */
export function chatMessages(prompt: readonly AiSdkRequestMessage[]): ChatMessage[] {
  return prompt.flatMap(({ role, content, providerOptions }) => {
    const additionalKwargs = present({ provider_options: providerOptions })
    if (typeof content === 'string') return [new ChatMessage({ role, content, additionalKwargs })]
    if (role === 'tool') return content.filter(({ type }) => type === 'tool-result').map(toolMessage)
    return [new ChatMessage({ role, parts: content.flatMap(partOf), additionalKwargs })]
  })
}

/** Returns the options of a call, and the names of those without a counterpart. */
export function fromCallOptions(request: AiSdkRequest): { options: CallOptions; unsupported: string[] } {
  const { tools = [], toolChoice, headers, responseFormat, providerOptions } = request
  const { temperature, topP, presencePenalty, frequencyPenalty, seed } = request
  const functions = tools.filter(({ type }) => type === 'function')
  const choice = toolChoice && choiceOf(toolChoice)
  return {
    unsupported: [
      ...(request.topK === undefined ? [] : ['topK']),
      ...tools.filter(({ type }) => type !== 'function').map(({ name }) => `tool ${name}`),
    ],
    options: present({
      signal: request.abortSignal,
      ...(functions.length > 0 && { tools: functions.map(toolDefinition), toolChoice: choice }),
      maxTokens: request.maxOutputTokens,
      stop: request.stopSequences,
      responseFormat,
      ...{ temperature, topP, presencePenalty, frequencyPenalty, seed },
      headers: headers && present(headers),
      providerOptions,
    }),
  }
}

function toolDefinition({
  name,
  description,
  inputSchema: parameters,
  strict,
}: NonNullable<AiSdkRequest['tools']>[number]): ToolDefinition {
  return { type: 'function', function: present({ name, description, parameters, strict }) } as unknown as ToolDefinition
}

function choiceOf({ type, toolName }: NonNullable<AiSdkRequest['toolChoice']>): ModelToolChoice {
  if (type === 'tool') return { type: 'function', function: { name: toolName ?? '' } }
  return type as 'auto' | 'none' | 'required'
}

/** Returns the part of a message for a part of a prompt; none for parts without a counterpart. */
function partOf(part: AiSdkRequestPart): MessagePart[] {
  const { type, text = '', toolCallId = null, toolName = '', input = {}, providerOptions } = part
  const own = present({ provider_metadata: providerOptions })
  if (type === 'text' || type === 'reasoning') return [{ type, text, ...own }]
  if (type === 'tool-call')
    return [{ type: 'tool_call', id: toolCallId, name: toolName, arguments: textOrJson(input), ...own }]
  return type === 'file' ? [{ ...filePart(part), ...own }] : []
}

function filePart({ data, mediaType = 'application/octet-stream', filename }: AiSdkRequestPart): FilePart | ImagePart {
  const url = urlOf(data, mediaType)
  if (mediaType.startsWith('image')) return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { url, media_type: mediaType, ...(filename !== undefined && { filename }) } }
}

/** Returns the data of a file as a URL. Reads the forms of all specification versions. */
function urlOf(data: unknown, mediaType: string): string {
  if (data instanceof URL) return data.href
  if (typeof data === 'string') return `data:${mediaType};base64,${data}`
  if (data instanceof Uint8Array) return `data:${mediaType};base64,${toBase64(data)}`
  const { type, ...held } = Object(data) as { type?: string; data?: unknown; url?: URL; text?: string }
  if (type === 'url' || type === 'data') return urlOf(held[type], mediaType)
  if (type === 'text') return `data:${mediaType},${encodeURIComponent(held.text ?? '')}`
  throw new NotSupportedError(`A file of the form ${String(type)} cannot be sent to this model.`)
}

function toolMessage({ toolCallId, toolName, output }: AiSdkRequestPart): ChatMessage {
  const { type, value = null, reason = 'The call was not allowed.' } = output ?? {}
  const additionalKwargs = present({ tool_call_id: toolCallId, name: toolName })
  if (type === 'content' && Array.isArray(value))
    return new ChatMessage({ role: 'tool', parts: (value as AiSdkRequestPart[]).flatMap(partOf), additionalKwargs })
  const text = type === 'execution-denied' ? reason : textOrJson(value)
  const isError = type === 'execution-denied' || type?.startsWith('error')
  return new ChatMessage({ role: 'tool', content: isError ? `Error: ${text}` : text, additionalKwargs })
}
