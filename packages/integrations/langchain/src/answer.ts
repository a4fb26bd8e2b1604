/**
 * @module
 * From the messages of LangChain, whole or in pieces, to responses.
 */
import {
  addUsage,
  ChatMessage,
  ChatResponse,
  finishReasonFrom,
  type TokenUsage,
  type ToolCallDelta,
  usageOf,
  usageRecord,
} from '@x/core-model'
import type { LangChainMessage, LangChainToolCallText } from './langchain-types.ts'
import { PROVIDER_CONTENT } from './messages.ts'

interface Call {
  id: string | null
  name: string
  arguments: string
}

interface Concatenable extends LangChainMessage {
  concat?(other: LangChainMessage): Concatenable
}

/** The response for a whole answer. */
export function responseOf(message: LangChainMessage): ChatResponse {
  const answer = new Answer()
  answer.add(message)
  return answer.response()
}

/** Collects the pieces of an answer. */
export class Answer {
  private text = ''
  private reasoning = ''
  private readonly calls = new Map<number | string, Call>()
  private readonly blocks: Concatenable[] = []
  private finishReason: string | null = null
  private usage: TokenUsage | null = null
  private added = { text: '', reasoning: '', calls: [] as ToolCallDelta[] }

  /** Adds a piece, and makes it the one that `response` reports as new. */
  add(piece: LangChainMessage): void {
    const text = blockText(piece, 'text', 'text') ?? (typeof piece.content === 'string' ? piece.content : '')
    const reasoning = blockText(piece, 'reasoning', 'reasoning') || keptReasoning(piece)
    this.text += text
    this.reasoning += reasoning
    this.added = { text, reasoning, calls: this.addCalls(piece) }
    if (Array.isArray(piece.content) && piece.content.length > 0) this.blocks.push(piece)
    const usage = usageOf({ raw: null, additionalKwargs: { usage_metadata: piece.usage_metadata } })
    if (usage) this.usage = this.usage ? addUsage(this.usage, usage) : usage
    this.finishReason = finishReasonIn(piece) ?? this.finishReason
  }

  /** The response so far; in a stream with what the last piece added. */
  response({ stream = false } = {}): ChatResponse {
    const { text, reasoning, calls, added } = this
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: text === '' && calls.size > 0 ? null : text,
        additionalKwargs: {
          ...(calls.size > 0 && { tool_calls: [...calls.values()].map(callRecord) }),
          ...(reasoning !== '' && { reasoning: [{ type: 'reasoning', text: reasoning }] }),
          ...(this.finishReason !== null && this.providerContent()),
        },
      }),
      delta: stream ? added.text : null,
      additionalKwargs: {
        ...(this.finishReason !== null && { finish_reason: this.finishReason }),
        ...(this.usage && { usage: { ...usageRecord(this.usage) } }),
        ...(stream && added.reasoning !== '' && { reasoning_delta: added.reasoning }),
        ...(stream && added.calls.length > 0 && { tool_call_deltas: added.calls }),
      },
    })
  }

  /** The content blocks of the provider when they are more than text: they may hold signatures that it wants back. */
  private providerContent(): object | undefined {
    const [first, ...others] = this.blocks
    if (!first) return undefined
    const whole = others.reduce<Concatenable>((sum, next) => sum.concat?.(next) ?? next, first)
    const { content } = whole
    if (!Array.isArray(content) || content.every((block) => block?.type === 'text')) return undefined
    // Class instances and `undefined` have no place in messages.
    return { [PROVIDER_CONTENT]: JSON.parse(JSON.stringify(content)) }
  }

  private addCalls(piece: LangChainMessage): ToolCallDelta[] {
    if (piece.tool_call_chunks?.length) return piece.tool_call_chunks.map((call) => this.addCallPiece(call))
    const whole: LangChainToolCallText[] = [
      ...(piece.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args: JSON.stringify(args) })),
      ...(piece.invalid_tool_calls ?? []),
    ]
    return whole.map((call) => this.addCallPiece({ ...call, index: `whole ${this.calls.size}` }))
  }

  private addCallPiece({ id, name, args = '', index }: LangChainToolCallText): ToolCallDelta {
    const key = index ?? id ?? [...this.calls.keys()].at(-1) ?? 0
    const known = this.calls.get(key)
    const call = known ?? { id: id ?? null, name: name ?? '', arguments: '' }
    call.arguments += args
    this.calls.set(key, call)
    return {
      index: [...this.calls.keys()].indexOf(key),
      id: known ? null : call.id,
      name: known ? null : call.name,
      arguments: args,
    }
  }
}

function callRecord({ id, name, arguments: text }: Call): object {
  return { ...(id !== null && { id }), type: 'function', function: { name, arguments: text } }
}

/** The text of the standard blocks of a type, or null when the message has no standard blocks. */
function blockText({ contentBlocks: blocks }: LangChainMessage, type: string, key: string): string | null {
  if (!Array.isArray(blocks)) return null
  const texts = blocks.map((block: Record<string, unknown> | null) => (block?.['type'] === type ? block[key] : ''))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** Reasoning that some providers keep beside the content. */
function keptReasoning({ additional_kwargs: kept }: LangChainMessage): string {
  const text = (kept as Record<string, unknown> | undefined)?.['reasoning_content']
  return typeof text === 'string' ? text : ''
}

const finishKeys = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason', 'stopReason']

function finishReasonIn({ response_metadata: data }: LangChainMessage): string | null {
  for (const key of finishKeys) {
    const reason = (data as Record<string, unknown> | undefined)?.[key]
    if (typeof reason === 'string' && reason !== '') return finishReasonFrom(reason)
  }
  return null
}
