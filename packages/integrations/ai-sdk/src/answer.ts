/**
 * @module
 * Converts answers of the AI SDK, whole or in parts, to responses.
 */
import { AnswerBuilder, type FurtherPart, type TokenUsage, usageOf } from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import { type AnswerReader, type SentCallPiece, ToolCallPieces } from '@x/llm'
import type { AiSdkPart } from './model-types.ts'

/** The name of this adapter in parts that only it understands. */
export const ADAPTER = 'ai_sdk'

/** Collects the parts of an answer or of a stream. */
export class AiSdkReader implements AnswerReader<AiSdkPart> {
  readonly answer = new AnswerBuilder()
  /** The blocks that are open in a stream. The id of a block may be used again for a later one. */
  private readonly open = new Map<string, string>()
  private blocks = 0
  /** The ids of calls that the provider runs: only the first piece of such a call says so. */
  private readonly provided = new Set<string>()
  private readonly calls = new ToolCallPieces(this.answer)
  private readonly chunks = new RawChunks()

  /**
   * Adds a part. Calls of tools that the provider runs, and their results, are parts of the message instead of tool calls.
   * @throws the error of a part.
   */
  addPiece(part: AiSdkPart): void {
    const { type, id = '', text, delta = '', toolCallId = '', toolName: name, input, providerMetadata } = part
    if (type === 'raw') this.chunks.add(part.rawValue)
    if (this.chunks.isOther && type !== 'finish') return
    const metadata = providerMetadata && plain(providerMetadata)
    const [kind, stage] = type.split('-')
    if (kind === 'text' && isBlock(stage)) this.answer.addText(text ?? delta, this.block(part), metadata)
    else if (kind === 'reasoning' && isBlock(stage)) this.answer.addReasoning(text ?? delta, this.block(part), metadata)
    else if (type === 'tool-input-start' && part.providerExecuted) this.provided.add(id)
    else if (type === 'tool-input-start' || type === 'tool-input-delta') {
      if (!this.provided.has(id)) this.calls.add({ index: id, id, name, arguments: delta })
    } else if (type === 'tool-call' && !part.providerExecuted) {
      const json = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      this.calls.add({ index: toolCallId, id: toolCallId, name, arguments: json, isWhole: true, metadata })
    } else if (type === 'error') this.addError(part.error)
    else if (type === 'finish') this.finish(part)
    else {
      const further = furtherPart(part)
      if (further) this.answer.addPart(further)
    }
  }

  /** A chunk that the AI SDK could not read is an error, unless it has no content, or only calls whose arguments are objects. */
  private addError(error: unknown): void {
    const { name } = Object(error) as { name?: unknown }
    const isUnread = name === 'AI_TypeValidationError' || name === 'AI_JSONParseError'
    if (!isUnread || !this.chunks.isReadable(error as Error)) throw error
    for (const call of this.chunks.calls) this.calls.add(call)
  }

  /** Returns the key of the block of text or reasoning that a part belongs to. */
  private block({ type, id = '' }: AiSdkPart): string {
    const [kind, stage] = type.split('-')
    const name = `${kind} ${id}`
    const known = stage === 'delta' || stage === 'end' ? this.open.get(name) : undefined
    const key = known ?? String(this.blocks++)
    this.open.set(name, key)
    return key
  }

  private finish({ usage, finishReason: reason }: AiSdkPart): void {
    this.answer.setUsage(usageOf({ raw: { usage }, additionalKwargs: {} }) ?? this.chunks.usage)
    const { unified = 'other', raw } = Object(reason) as { unified?: string; raw?: string }
    const sent = raw || this.chunks.reason
    // Older providers report `other` alone for a stream that ended before the model was done.
    const isOwn = unified === 'other' || sent === 'pause_turn'
    const said = typeof reason === 'string' ? reason : isOwn ? (sent ?? 'interrupted') : unified
    if (said !== 'interrupted') this.answer.finish(said)
  }
}

/** Whether a part belongs to a block of text or reasoning; `reasoning-file` does not. */
function isBlock(stage: string | undefined): boolean {
  return stage === undefined || stage === 'start' || stage === 'delta' || stage === 'end'
}

