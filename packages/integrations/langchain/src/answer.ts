/**
 * @module
 * Reads the answers of models of LangChain.
 */
import { AnswerBuilder, addUsage, type TokenUsage, usageOf } from '@x/core-model'
import { type AnswerReader, type SentCallPiece, ToolCallPieces } from '@x/llm'
import type { LangChainMessage } from './langchain-types.ts'

/** The name of this adapter in parts that only it understands. */
export const ADAPTER = 'langchain'

type Fields = Record<string, unknown>

/** A message with `concat` is a piece of one. */
interface Concatenable extends LangChainMessage {
  concat?(other: LangChainMessage): Concatenable
}

/** A message of the model, or a piece of one; or the value that LangChain parsed from it. */
export type LangChainPiece =
  | LangChainMessage
  | { raw: LangChainMessage; parsed: unknown }
  | { endOf: 'stream' | 'answer' }

/** Reads an answer. */
export class LangChainReader implements AnswerReader<LangChainPiece> {
  readonly answer = new AnswerBuilder()
  isComplete = false
  private whole: Concatenable | null = null
  private usage: TokenUsage | null = null
  private isRefused = false
  private readonly calls = new ToolCallPieces(this.answer)
  /** Whether the client says which provider wrote the answer; such clients also report why the model stopped. */
  private isReporting = false
  /** The index of the choice that is read. */
  private choice: unknown

  addPiece(piece: LangChainPiece): void {
    if ('endOf' in piece) this.end(piece.endOf)
    else if ('raw' in piece) this.addParsed(piece)
    else this.addMessage(piece)
  }

  private addMessage(piece: LangChainMessage): void {
    const { answer } = this
    const { completion: choice, model_provider: provider } = Object(piece.response_metadata) as Fields
    this.isReporting ||= typeof provider === 'string'
    const text = blockText(piece, 'text', 'text') ?? (typeof piece.content === 'string' ? piece.content : '')
    const refusal = refusalIn(piece.additional_kwargs)
    // Servers that number tokens instead of choices begin with 1.
    if (text !== '' || piece.tool_call_chunks?.length) this.choice ??= choice
    if (this.choice === 0 && choice) return
    for (const said of [text, refusal]) if (said !== '') answer.addText(said)
    this.isRefused ||= refusal !== ''
    this.addReasoning(piece)
    for (const call of callsOf(piece)) this.calls.add(call)
    this.whole = this.whole?.concat?.(piece) ?? piece
    this.addUsage(piece)
    const reason = finishReasonIn(piece)
    const said = reason === 'completed' && this.calls.count > 0 ? 'tool_calls' : reason
    if (said !== null) answer.finish(this.isRefused ? 'content_filter' : said)
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
  private end(of: 'stream' | 'answer'): void {
    this.isComplete = of === 'answer' || (this.whole !== null && !this.isReporting)
    const data = this.whole && dataOf(this.whole)
    if (data) this.answer.addPart({ type: 'provider', adapter: ADAPTER, data })
  }
}

/** Returns the pieces of tool calls in a message, or whole calls if it has no pieces. */
function callsOf(piece: LangChainMessage): readonly SentCallPiece[] {
  const { tool_call_chunks: chunks, tool_calls: calls = [], invalid_tool_calls: invalid = [] } = piece
  const { function_call: call } = Object(piece.additional_kwargs) as { function_call?: SentCallPiece }
  if (chunks?.length) return chunks.map(({ args, ...rest }) => ({ ...rest, arguments: args }))
  // The one call of older servers, which OpenAI's models keep outside of the calls.
  if (call && calls.length + invalid.length === 0) return [call]
  return [...calls, ...invalid].map(({ id, name, args }, n) => ({ index: `whole ${n}`, id, name, arguments: args }))
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

/** Returns the reason why the model stopped. ChatAnthropic writes it into other data when it streams; OpenAI's items have a status. */
function finishReasonIn({ response_metadata: data, additional_kwargs: kept }: LangChainMessage): string | null {
  const { incomplete_details: cut, status } = Object(data) as { incomplete_details?: Fields; status?: unknown }
  const reasons = [data, kept].flatMap((fields) => finishKeys.map((key) => Object(fields)[key] as unknown))
  const all = [...reasons, cut?.['reason'], status === 'in_progress' ? undefined : status]
  return (all.find((value) => typeof value === 'string' && value !== '') as string | undefined) ?? null
}
