/**
 * @module
 * Builds responses from the pieces of an answer, in the form that this package reads. For model adapters.
 */

import { checkGiven } from '@x/core/options'
import { ChatMessage } from './chat-message.ts'
import type { ReasoningPart, StoredPart, TextPart } from './content-part.ts'
import { type FinishReason, finishReasonFrom, type TokenUsage, usageRecord } from './response-metadata.ts'
import { ChatResponse } from './responses.ts'
import { isData, type ProviderData } from './value-at.ts'

/** A tool call, or a piece of one. */
interface ToolCallPiece {
  /** The provider's index or id of the call that it belongs to. @defaultValue the call that was added last */
  key?: number | string | undefined
  id?: string | null | undefined
  name?: string | null | undefined
  /** The next characters of the JSON text of the arguments. */
  arguments?: string | undefined
  /** Whether `arguments` replaces the previous characters instead of continuing them. @defaultValue false */
  isWhole?: boolean | undefined
  /** Data of the provider that must be sent back with the conversation. */
  metadata?: object | undefined
}

interface Call {
  kind: 'call'
  id: string
  name: string
  arguments: string
  metadata: object | undefined
  /** The index among the calls; -1 until the name is known. */
  index: number
}

/** Text or reasoning. */
interface Block {
  kind: 'text' | 'reasoning'
  /** Whether its place among the other parts counts: the provider names its blocks. */
  isPlaced: boolean
  text: string
  metadata: object | undefined
}

/** A part of the answer so far. */
type Entry = Call | Block | { kind: 'part'; part: FurtherPart }

/** A part that is neither text, nor reasoning, nor a tool call. */
export type FurtherPart = Exclude<StoredPart, TextPart | ReasoningPart | { type: 'tool_call' }>

/**
 * Collects an answer piece by piece. `response` returns everything so far, and in a stream also the additions since the last response.
 * @example
 * const answer = new AnswerBuilder()
 * answer.addText('Let me see.')
 * answer.addToolCall({ key: 0, id: 'c1', name: 'add', arguments: '{"a":' })
 * answer.addToolCall({ key: 0, arguments: '1}' })
 * answer.finish('tool_use')
 * const response = answer.response()
 * toolCallsOf(response.message) // => [{ id: 'c1', name: 'add', arguments: '{"a":1}' }]
 * finishReasonOf(response) // => 'tool_calls'
 */
export class AnswerBuilder {
  /** The parts, in the order in which they began; a call begins with its name. */
  readonly #entries: Entry[] = []
  readonly #blocks = new Map<string, Block>()
  readonly #calls = new Map<number | string, Call>()
  #named = 0
  #reason: FinishReason | null = null
  #usage: TokenUsage | null = null
  #added = new Added()

  /** The reason why the model stopped; null until the provider reports one. */
  get finishReason(): FinishReason | null {
    return this.#reason
  }

  /** Whether something was added since the last response. */
  get isChanged(): boolean {
    return this.#added.isAny
  }

  /**
   * Adds text.
   * @param block - the block that it belongs to, for providers that write several. The position of a named block among the parts is kept.
   * @param metadata - data of the provider that must be sent back with the text, such as a signature.
   */
  addText(delta: string, block = '', metadata?: object): void {
    this.#addToBlock('text', delta, block, metadata)
    this.#added.text += delta
  }

  /**
   * Adds reasoning.
   * @param block - the block that it belongs to, if there are several.
   * @param metadata - data of the provider that must be sent back with the conversation, such as a signature.
   */
  addReasoning(delta: string, block = '', metadata?: object): void {
    this.#addToBlock('reasoning', delta, block, metadata)
    this.#added.reasoning += delta
  }

  /** Adds a whole part, such as a file, a source, or data of the provider. */
  addPart(part: FurtherPart): void {
    this.#entries.push({ kind: 'part', part })
    this.#added.isAny = true
  }

