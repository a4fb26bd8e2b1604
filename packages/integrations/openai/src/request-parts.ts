/**
 * @module
 * The parts of requests that both interfaces have.
 */
import {
  type CallOptions,
  type ChatMessage,
  type FilePart,
  type ImagePart,
  isFilePart,
  isImagePart,
  isTextPart,
  messageText,
} from '@x/core-model'
import type { Json } from './values.ts'

/** Returns the content of a message: its text, or text, image and file parts in the forms of an interface. */
export function contentBody(
  message: ChatMessage,
  forms: { text: string; image: (image: ImagePart['image_url']) => Json; file: (file: FilePart['file']) => Json },
): string | Json[] {
  const { content } = message
  if (!Array.isArray(content) || !content.some((part) => isImagePart(part) || isFilePart(part)))
    return messageText(message)
  return content.flatMap((part: unknown): Json[] => {
    if (isTextPart(part)) return [{ type: forms.text, text: part.text }]
    if (isImagePart(part)) return [forms.image(part.image_url)]
    return isFilePart(part) ? [forms.file(part.file)] : []
  })
}

/** Returns the name and the data of a file. */
export function fileData({ url, media_type, filename }: FilePart['file']): Json {
  return { filename: filename ?? `file.${media_type.split('/')[1] ?? 'bin'}`, file_data: url }
}

/** Returns the form of an answer; `json` receives the properties of one with a schema. */
export function formatBody(format: CallOptions['responseFormat'] & {}, json: (own: Json) => Json): Json {
  if (format.type === 'text') return { type: 'text' }
  if (!format.schema) return { type: 'json_object' }
  const { schema, name = 'answer', description, strict } = format
  return { type: 'json_schema', ...json({ name, schema, description, strict }) }
}

/** Call options that are not part of the body. */
const outside: readonly string[] = [
  ...['signal', 'parentId', 'timeoutMs', 'headers', 'providerOptions'],
  ...['tools', 'toolChoice', 'maxTokens', 'responseFormat'],
]

/** The server's names of call options. */
const ownNames: Readonly<Record<string, string>> = {
  topP: 'top_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
}

/** Returns the call options that are sent unchanged, and those for this provider. */
export function furtherOptions(options: CallOptions): Json {
  const rest = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !outside.includes(name))
    .map(([name, value]) => [ownNames[name] ?? name, value])
  return { ...Object.fromEntries(rest), ...options.providerOptions?.['openai'] }
}
