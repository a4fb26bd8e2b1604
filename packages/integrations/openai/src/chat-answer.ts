/**
 * @module
 * Reads the answers of chat requests.
 */
import { AnswerBuilder, isImagePart, usageOf } from '@x/core-model'
import { type AnswerReader, ToolCallPieces } from '@x/llm'
import { END } from '@x/llm/server'
import { type Json, list, object, string } from './values.ts'

/** The key of the data of this interface in a part. */
const KEY = 'openai_chat'

/** Returns the data with which a part goes back to the server. */
function own(data: Json): { provider_metadata: Record<string, unknown> } {
  return { provider_metadata: { [KEY]: data } }
}

/** Returns the data of a part that this interface wrote; null for parts of other providers. */
export function ownData(part: object): Json | null {
  const metadata = object((part as { provider_metadata?: unknown }).provider_metadata)
  return object(metadata?.[KEY])
}

/** Reads an answer, whole or in chunks. */
export class ChatReader implements AnswerReader<Json> {
  readonly answer = new AnswerBuilder()
  raw: Json | null = null
  isComplete = false
  private isRefused = false
  /** The details of the reasoning; OpenRouter sends them in pieces. */
  private readonly details: Record<string, unknown>[] = []
  private readonly sources = new Set<string>()
  private readonly calls = new ToolCallPieces(this.answer)
  /** The index of the choice that is read. */
  private choice: unknown

  addPiece(piece: Json): void {
    this.isComplete ||= piece === END
    if (piece === END) return
    const choice = firstChoice(piece)
    const delta = object(choice?.['delta'])
    // Perplexity sends the message so far with every delta, and an empty delta with a whole answer.
    const whole = delta && this.raw ? null : object(choice?.['message'])
    this.isComplete ||= Boolean(whole && !delta)
    this.raw = piece
    if (choice && this.isRead(choice, delta ?? whole))
      this.addMessage(whole ? withIndices(whole) : (delta ?? {}), choice['finish_reason'])
    // Moonshot reports the usage in the choice, Groq in a field of its own.
    for (const raw of [piece, choice, piece['x_groq']]) this.answer.setUsage(usageOf({ raw, additionalKwargs: {} }))
  }

  /** Whether a choice is the one that is read: the first with content. Servers that number tokens instead of choices begin with 1. */
  private isRead({ index }: Json, message: Json | null): boolean {
    if (Object.entries(message ?? {}).some(([name, value]) => name !== 'role' && value)) this.choice ??= index
    return this.choice !== 0 || !index
  }

  private addMessage(message: Json, finishReason: unknown): void {
    const { answer } = this
    this.addReasoning(message)
    // A refusal is in a separate field, and the server reports a normal finish reason.
    for (const text of [contentText(message['content']), string(message['refusal'])])
      if (text !== '') answer.addText(text)
    this.isRefused ||= string(message['refusal']) !== ''
    for (const call of callsIn(message)) this.addCall(call)
    for (const image of list(message['images'])) if (isImagePart(image)) answer.addPart({ ...image, ...own({}) })
    for (const annotation of list(message['annotations'])) this.addSource(object(annotation['url_citation']))
    const reason = string(finishReason)
    if (reason !== '') answer.finish(this.isRefused ? 'content_filter' : reason)
  }

  /** Adds reasoning with the name of its field, under which the server takes it back, and with details such as signatures. */
  private addReasoning(message: Json): void {
    const field = string(message['reasoning_content']) === '' ? 'reasoning' : 'reasoning_content'
    const text = string(message[field])
    const details = list(message['reasoning_details'])
    for (const detail of details) addDetail(this.details, detail)
    if (text === '' && details.length === 0) return
    const metadata = {
      field,
      ...(this.details.length > 0 && { reasoning_details: this.details.map((it) => ({ ...it })) }),
    }
    this.answer.addReasoning(text, '', own(metadata).provider_metadata)
  }

  /** Adds a source that the model cites, once. */
  private addSource(citation: Json | null): void {
    const url = string(citation?.['url'])
    const title = string(citation?.['title'])
    if (url === '' || this.sources.has(url)) return
    this.sources.add(url)
    this.answer.addPart({ type: 'source', source: { url, ...(title !== '' && { title }) } })
  }

  /** Adds a tool call or a piece of one, with the further fields of the server. */
  private addCall(given: unknown): void {
    const { index, type: _, id, function: fn, ...rest } = object(given) ?? {}
    const marks = Object.entries(rest).filter(([, value]) => value !== null)
    const { name, arguments: args } = object(fn) ?? {}
    const metadata = marks.length > 0 ? own(Object.fromEntries(marks)).provider_metadata : undefined
    this.calls.add({ index, id, name, arguments: args, metadata })
  }
}

/** Returns the text of a content, which some servers send as parts. */
function contentText(content: unknown): string {
  const texts = list(content).filter(({ type }) => type === 'text')
  return texts.length > 0 ? texts.map(({ text }) => string(text)).join('') : string(content)
}

/** Adds a detail of the reasoning, or a piece of one: pieces have the same index. */
function addDetail(details: Record<string, unknown>[], piece: Json): void {
  const { index, type } = piece
  const known = details.find((detail) => index !== undefined && detail['index'] === index && detail['type'] === type)
  if (!known) return void details.push({ ...piece })
  for (const [name, value] of Object.entries(piece)) {
    const isText = (name === 'text' || name === 'summary') && typeof known[name] === 'string'
    if (value !== null) known[name] = isText ? `${known[name]}${value}` : value
  }
}

/** Returns the tool calls of a message: a list, or the one call of older servers. */
function callsIn({ tool_calls: calls, function_call: call }: Json): unknown[] {
  return Array.isArray(calls) && calls.length > 0 ? calls : object(call) ? [{ index: 0, function: call }] : []
}

/** Numbers the tool calls of a whole message, because several may have the same id. */
function withIndices(message: Json): Json {
  const calls = message['tool_calls']
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call: unknown, index) => ({ ...object(call), index })) }
}

/** Whether an answer, or a piece of one, contains a message. */
export function isAnswerPiece(data: Json): boolean {
  const choice = firstChoice(data)
  return object(choice?.['message'] ?? choice?.['delta']) !== null
}

function firstChoice(data: Json): Json | null {
  return Array.isArray(data['choices']) ? object(data['choices'][0]) : null
}
