/**
 * @module
 * Converts messages and call options of the AI SDK to those of `@x`.
 */

import { compactJson } from '@x/core/values'
import {
  type CallOptions,
  ChatMessage,
  type ContentPart,
  type ModelToolChoice,
  type ToolDefinition,
} from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import type { AiSdkRequest, AiSdkRequestMessage, AiSdkRequestPart } from './model-types.ts'

/** Returns the messages of a prompt. Each output of a tool is a separate message. */
export function chatMessages(prompt: readonly AiSdkRequestMessage[]): ChatMessage[] {
  return prompt.flatMap(({ role, content, providerOptions }) => {
    const own = providerOptions && { provider_options: providerOptions }
    if (typeof content === 'string') return [new ChatMessage({ role, content, additionalKwargs: { ...own } })]
    if (role === 'tool') return content.filter(({ type }) => type === 'tool-result').map(toolMessage)
    const reasoning = content.filter(({ type }) => type === 'reasoning').map(reasoningRecord)
    const calls = content.filter(({ type }) => type === 'tool-call').map(callRecord)
    return [
      new ChatMessage({
        role,
        content: contentOf(content),
        additionalKwargs: {
          ...own,
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(reasoning.length > 0 && { reasoning }),
        },
      }),
    ]
  })
}

/** Returns the options of a call, and the names of those without a counterpart. */
export function fromCallOptions(request: AiSdkRequest): { options: CallOptions; unsupported: string[] } {
  const { abortSignal, tools = [], toolChoice, maxOutputTokens, stopSequences, responseFormat, temperature } = request
  const { headers, providerOptions, topP, presencePenalty, frequencyPenalty, seed } = request
  const sampling = Object.entries({ temperature, topP, presencePenalty, frequencyPenalty, seed })
  const functions = tools.filter(({ type }) => type === 'function')
  const kept = headers && Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    unsupported: [
      ...(request.topK === undefined ? [] : ['topK']),
      ...tools.filter(({ type }) => type !== 'function').map(({ name }) => `tool ${name}`),
    ],
    options: {
      ...(abortSignal && { signal: abortSignal }),
      ...(functions.length > 0 && { tools: functions.map(toolDefinition) }),
      ...(functions.length > 0 && toolChoice && { toolChoice: choiceOf(toolChoice) }),
      ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
      ...(stopSequences && { stop: stopSequences }),
      ...(responseFormat && { responseFormat: responseFormat as CallOptions['responseFormat'] }),
      ...Object.fromEntries(sampling.filter(([, value]) => value !== undefined)),
      ...(kept && { headers: Object.fromEntries(kept) }),
      ...(providerOptions && { providerOptions: providerOptions as NonNullable<CallOptions['providerOptions']> }),
    },
  }
}

function toolDefinition({
  name,
  description,
  inputSchema,
  strict,
}: NonNullable<AiSdkRequest['tools']>[number]): ToolDefinition {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: inputSchema as Record<string, unknown>,
      ...(strict !== undefined && { strict }),
    },
  }
}

function choiceOf({ type, toolName }: NonNullable<AiSdkRequest['toolChoice']>): ModelToolChoice {
  if (type === 'tool') return { type: 'function', function: { name: toolName ?? '' } }
  return type as 'auto' | 'none' | 'required'
}

/** Returns a string if all parts are text. */
function contentOf(parts: readonly AiSdkRequestPart[]): string | ContentPart[] | null {
  const kept = parts.filter(({ type }) => type === 'text' || type === 'file')
  if (kept.every(({ type }) => type === 'text'))
    return kept.length === 0 && parts.length > 0 ? null : kept.map(({ text }) => text).join('\n')
  return kept.map((part) => (part.type === 'text' ? { type: 'text', text: part.text ?? '' } : filePart(part)))
}

function filePart({ data, mediaType = 'application/octet-stream', filename }: AiSdkRequestPart): ContentPart {
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
  if (type === 'url') return urlOf(held.url, mediaType)
  if (type === 'data') return urlOf(held.data, mediaType)
  if (type === 'text') return `data:${mediaType},${encodeURIComponent(held.text ?? '')}`
  throw new TypeError(`A file of the form ${String(type)} cannot be sent to this model.`)
}

function reasoningRecord({ text = '', providerOptions }: AiSdkRequestPart): object {
  return { type: 'reasoning', text, ...(providerOptions && { provider_metadata: providerOptions }) }
}

function callRecord({ toolCallId, toolName, input, providerOptions }: AiSdkRequestPart): object {
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName, arguments: typeof input === 'string' ? input : compactJson(input ?? {}) },
    ...(providerOptions && { provider_metadata: providerOptions }),
  }
}

function toolMessage({ toolCallId, toolName, output }: AiSdkRequestPart): ChatMessage {
  return new ChatMessage({
    role: 'tool',
    content: outputContent(output),
    additionalKwargs: { tool_call_id: toolCallId, name: toolName },
  })
}

function outputContent(output: AiSdkRequestPart['output']): string | ContentPart[] | null {
  const { type, value, reason } = output ?? {}
  if (type === 'content' && Array.isArray(value)) return contentOf(value as AiSdkRequestPart[])
  if (type === 'execution-denied') return `Error: ${reason ?? 'The call was not allowed.'}`
  const text = typeof value === 'string' ? value : compactJson(value ?? null)
  return type?.startsWith('error') ? `Error: ${text}` : text
}
