/**
 * @module
 * Reads the answers of models of LangChain.
 */
import { AnswerBuilder, addUsage, type TokenUsage, usageOf } from '@x/core-model'
import type { AnswerReader } from '@x/llm'
import type { LangChainMessage, LangChainToolCallText } from './langchain-types.ts'

/** The name of this adapter in parts that only it understands. */
export const ADAPTER = 'langchain'

type Fields = Record<string, unknown>

/** A message with `concat` is a piece of one. */
interface Concatenable extends LangChainMessage {
  concat?(other: LangChainMessage): Concatenable
}

/** A message of the model, or a piece of one; or the value that LangChain parsed from it. */
export type LangChainPiece = LangChainMessage | { raw: LangChainMessage; parsed: unknown }

/** Stands for the end of an answer. */
export const END: LangChainMessage = { content: '' }

/** Reads an answer. */
export class LangChainReader implements AnswerReader<LangChainPiece> {
  readonly answer = new AnswerBuilder()
  isComplete = false
  private whole: Concatenable | null = null
  private usage: TokenUsage | null = null
  private isRefused = false
  /** The last call with each index. */
  private readonly calls = new Map<number | string, { id: string | undefined; key: string }>()

  addPiece(piece: LangChainPiece): void {
    if (piece === END) this.end()
    else if ('raw' in piece) this.addParsed(piece)
    else this.addMessage(piece)
  }

  private addMessage(piece: LangChainMessage): void {
    const { answer } = this
    const text = blockText(piece, 'text', 'text') ?? (typeof piece.content === 'string' ? piece.content : '')
    const refusal = refusalIn(piece.additional_kwargs)
    for (const said of [text, refusal]) if (said !== '') answer.addText(said)
    this.isRefused ||= refusal !== ''
    this.addReasoning(piece)
    for (const call of callsOf(piece)) {
      // Chunks contain what the server sent, also null.
      answer.addToolCall({ ...call, arguments: call.args ?? undefined, key: this.keyOf(call) })
    }
    this.whole = this.whole?.concat?.(piece) ?? piece
    this.addUsage(piece)
    const reason = finishReasonIn(piece)
    if (reason !== null) answer.finish(this.isRefused ? 'content_filter' : reason)
  }

  /**
   * Returns the key of the call that a piece belongs to. A name with a known index and a different id is a new call, as LangChain reads it;
   * some servers send a different id with every piece.
   */
  private keyOf({ index, id, name }: LangChainToolCallText): string | undefined {
    if (index === undefined || index === null) return id
    const known = this.calls.get(index)
    if (known && (!id || !name || !known.id || known.id === id)) {
      known.id ||= id
      return known.key
    }
    const key = `${index} ${id}`
    this.calls.set(index, { id, key })
    return key
  }

  /** A parsed value is the text of the answer; a model that answers by a tool call has the finish reason `tool_calls`. */
  private addParsed({ raw, parsed }: { raw: LangChainMessage; parsed: unknown }): void {
    if (parsed === null || parsed === undefined) {
      this.addMessage(raw)
      return
    }
    this.addReasoning(raw)
    this.addUsage(raw)
    this.answer.addText(JSON.stringify(parsed))
    this.answer.finish('stop')
  }

  private addReasoning(piece: LangChainMessage): void {
    const reasoning = blockText(piece, 'reasoning', 'reasoning') || keptReasoning(piece)
    if (reasoning !== '') this.answer.addReasoning(reasoning)
  }

  /** Each piece reports the tokens since the previous piece. */
  private addUsage({ usage_metadata }: LangChainMessage): void {
    const usage = usageOf({ raw: null, additionalKwargs: { usage_metadata } })
    this.usage = usage && this.usage ? addUsage(this.usage, usage) : (usage ?? this.usage)
    this.answer.setUsage(this.usage)
  }

  /** Adds the message as LangChain's model wrote it, if it is more than text and calls: later requests may need its data. */
  private end(): void {
    this.isComplete = true
    const data = this.whole && dataOf(this.whole)
    if (data) this.answer.addPart({ type: 'provider', adapter: ADAPTER, data })
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

/** Returns what the text and the calls of a message do not say, as JSON data; null if there is nothing. */
function dataOf({ content, additional_kwargs: kept, response_metadata }: LangChainMessage): Fields | null {
  const { tool_calls: _, ...additional_kwargs } = (kept ?? {}) as Fields
  // Where LangChain's models of the Responses interface look for the items of their answers.
  const { output } = (response_metadata ?? {}) as Fields
  const data = {
    ...((Array.isArray(content) || refusalIn(kept) !== '') && { content }),
    ...(Object.keys(additional_kwargs).length > 0 && { additional_kwargs }),
    ...(Array.isArray(output) && { response_metadata: { output } }),
  }
  // Messages must not contain class instances and `undefined`.
  return Object.keys(data).length === 0 ? null : JSON.parse(JSON.stringify(data))
}

/** Returns the text of a refusal, which OpenAI's models write outside of the content. */
function refusalIn(kept: object | undefined): string {
  const { refusal } = (kept ?? {}) as Fields
  return typeof refusal === 'string' ? refusal : ''
}

const finishKeys = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason', 'stopReason']

function finishReasonIn({ response_metadata: data }: LangChainMessage): string | null {
  for (const key of finishKeys) {
    const reason = (data as Record<string, unknown> | undefined)?.[key]
    if (typeof reason === 'string' && reason !== '') return reason
  }
  return null
}
