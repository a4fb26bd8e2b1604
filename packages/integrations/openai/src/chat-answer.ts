/**
 * @module
 * Reads the answers of chat requests.
 */
import { AnswerBuilder, isImagePart, usageOf } from '@x/core-model'
import type { AnswerReader } from '@x/llm'
import { END } from '@x/llm/server'
import { argumentText, type Json, list, object, string } from './values.ts'

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
  /** The id of each call. */
  private readonly calls: string[] = []
  /** The position in `calls` of each index of the server. */
  private readonly places = new Map<number, number>()

  addPiece(piece: Json): void {
    this.isComplete = piece === END
    if (this.isComplete) return
    const choice = firstChoice(piece)
    const delta = object(choice?.['delta'])
    // Perplexity sends the message so far with every delta, and an empty delta with a whole answer.
    const whole = delta && this.raw ? null : object(choice?.['message'])
    this.raw = piece
    this.addMessage(whole ? withIndices(whole) : (delta ?? {}), choice?.['finish_reason'])
    this.answer.setUsage(usageOf({ raw: piece, additionalKwargs: {} }))
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

  /**
   * Adds a tool call or a piece of one. Servers number pieces by `index`, by `id`, by neither, or with the index 0 for all calls:
   * a different id starts a new call, and so does a name without an index.
   */
  private addCall(given: unknown): void {
    const call = object(given) ?? {}
    const { index: _, type: __, id: ___, function: ____, ...rest } = call
    const marks = Object.entries(rest).filter(([, value]) => value !== null)
    const inner = object(call['function']) ?? {}
    const id = string(call['id'])
    const name = string(inner['name'])
    const number = typeof call['index'] === 'number' ? call['index'] : null
    const { calls, places } = this
    let key = number === null ? calls.length - 1 : (places.get(number) ?? -1)
    const known = calls[key]
    const isOther = known !== undefined && id !== '' && id !== known && known !== ''
    if (known === undefined || isOther || (number === null && name !== '' && (id === '' || id !== known))) {
      key = calls.push(id) - 1
      if (number !== null) places.set(number, key)
    }
    calls[key] ||= id
    const metadata = marks.length > 0 ? own(Object.fromEntries(marks)).provider_metadata : undefined
    this.answer.addToolCall({
      key,
      id,
      name,
      arguments: argumentText(inner['arguments']),
      metadata,
    })
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

/** Whether a whole answer contains a message. */
export function hasMessage(data: Json): boolean {
  return object(firstChoice(data)?.['message']) !== null
}

function firstChoice(data: Json): Json | null {
  return Array.isArray(data['choices']) ? object(data['choices'][0]) : null
}
