/**
 * @module
 * Converts messages and call options to the body of a request of OpenAI's Responses interface.
 */
import { textOrJson } from '@x/core/values'
import {
  type CallOptions,
  type ChatMessage,
  type FilePart,
  isFilePart,
  isImagePart,
  isTextPart,
  type MessagePart,
  messageParts,
  messageText,
  partsText,
} from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'
import { furtherOptions } from './model-options.ts'
import { type ItemData, RESPONSES, textField } from './responses-answer.ts'
import type { Json } from './values.ts'
import { list, object } from './values.ts'

/** The settings of a model for its requests. */
export interface ResponsesSettings {
  model: string
  /** The content of every request, under the names of the server. */
  body: Json
  /** Tools that the provider runs. */
  providerTools: readonly Json[]
}

/** Returns the body of a request. Options that are not mapped here are sent unchanged. */
export function responsesRequest(
  messages: readonly ChatMessage[],
  options: CallOptions,
  { model, body, providerTools }: ResponsesSettings,
): Json {
  const { tools = [], toolChoice, maxTokens, responseFormat } = options
  const allTools = [...tools.map(toolBody), ...providerTools]
  return {
    model,
    input: messages.flatMap(itemsOf),
    ...body,
    ...(allTools.length > 0 && { tools: allTools }),
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: choiceBody(toolChoice) }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(responseFormat && { text: { ...object(body['text']), format: formatBody(responseFormat) } }),
    ...furtherOptions(options),
  }
}

/** Without `strict` the server would refuse schemas with optional properties. */
function toolBody({
  function: { name, description, parameters, ...rest },
}: NonNullable<CallOptions['tools']>[number]): Json {
  return { type: 'function', name, description, parameters, strict: false, ...rest }
}

function choiceBody(choice: NonNullable<CallOptions['toolChoice']>): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.function.name }
}

function formatBody(format: NonNullable<CallOptions['responseFormat']>): Json {
  if (format.type === 'text') return { type: 'text' }
  if (!format.schema) return { type: 'json_object' }
  const { schema, name = 'answer', description, strict = false } = format
  return { type: 'json_schema', name, schema, strict, ...(description !== undefined && { description }) }
}

/** Returns the items of a message. */
function itemsOf(message: ChatMessage): Json[] {
  const { role, additionalKwargs } = message
  if (role === 'tool' || role === 'function')
    return [
      {
        type: 'function_call_output',
        call_id: String(additionalKwargs['tool_call_id'] ?? ''),
        output: contentBody(message),
      },
    ]
  if (role === 'assistant' || role === 'chatbot' || (role as string) === 'model')
    return answerItems(messageParts(message))
  return [{ role, content: contentBody(message) }]
}

/** Returns the items of an answer: those of this interface as they came, and text and calls of other providers. */
function answerItems(parts: readonly MessagePart[]): Json[] {
  const items: Json[] = []
  for (const part of parts) {
    const own = object((part as { provider_metadata?: Json }).provider_metadata?.[RESPONSES]) as ItemData | null
    if (own) addOwn(items, part, own)
    else if (part.type === 'provider') {
      if (part.adapter === RESPONSES) items.push(part.data)
    } else if (part.type === 'tool_call')
      items.push({ type: 'function_call', call_id: part.id ?? '', name: part.name, arguments: argumentsOf(part) })
    else if (part.type !== 'reasoning' && part.type !== 'source')
      items.push({ role: 'assistant', content: partsText([part]) })
  }
  return items
}

/** Adds the item of a part, or the part to its item. */
function addOwn(items: Json[], part: MessagePart, { item, field, entry }: ItemData): void {
  if (part.type === 'tool_call')
    items.push({ ...item, call_id: part.id ?? '', name: part.name, arguments: argumentsOf(part) })
  else if (part.type === 'image_url') items.push({ ...item, result: readDataUrl(part.image_url.url)?.data })
  else if (!field || !entry || !('text' in part)) items.push(item)
  else {
    const whole = { ...entry, [textField(entry)]: part.text }
    const last = items.at(-1)
    if (last && last['id'] === item['id'] && last['type'] === item['type'])
      items[items.length - 1] = { ...last, [field]: [...list(last[field]), whole] }
    else items.push({ ...item, [field]: [whole] })
  }
}

function argumentsOf({ arguments: args }: MessagePart & { type: 'tool_call' }): string {
  return textOrJson(args)
}

/** Returns the content of a question or of the output of a tool: text, or text, images and files. */
function contentBody(message: ChatMessage): string | Json[] {
  const { content } = message
  if (!Array.isArray(content) || !content.some((part) => isImagePart(part) || isFilePart(part)))
    return messageText(message)
  return content.flatMap((part: unknown): Json[] => {
    if (isTextPart(part)) return [{ type: 'input_text', text: part.text }]
    if (isFilePart(part)) return [fileBody(part)]
    if (!isImagePart(part)) return []
    const { url, detail } = part.image_url
    return [{ type: 'input_image', image_url: url, ...(detail && { detail }) }]
  })
}

function fileBody({ file: { url, media_type, filename } }: FilePart): Json {
  if (!url.startsWith('data:')) return { type: 'input_file', file_url: url }
  return { type: 'input_file', filename: filename ?? `file.${media_type.split('/')[1] ?? 'bin'}`, file_data: url }
}