  /** Adds a tool call, or a piece of one. A call is reported when its name is known; without a name it is not a call. */
  addToolCall(piece: ToolCallPiece): void {
    const { id, name, arguments: text = '', isWhole = false, metadata } = piece
    const key = piece.key ?? [...this.#calls.keys()].at(-1) ?? 0
    let call = this.#calls.get(key)
    if (!call) {
      call = { kind: 'call', id: '', name: '', arguments: '', metadata: undefined, index: -1 }
      this.#calls.set(key, call)
    }
    const known = { ...call }
    call.id ||= id ?? ''
    call.name ||= name ?? ''
    call.arguments = isWhole ? text : call.arguments + text
    call.metadata = metadata ?? call.metadata
    if (call.name === '') return
    const isNew = known.name === ''
    if (isNew) {
      call.index = this.#named++
      this.#entries.push(call)
    }
    // The arguments of a whole call may already have been reported piece by piece.
    const delta = isNew ? call.arguments : isWhole ? '' : text
    const isIdNew = call.id !== '' && (isNew || known.id === '')
    this.#added.isAny = true
    if (isNew || isIdNew || delta !== '')
      this.#added.calls.push({
        index: call.index,
        id: isIdNew ? call.id : null,
        name: isNew ? call.name : null,
        arguments: delta,
      })
  }

  /** Sets the reason why the model stopped, as the provider reports it. */
  finish(reason: string): void {
    this.#reason = finishReasonFrom(reason)
    this.#added.isAny = true
  }

  /** Sets the tokens so far; null is ignored. */
  setUsage(usage: TokenUsage | null): void {
    if (!usage) return
    this.#usage = usage
    this.#added.isAny = true
  }

  #addToBlock(kind: Block['kind'], delta: string, name: string, metadata: object | undefined): void {
    const key = `${kind} ${name}`
    let block = this.#blocks.get(key)
    if (!block) {
      block = { kind, isPlaced: name !== '', text: '', metadata: undefined }
      this.#blocks.set(key, block)
      this.#entries.push(block)
    }
    block.text += delta
    block.metadata = metadata ?? block.metadata
    if (delta !== '' || metadata) this.#added.isAny = true
  }

  /**
   * Returns everything so far.
   * @param options.stream - whether the response also contains the additions since the last one. @defaultValue false
   * @param options.raw - the data of the provider.
   * @param options.messageData - further data of the message.
   */
  response(
    options: {
      stream?: boolean
      raw?: Readonly<Record<string, unknown>> | null
      messageData?: object | undefined
    } = {},
  ): ChatResponse {
    const [added, reason, usage] = [this.#added, this.#reason, this.#usage]
    const { stream = false, raw = null, messageData } = options
    this.#added = new Added()
    const entries = this.#entries.filter(isContent)
    const calls = entries.filter((entry) => entry.kind === 'call')
    // `join` would copy the whole text for every piece.
    const text = entries.reduce((sum, entry) => (entry.kind === 'text' ? sum + entry.text : sum), '')
    const reasoning = entries.filter((entry): entry is Block => entry.kind === 'reasoning')
    const parts = isFlat(entries) ? null : entries.map(storedPart)
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: text || (calls.length > 0 ? null : ''),
        additionalKwargs: {
          ...(calls.length > 0 && { tool_calls: calls.map(callRecord) }),
          ...(!parts && reasoning.length > 0 && { reasoning: reasoning.map(blockRecord) }),
          ...messageData,
        },
        ...(parts && { parts }),
      }),
      raw,
      delta: stream ? added.text : null,
      additionalKwargs: {
        ...(reason !== null && { finish_reason: reason }),
        ...(usage && { usage: usageRecord(usage) }),
        ...(stream && added.reasoning !== '' && { reasoning_delta: added.reasoning }),
        ...(stream && added.calls.length > 0 && { tool_call_deltas: added.calls }),
      },
    })
  }
}

/** The content that was added since the last response. */
class Added {
  isAny = false
  text = ''
  reasoning = ''
  readonly calls: ToolCallDelta[] = []
}

/** Whether an entry belongs to the message: empty blocks without data do not. */
function isContent(entry: Entry): boolean {
  return entry.kind === 'part' || entry.kind === 'call' || entry.text !== '' || entry.metadata !== undefined
}

/** Whether text, reasoning and calls of a message say the same as these entries: they have this order, and one text without data. */
function isFlat(entries: readonly Entry[]): boolean {
  return (
    !entries.some((entry) => entry.kind === 'part' || (entry.kind === 'text' && entry.metadata)) &&
    (!entries.some((entry) => 'isPlaced' in entry && entry.isPlaced) ||
      /^(?:reasoning ?)*(?:text ?)?(?:call ?)*$/.test(entries.map(({ kind }) => kind).join(' ')))
  )
}

function storedPart(entry: Entry): StoredPart {
  if (entry.kind === 'part') return entry.part
  return entry.kind === 'call' ? { type: 'tool_call' } : blockRecord(entry)
}

function callRecord({ id, name, arguments: text, metadata }: Call): object {
  return {
    ...(id !== '' && { id }),
    type: 'function',
    function: { name, arguments: text },
    ...(metadata && { provider_metadata: metadata }),
  }
}

function blockRecord({ kind, text, metadata }: Block): StoredPart {
  return { type: kind, text, ...(metadata && { provider_metadata: metadata as Record<string, unknown> }) }
}

/** A piece of a tool call. */
export interface ToolCallDelta {
  /** The index of the tool call in the message, from 0. */
  index: number
  /** The id of the call, in its first piece; null in other pieces, or if the provider sends no id. */
  id: string | null
  /** The name of the tool, in its first piece; null in others. */
  name: string | null
  /** The next characters of the JSON text of the arguments. */
  arguments: string
}

/** The new content in one piece of a stream. */
export interface StreamDeltas {
  text: string
  reasoning: string
  toolCalls: readonly ToolCallDelta[]
}

/**
 * Returns the new content in one piece of a stream: `delta`, and `reasoning_delta` and `tool_call_deltas` of `additionalKwargs`.
 * @example
 * const message = new ChatMessage({ role: 'assistant', content: '' })
 * deltasOf(new ChatResponse({ message, delta: '', additionalKwargs: { reasoning_delta: 'Hm' } }))
 * // => { text: '', reasoning: 'Hm', toolCalls: [] }
 */
export function deltasOf(response: {
  readonly delta: string | null
  readonly additionalKwargs: ProviderData
}): StreamDeltas {
  if (!response?.additionalKwargs) checkGiven('deltasOf', { response }, 'a response of a model', 'additionalKwargs')
  const { reasoning_delta: reasoning, tool_call_deltas: calls } = response.additionalKwargs
  return {
    text: response.delta ?? '',
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    toolCalls: Array.isArray(calls) ? calls.filter(isToolCallDelta) : [],
  }
}

function isToolCallDelta(value: unknown): value is ToolCallDelta {
  return isData(value) && Number.isInteger(value['index']) && typeof value['arguments'] === 'string'
}
