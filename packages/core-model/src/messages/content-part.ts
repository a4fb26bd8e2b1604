/**
 * @module
 * The parts that the content of a message may consist of. The wire names are those that chat APIs share.
 */
/** A part that is text. */
export interface TextPart {
  type: 'text'
  text: string
}

/** An image, by address or as a data URL (`data:image/png;base64,…`). */
export interface ImagePart {
  type: 'image_url'
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' }
  /** That of an image by address. It is not sent to models, nor is the name. */
  media_type?: string
  filename?: string
}

/** A file, by address or as a data URL (`data:application/pdf;base64,…`). */
export interface FilePart {
  type: 'file'
  file: { url: string; media_type: string; filename?: string }
}

/** The reasoning of a model before its answer. Some providers reject a conversation that does not send it back unchanged. */
export interface ReasoningPart {
  type: 'reasoning'
  text: string
  /** Data of the provider that must be sent back with the part, such as a signature. */
  provider_metadata?: Record<string, unknown>
}

/** A tool call of the model, at its position among the other parts. */
export interface ToolCallPart {
  type: 'tool_call'
  /** The id from the provider, or null. */
  id: string | null
  name: string
  /** The parsed object, or JSON text, which may be invalid or not an object. */
  arguments: string | Record<string, unknown>
  /** Data of the provider that must be sent back with the call. */
  provider_metadata?: Record<string, unknown>
}

/** A source that the model cites. It is not sent back. */
export interface SourcePart {
  type: 'source'
  source: { id?: string; url?: string; title?: string; media_type?: string; filename?: string }
  provider_metadata?: Record<string, unknown>
}

/** Data that only the adapter that wrote it understands, such as a call of a tool that the provider runs. Other adapters leave it out. */
export interface ProviderPart {
  type: 'provider'
  /** The adapter, such as `ai_sdk`. */
  adapter: string
  data: Record<string, unknown>
}

/** A part of a message as the model wrote it. Text, images and files may have data of the provider that must be sent back with them. */
export type MessagePart =
  | ((TextPart | ImagePart | FilePart) & { provider_metadata?: Record<string, unknown> })
  | ReasoningPart
  | ToolCallPart
  | SourcePart
  | ProviderPart

/**
 * A part as a message stores it. The first part of type `tool_call` stands for the first call of `toolCallsOf`, and so on: ids and
 * arguments are stored once.
 */
export type StoredPart = Exclude<MessagePart, ToolCallPart> | { type: 'tool_call' }

/** One part of a message's content. */
export type ContentPart = TextPart | ImagePart | FilePart | ReasoningPart

/** The content of a message as a caller may pass it: a string, or its parts. */
export type MessageContent = string | readonly ContentPart[]

/** Whether a content part is text. */
export function isTextPart(part: unknown): part is TextPart {
  return isPart(part, 'text') && typeof part['text'] === 'string'
}

/** Whether a content part is an image. */
export function isImagePart(part: unknown): part is ImagePart {
  return isPart(part, 'image_url') && typeof Object(part['image_url']).url === 'string'
}

/** Whether a content part is a file. */
export function isFilePart(part: unknown): part is FilePart {
  return isPart(part, 'file') && typeof Object(part['file']).url === 'string'
}

/** Whether a content part is reasoning. */
export function isReasoningPart(part: unknown): part is ReasoningPart {
  return isPart(part, 'reasoning') && typeof part['text'] === 'string'
}

function isPart(part: unknown, type: string): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null && (part as { type?: unknown }).type === type
}
