/**
 * @module
 * Converts messages and call options to those of the AI SDK.
 */
import { isPlainObject, jsonOr, present } from '@x/core/values'
import { type CallOptions, type ChatMessage, type MessagePart, messageParts, messageText } from '@x/core-model'
import { isSystemMessage } from '@x/core-model/components'
import { readDataUrl } from '@x/core-model/data'
import { ModelCallError } from '@x/llm'
import { ADAPTER } from './answer.ts'
import type { AiSdkProviderTool } from './model-types.ts'

type Part = Record<string, unknown>

/** Returns the options of a call. Options that are not mapped here are passed on unchanged, such as `topP` and `seed`. */
export function callOptions(
  messages: readonly ChatMessage[],
  options: CallOptions,
  model: { specificationVersion: string; tools: Readonly<Record<string, AiSdkProviderTool>> },
): Part & { prompt: Message[] } {
  const { specificationVersion } = model
  const { signal, tools: given = [], toolChoice, maxTokens, stop, headers, ...others } = options
  const { parentId: _, timeoutMs: _t, ...rest } = others
  const type = specificationVersion === 'v2' ? 'provider-defined' : 'provider'
  const tools = [
    ...given.map(({ function: { parameters: inputSchema, ...own } }) => ({ type: 'function', inputSchema, ...own })),
    ...Object.entries(model.tools).map(([name, { id, args }]) => ({ type, name, id, args })),
  ]
  return {
    prompt: promptOf(messages, specificationVersion),
    maxOutputTokens: maxTokens,
    stopSequences: stop && [...stop],
    ...(tools.length > 0 && { tools, toolChoice: choiceOf(toolChoice) }),
    abortSignal: signal,
    headers: headers && { ...headers },
    ...present(rest),
  }
}

function choiceOf(choice: CallOptions['toolChoice'] = 'auto'): Part {
  if (typeof choice === 'string') return { type: choice }
  return { type: 'tool', toolName: choice.function.name }
}

/** A message of a prompt. */
interface Message {
  role: string
  content: string | Part[]
  providerOptions?: unknown
}

/** Returns the messages of a prompt. The tool outputs of one turn are one message, because some providers require it. */
function promptOf(messages: readonly ChatMessage[], version: string): Message[] {
  const prompt: Message[] = []
  for (const message of messages) {
    const last = prompt.at(-1)
    const next = messageOf(message, version)
    if (next.role === 'tool' && last?.role === 'tool') (last.content as Part[]).push(...(next.content as Part[]))
    else prompt.push(next)
  }
  return prompt
}

function messageOf(message: ChatMessage, version: string): Message {
  const { role, additionalKwargs } = message
  const { provider_options: providerOptions } = additionalKwargs
  const own = isPlainObject(providerOptions) && { providerOptions }
  if (isSystemMessage(message)) return { role: 'system', content: messageText(message), ...own }
  if (role === 'tool' || role === 'function') return { role: 'tool', content: [toolResult(message, version)], ...own }
  const content = messageParts(message).flatMap((part) => partOf(part, version))
  return { role: role === 'user' ? role : 'assistant', content, ...own }
}

function toolResult(message: ChatMessage, version: string): Part {
  const { name = '', tool_call_id: id = '' } = message.additionalKwargs
  const output = outputOf(message, version)
  return { type: 'tool-result', toolCallId: String(id), toolName: String(name), output }
}

/** Returns the output of a tool: its text, or its text, images and files. */
function outputOf(message: ChatMessage, version: string): Part {
  const parts = messageParts(message)
  if (parts.every(({ type }) => type === 'text')) return { type: 'text', value: messageText(message) }
  const value = parts.flatMap((part) => partOf(part, version))
  return { type: 'content', value: version === 'v4' ? value : value.map((part) => olderOutput(part, version)) }
}

/**
 * Returns a file in the output of a tool in the form of specification v2 or v3. An address becomes text in v2, which has no form for it.
 */
function olderOutput(part: Part, version: string): Part {
  const { type, data, mediaType, filename } = part
  if (type !== 'file') return part
  if (version === 'v2')
    return data instanceof URL ? { type: 'text', text: data.href } : { type: 'media', data, mediaType }
  const kind = String(mediaType).startsWith('image/') ? 'image' : 'file'
  if (data instanceof URL) return { type: `${kind}-url`, url: data.href, ...(kind === 'file' && { mediaType }) }
  return { type: `${kind}-data`, data, mediaType, ...(kind === 'file' && { filename }) }
}

/** Returns a part for the prompt. Sources, and data of other adapters, are left out. */
function partOf(part: MessagePart, version: string): Part[] {
  const own = present({ providerOptions: 'provider_metadata' in part ? part.provider_metadata : undefined })
  const { type } = part
  if (type === 'text' || type === 'reasoning') return [{ type, text: part.text, ...own }]
  if (type === 'image_url') return [{ ...filePart(part.image_url.url, 'image/*', undefined, version), ...own }]
  if (type === 'tool_call')
    return [
      { type: 'tool-call', toolCallId: part.id ?? '', toolName: part.name, input: parsed(part.arguments), ...own },
    ]
  if (type === 'file') {
    const { url, media_type, filename } = part.file
    return [{ ...filePart(url, media_type, filename, version), ...own }]
  }
  return type === 'provider' && part.adapter === ADAPTER ? [providerPart(part.data, version)] : []
}

/** Returns a call of a tool that the provider runs, its result, or other data of the provider, as it belongs in the prompt. */
function providerPart({ providerMetadata: providerOptions, ...data }: Part, version: string): Part {
  const { type, toolCallId, toolName, input, result, isError } = data
  const own = present({ providerOptions })
  if (type === 'tool-call') return { type, toolCallId, toolName, input: parsed(input), providerExecuted: true, ...own }
  if (type === 'tool-result') {
    const kind = isError ? 'error-json' : typeof result === 'string' ? 'text' : 'json'
    return { type, toolCallId, toolName, output: { type: kind, value: result }, ...own }
  }
  if (type === 'reasoning-file')
    return { ...filePart(String(data['data']), String(data['mediaType']), undefined, version), type, ...own }
  return { ...data, ...own }
}

function filePart(url: string, mediaType: string, filename: string | undefined, version: string): Part {
  const inline = readDataUrl(url)
  const data = inline?.data ?? addressOf(url)
  const type = inline ? 'data' : 'url'
  return {
    type: 'file',
    mediaType: inline?.mediaType || mediaType,
    data: version === 'v4' ? { type, [type]: data } : data,
    filename,
  }
}

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url)
  throw new ModelCallError(`The address of a file is not a URL: ${url.slice(0, 80)}`, {
    kind: 'bad_request',
  })
}

/** Returns the parsed arguments of a tool call; a string that is not JSON is returned unchanged. */
function parsed(input: unknown): unknown {
  return typeof input === 'string' ? jsonOr(input || '{}', input) : input
}
