/**
 * @module
 * Converts messages and tools to those of OpenAI's Responses interface.
 */
import { textOrJson } from '@x/core/values'
import { type CallOptions, type ChatMessage, type MessagePart, messageParts, partsText } from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'
import { contentBody, fileData } from './request-parts.ts'
import { type ItemData, RESPONSES, textField } from './responses-answer.ts'
import type { Json } from './values.ts'
import { list, object } from './values.ts'

/** Without `strict` the server would refuse schemas with optional properties. */
export function toolBody({
  function: { name, description, parameters, ...rest },
}: NonNullable<CallOptions['tools']>[number]): Json {
  return { type: 'function', name, description, parameters, strict: false, ...rest }
}

export function choiceBody(choice: NonNullable<CallOptions['toolChoice']>): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.function.name }
}

/** Returns the items of a message. */
export function itemsOf(message: ChatMessage): Json[] {
  const { role, additionalKwargs } = message
  if (role === 'tool' || role === 'function')
    return [
      {
        type: 'function_call_output',
        call_id: String(additionalKwargs['tool_call_id'] ?? ''),
        output: contentBody(message, forms),
      },
    ]
  if (role === 'assistant' || role === 'chatbot' || (role as string) === 'model')
    return answerItems(messageParts(message))
  return [{ role, content: contentBody(message, forms) }]
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
      items.push({
        type: 'function_call',
        call_id: part.id ?? '',
        name: part.name,
        arguments: textOrJson(part.arguments),
      })
    else if (part.type !== 'reasoning' && part.type !== 'source')
      items.push({ role: 'assistant', content: partsText([part]) })
  }
  return items
}

/** Adds the item of a part, or the part to its item. */
function addOwn(items: Json[], part: MessagePart, { item, field, entry }: ItemData): void {
  if (part.type === 'tool_call')
    items.push({ ...item, call_id: part.id ?? '', name: part.name, arguments: textOrJson(part.arguments) })
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

const forms: Parameters<typeof contentBody>[1] = {
  text: 'input_text',
  image: ({ url, detail }) => ({ type: 'input_image', image_url: url, detail }),
  file: (file) => ({ type: 'input_file', ...(file.url.startsWith('data:') ? fileData(file) : { file_url: file.url }) }),
}
