/**
 * @module
 * Converts messages of LangChain, whole or in pieces, to responses.
 */
import { AnswerBuilder, addUsage, type ChatResponse, type TokenUsage, usageOf } from '@x/core-model'
import type { LangChainMessage, LangChainToolCallText } from './langchain-types.ts'
import { PROVIDER_CONTENT } from './messages.ts'

interface Concatenable extends LangChainMessage {
  concat?(other: LangChainMessage): Concatenable
}

/** Returns the response for a whole answer. */
export function responseOf(message: LangChainMessage): ChatResponse {
  const answer = new Answer()
  answer.add(message)
  return answer.response()
}

/** Collects the pieces of an answer. */
export class Answer {
  private readonly builder = new AnswerBuilder()
  private readonly blocks: Concatenable[] = []
  private usage: TokenUsage | null = null

  /** Adds a piece. */
  add(piece: LangChainMessage): void {
    const { builder } = this
    const text = blockText(piece, 'text', 'text') ?? (typeof piece.content === 'string' ? piece.content : '')
    const reasoning = blockText(piece, 'reasoning', 'reasoning') || keptReasoning(piece)
    if (text !== '') builder.addText(text)
    if (reasoning !== '') builder.addReasoning(reasoning)
    for (const call of callsOf(piece))
      builder.addToolCall({ ...call, arguments: call.args, key: call.index ?? call.id })
    if (Array.isArray(piece.content) && piece.content.length > 0) this.blocks.push(piece)
    const usage = usageOf({ raw: null, additionalKwargs: { usage_metadata: piece.usage_metadata } })
    // Each piece reports the tokens since the previous piece.
    this.usage = usage && this.usage ? addUsage(this.usage, usage) : (usage ?? this.usage)
    builder.setUsage(this.usage)
    const reason = finishReasonIn(piece)
    if (reason !== null) builder.finish(reason)
  }

  /** Returns the response so far; in a stream, with the additions of the last piece. */
  response({ stream = false } = {}): ChatResponse {
    return this.builder.response({ stream, messageData: this.builder.isFinished ? this.providerContent() : undefined })
  }

  /** Returns the content blocks of the provider if they are more than text: they may contain signatures that the provider requires in later requests. */
  private providerContent(): object | undefined {
    const [first, ...others] = this.blocks
    if (!first) return undefined
    const whole = others.reduce<Concatenable>((sum, next) => sum.concat?.(next) ?? next, first)
    const { content } = whole
    if (!Array.isArray(content) || content.every((block) => block?.type === 'text')) return undefined
    // Messages must not contain class instances and `undefined`.
    return { [PROVIDER_CONTENT]: JSON.parse(JSON.stringify(content)) }
  }
}

/** Returns the pieces of tool calls in a message, or whole calls if it has no pieces. */
function callsOf(piece: LangChainMessage): readonly LangChainToolCallText[] {
  if (piece.tool_call_chunks?.length) return piece.tool_call_chunks
  const whole = (piece.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args: JSON.stringify(args) }))
  return [...whole, ...(piece.invalid_tool_calls ?? [])].map((call, index) => ({ ...call, index: `whole ${index}` }))
}

/** Returns the text of the standard blocks of a type, or null if the message has no standard blocks. */
function blockText({ contentBlocks: blocks }: LangChainMessage, type: string, key: string): string | null {
  if (!Array.isArray(blocks)) return null
  const texts = blocks.map((block: Record<string, unknown> | null) => (block?.['type'] === type ? block[key] : ''))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** Returns reasoning that some providers store outside of the content. */
function keptReasoning({ additional_kwargs: kept }: LangChainMessage): string {
  const text = (kept as Record<string, unknown> | undefined)?.['reasoning_content']
  return typeof text === 'string' ? text : ''
}

const finishKeys = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason', 'stopReason']

function finishReasonIn({ response_metadata: data }: LangChainMessage): string | null {
  for (const key of finishKeys) {
    const reason = (data as Record<string, unknown> | undefined)?.[key]
    if (typeof reason === 'string' && reason !== '') return reason
  }
  return null
}
