/**
 * @module
 * Builds responses from the pieces of an answer, in the form that this package reads. For model adapters.
 */
import { ChatMessage } from './chat-message.ts'
import { finishReasonFrom } from './finish-reason.ts'
import { ChatResponse } from './responses.ts'
import type { ToolCallDelta } from './stream-deltas.ts'
import { type TokenUsage, usageRecord } from './token-usage.ts'

/** A tool call, or a piece of one. */
export interface ToolCallPiece {
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
  id: string
  name: string
  arguments: string
  metadata: object | undefined
}

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
  private text: string | null = null
  /** Blocks of reasoning; data such as a signature belongs to a block. */
  private readonly reasoning = new Map<string, { text: string; metadata: object | undefined }>()
  private readonly calls = new Map<number | string, Call>()
  private reason: string | null = null
  private usage: TokenUsage | null = null
  private added = new Added()

  /** Whether the provider reported a reason why the model stopped. */
  get isFinished(): boolean {
    return this.reason !== null
  }

  /** Whether something was added since the last response. */
  get isChanged(): boolean {
    return this.added.isAny
  }

  /** Adds text. The empty string counts as an empty answer. */
  addText(delta: string): void {
    this.text = (this.text ?? '') + delta
    this.added.text += delta
    this.added.isAny = true
  }

  /**
   * Adds reasoning.
   * @param block - the block that it belongs to, if there are several.
   * @param metadata - data of the provider that must be sent back with the conversation, such as a signature.
   */
  addReasoning(delta: string, block = '', metadata?: object): void {
    const known = this.reasoning.get(block)
    this.reasoning.set(block, { text: (known?.text ?? '') + delta, metadata: metadata ?? known?.metadata })
    this.added.reasoning += delta
    this.added.isAny = true
  }

  /** Adds a tool call, or a piece of one. */
  addToolCall(piece: ToolCallPiece): void {
    const { id, name, arguments: text = '', isWhole = false, metadata } = piece
    const key = piece.key ?? [...this.calls.keys()].at(-1) ?? 0
    const known = this.calls.get(key)
    const call = known ?? { id: '', name: '', arguments: '', metadata: undefined }
    this.calls.set(key, call)
    const delta: ToolCallDelta = {
      index: [...this.calls.keys()].indexOf(key),
      id: (call.id === '' && id) || null,
      name: (call.name === '' && name) || null,
      // The arguments of this call were already reported piece by piece.
      arguments: isWhole && known ? '' : text,
    }
    call.id ||= id ?? ''
    call.name ||= name ?? ''
    call.arguments = isWhole ? text : call.arguments + text
    call.metadata = metadata ?? call.metadata
    this.added.isAny = true
    if (delta.id !== null || delta.name !== null || delta.arguments !== '') this.added.calls.push(delta)
  }

  /** Sets the reason why the model stopped, as the provider reports it. */
  finish(reason: string): void {
    this.reason = finishReasonFrom(reason)
    this.added.isAny = true
  }

  /** Sets the tokens so far; null is ignored. */
  setUsage(usage: TokenUsage | null): void {
    if (!usage) return
    this.usage = usage
    this.added.isAny = true
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
    const { added, reason, usage } = this
    const { stream = false, raw = null, messageData } = options
    this.added = new Added()
    const calls = [...this.calls.values()].map(callRecord)
    const reasoning = [...this.reasoning.values()].filter(({ text, metadata }) => text !== '' || metadata)
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: this.text || (calls.length > 0 ? null : ''),
        additionalKwargs: {
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(reasoning.length > 0 && { reasoning: reasoning.map(reasoningRecord) }),
          ...messageData,
        },
      }),
      raw,
      delta: stream ? added.text : null,
      additionalKwargs: {
        ...(reason !== null && { finish_reason: reason }),
        ...(usage && { usage: { ...usageRecord(usage) } }),
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

function callRecord({ id, name, arguments: text, metadata }: Call): object {
  return {
    ...(id !== '' && { id }),
    type: 'function',
    function: { name, arguments: text },
    ...(metadata && { provider_metadata: metadata }),
  }
}

function reasoningRecord({ text, metadata }: { text: string; metadata: object | undefined }): object {
  return { type: 'reasoning', text, ...(metadata && { provider_metadata: metadata }) }
}
