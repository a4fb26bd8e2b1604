/**
 * @module
 * Converts messages and call options to those of the AI SDK.
 */
import {
  type CallOptions,
  type ChatMessage,
  isFilePart,
  isImagePart,
  isTextPart,
  messageText,
  reasoningOf,
  toolCallsOf,
} from '@x/core-model'
import { readDataUrl } from '@x/core-model/internal'
import type { AiSdkCallOptions, AiSdkMessage } from './model-types.ts'

type Part = Record<string, unknown>

/** Options of a call that are not part of the request. */
const outside: readonly string[] = ['parentId', 'timeoutMs']

/** Returns the options of a call. Options that are not mapped here are passed on unchanged, such as `topP` and `seed`. */
export function callOptions(
  messages: readonly ChatMessage[],
  options: CallOptions,
  specificationVersion: string,
): AiSdkCallOptions {
  const { signal, tools, toolChoice, maxTokens, stop, responseFormat, headers, ...others } = options
  const rest = Object.entries(others).filter(([name, value]) => value !== undefined && !outside.includes(name))
  return {
    prompt: promptOf(messages, specificationVersion),
    maxOutputTokens: maxTokens,
    stopSequences: stop && [...stop],
    responseFormat: responseFormat && formatOf(responseFormat),
    ...(tools && tools.length > 0 && { tools: tools.map(toolOf), toolChoice: choiceOf(toolChoice) }),
    abortSignal: signal,
    headers: headers && { ...headers },
    ...Object.fromEntries(rest),
  }
}

function formatOf(format: CallOptions['responseFormat'] & {}): AiSdkCallOptions['responseFormat'] & {} {
  if (format.type === 'text') return { type: 'text' }
  const { schema, name, description } = format
  return { type: 'json', schema, name, description }
}

function toolOf({ function: { name, description, parameters, strict } }: (CallOptions['tools'] & {})[number]): object {
  return {
    type: 'function',
    name,
    description,
    inputSchema: parameters,
    strict,
  }
}

function choiceOf(choice: CallOptions['toolChoice']): { type: string; toolName?: string } {
  if (typeof choice === 'object') return { type: 'tool', toolName: choice.function.name }
  return { type: choice ?? 'auto' }
}

/** Returns the messages of a prompt. The tool outputs of one turn are one message, because some providers require it. */
function promptOf(messages: readonly ChatMessage[], version: string): AiSdkMessage[] {
  const prompt: (AiSdkMessage & { content: string | Part[] })[] = []
  for (const message of messages) {
    const last = prompt.at(-1)
    const next = messageOf(message, version)
    if (next.role === 'tool' && last?.role === 'tool') (last.content as Part[]).push(...(next.content as Part[]))
    else prompt.push(next)
  }
  return prompt
}

function messageOf(message: ChatMessage, version: string): AiSdkMessage & { content: string | Part[] } {
  const { role, additionalKwargs } = message
  const providerOptions = additionalKwargs['provider_options']
  const own = typeof providerOptions === 'object' && providerOptions !== null ? { providerOptions } : {}
  if (role === 'system') return { role, content: messageText(message), ...own }
  if (role === 'tool' || role === 'function') return { role: 'tool', content: [toolResult(message)], ...own }
  if (role === 'user') return { role, content: contentParts(message, version), ...own }
  return { role: 'assistant', content: assistantParts(message, version), ...own }
}

function toolResult(message: ChatMessage): Part {
  const { name, tool_call_id: id } = message.additionalKwargs
  return {
    type: 'tool-result',
    toolCallId: String(id ?? ''),
    toolName: String(name ?? ''),
    output: { type: 'text', value: messageText(message) },
  }
}

function assistantParts(message: ChatMessage, version: string): Part[] {
  const given = message.additionalKwargs['tool_calls']
  const reasoning = reasoningOf(message).map(({ text, provider_metadata: metadata }) => ({
    type: 'reasoning',
    text,
    ...(metadata && { providerOptions: metadata }),
  }))
  const calls = toolCallsOf(message).map((call, index) => {
    const metadata = Array.isArray(given) ? (given[index] as Part | null)?.['provider_metadata'] : undefined
    return {
      type: 'tool-call',
      toolCallId: call.id ?? '',
      toolName: call.name,
      input: typeof call.arguments === 'string' ? parsed(call.arguments) : call.arguments,
      ...(typeof metadata === 'object' && metadata !== null && { providerOptions: metadata }),
    }
  })
  return [...reasoning, ...contentParts(message, version), ...calls]
}

/** Returns the text, images and files of a message. */
function contentParts(message: ChatMessage, version: string): Part[] {
  const { content } = message
  if (!Array.isArray(content) || !content.some((part) => isImagePart(part) || isFilePart(part))) {
    const text = messageText(message)
    return text === '' ? [] : [{ type: 'text', text }]
  }
  return content.flatMap((part: unknown): Part[] => {
    if (isTextPart(part)) return [{ type: 'text', text: part.text }]
    if (isImagePart(part)) return [filePart(part.image_url.url, 'image/*', undefined, version)]
    if (isFilePart(part)) return [filePart(part.file.url, part.file.media_type, part.file.filename, version)]
    return []
  })
}

function filePart(url: string, mediaType: string, filename: string | undefined, version: string): Part {
  const inline = readDataUrl(url)
  const data = inline?.data ?? new URL(url)
  return {
    type: 'file',
    mediaType: inline?.mediaType || mediaType,
    data: version === 'v4' ? { type: inline ? 'data' : 'url', [inline ? 'data' : 'url']: data } : data,
    filename,
  }
}

/** Returns the parsed arguments of a tool call; a string that is not JSON is returned unchanged. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json)
  } catch {
    return json
  }
}