const providerTypes: readonly string[] = ['tool-call', 'tool-result', 'custom', 'reasoning-file']

/** Data about an answer, such as its id and its first usage, that some providers send as a part. It is not sent back. */
const aboutAnswer = /[._](?:start|metadata)$/

/** Returns the part of the message for a file, a source, or data that only the provider understands; null for other parts. */
function furtherPart(part: AiSdkPart): FurtherPart | null {
  const { type, providerMetadata } = part
  const metadata = providerMetadata && { provider_metadata: plain(providerMetadata) }
  if (type === 'file') return { ...filePart(part), ...metadata }
  if (type === 'source') {
    const { id, url, title, mediaType: media_type, filename } = part
    return { type, source: plain({ id, url, title, media_type, filename }), ...metadata }
  }
  if (!providerTypes.includes(type) || part.preliminary || aboutAnswer.test(part.kind ?? '')) return null
  return {
    type: 'provider',
    adapter: ADAPTER,
    data: plain({ ...part, ...(part.data !== undefined && { data: address(part) }) }),
  }
}

function filePart(part: AiSdkPart): FurtherPart {
  const { mediaType: media_type = 'application/octet-stream' } = part
  const url = address(part)
  if (media_type.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { url, media_type } }
}

/** Returns the address of a file: its own, or a data URL. */
function address({ data: given, mediaType = 'application/octet-stream' }: AiSdkPart): string {
  const { type, data, url } = isTyped(given) ? given : { type: 'data', data: given, url: undefined }
  if (type === 'url') return String(url)
  return `data:${mediaType};base64,${data instanceof Uint8Array ? toBase64(data) : String(data)}`
}

/** Whether the data of a file has the form of specification v4. */
function isTyped(data: unknown): data is { type: string; data?: unknown; url?: unknown } {
  return typeof data === 'object' && data !== null && !(data instanceof Uint8Array) && 'type' in data
}

/** Returns a value as plain JSON data, as messages contain it. */
function plain<T extends object>(value: T): T & Record<string, unknown> {
  return JSON.parse(JSON.stringify(value))
}

type Json = Readonly<Record<string, unknown>>

/**
 * What the chunks of servers with the interface of OpenAI say that the AI SDK does not pass on. Reads the chunks of a stream, each before
 * its parts; those of other interfaces are ignored.
 */
class RawChunks {
  /** The last reason why the model stopped. */
  reason: string | undefined
  /** The usage that Moonshot reports in the choice. */
  usage: TokenUsage | null = null
  /** Whether the last chunk belongs to another choice than the one that is read. */
  isOther = false
  /** The pieces of tool calls in the last chunk. */
  calls: readonly SentCallPiece[] = []
  private hasText = false
  private choice: unknown

  /** @throws the error of a choice. */
  add(value: unknown): void {
    const { choices } = Object(value) as Json
    const choice = Object(Array.isArray(choices) ? choices[0] : null) as Json
    if (choice['error']) throw choice['error']
    const { index, finish_reason: reason, delta, usage } = choice
    this.usage = usageOf({ raw: { usage }, additionalKwargs: {} }) ?? this.usage
    const { tool_calls: calls, ...rest } = Object(delta) as Json
    // Servers that number tokens instead of choices begin with 1.
    if (Object.entries({ ...rest, calls }).some(([name, it]) => name !== 'role' && it)) this.choice ??= index
    this.isOther = this.choice === 0 && Boolean(index)
    this.hasText = Boolean(rest['content'])
    this.calls = Array.isArray(calls) ? calls.map((call) => ({ ...Object(call), ...Object(call).function })) : []
    if (typeof reason === 'string' && reason !== '' && !this.isOther) this.reason = reason
  }

  /** Whether nothing is lost of a chunk that the AI SDK could not read, but its calls. */
  isReadable({ text, value }: Error & { text?: unknown; value?: unknown }): boolean {
    if (typeof text === 'string') return text.trim() === ''
    const { choices, ...rest } = Object(value) as Json
    const isOfChat = choices === null || this.calls.length > 0
    return !this.hasText && (isOfChat || Object.keys(rest).every((name) => name === 'type'))
  }
}
