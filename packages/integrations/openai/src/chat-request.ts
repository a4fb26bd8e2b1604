/**
 * @module
 * Converts messages to those of a chat request.
 */

import { textOrJson } from '@x/core/values'
import {
  type ChatMessage,
  type MessagePart,
  messageParts,
  messageText,
  partsText,
  type ToolCallPart,
} from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ownData } from './chat-answer.ts'
import { contentBody, fileData } from './request-parts.ts'
import type { Json } from './values.ts'

/** Returns the messages. Images and files in the outputs of tools follow in a message of the user, because tools can answer only text. */
export function messageBodies(messages: readonly ChatMessage[]): Json[] {
  const bodies: Json[] = []
  let files: Json[] = []
  for (const message of messages) {
    const isOutput = message.role === 'tool' || message.role === 'function'
    if (!isOutput && files.length > 0) {
      bodies.push({ role: 'user', content: files })
      files = []
    }
    bodies.push(messageBody(message, isOutput))
    const content = isOutput ? ownContent(message) : null
    if (!Array.isArray(content)) continue
    const { name, tool_call_id: id } = message.additionalKwargs
    const label = `Images and files in the output of the tool ${name ?? ''} (${id ?? 'without id'}):`
    files.push({ type: 'text', text: label }, ...content.filter(({ type }) => type !== 'text'))
  }
  return files.length > 0 ? [...bodies, { role: 'user', content: files }] : bodies
}

function messageBody(message: ChatMessage, isOutput: boolean): Json {
  const { role, additionalKwargs } = message
  const { name, tool_call_id: id } = additionalKwargs
  const callId = typeof id === 'string' && { tool_call_id: id }
  // The name of a tool belongs to messages of the older role only.
  if (role === 'tool') return { role, ...callId, content: outputText(message) }
  const parts = messageParts(message)
  const calls = parts.filter((part) => part.type === 'tool_call').map(callBody)
  const content = isOutput ? outputText(message) : ownContent(message)
  return {
    role: role === 'chatbot' || (role as string) === 'model' ? 'assistant' : role,
    // Some servers refuse an empty string beside tool calls.
    content: calls.length > 0 && content === '' ? null : content,
    ...(typeof name === 'string' && { name }),
    ...callId,
    ...marksOf(parts, additionalKwargs),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function callBody(call: ToolCallPart): Json {
  const { id, name, arguments: args } = call
  return {
    ...ownData(call),
    id: id ?? '',
    type: 'function',
    function: { name, arguments: textOrJson(args) },
  }
}

/** Returns the reasoning and the images that the server wrote, in the fields in which they came; other servers may refuse them. */
function marksOf(parts: readonly MessagePart[], { reasoning_content: given }: Json): Json {
  const marks: Record<string, unknown> = typeof given === 'string' ? { reasoning_content: given } : {}
  for (const part of parts) {
    const data = ownData(part)
    if (!data) continue
    if (part.type === 'reasoning') {
      if (part.text !== '') marks[data['field'] === 'reasoning' ? 'reasoning' : 'reasoning_content'] = part.text
      if (data['reasoning_details']) marks['reasoning_details'] = data['reasoning_details']
    } else if (part.type === 'image_url')
      marks['images'] = [
        ...((marks['images'] as Json[] | undefined) ?? []),
        { type: part.type, image_url: part.image_url },
      ]
  }
  return marks
}

/** Returns the output of a tool as text; images and files are named. */
function outputText({ content }: ChatMessage): string {
  return Array.isArray(content) ? partsText(content) : messageText({ content })
}

function ownContent(message: ChatMessage): string | null | readonly Json[] {
  return message.content === null ? null : contentBody(message, forms)
}

const forms: Parameters<typeof contentBody>[1] = {
  text: 'text',
  image: (image_url) => ({ type: 'image_url', image_url }),
  file: (file) => {
    if (file.url.startsWith('data:')) return { type: 'file', file: fileData(file) }
    throw new ModelCallError(`File "${file.filename ?? file.url}": this interface takes files as data URLs only.`, {
      kind: 'bad_request',
    })
  },
}
