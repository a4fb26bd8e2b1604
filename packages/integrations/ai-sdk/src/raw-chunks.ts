/**
 * @module
 * What the chunks of servers with the interface of OpenAI say that the AI SDK does not pass on. Chunks of other interfaces are ignored.
 */
import { type TokenUsage, usageOf } from '@x/core-model'
import type { SentCallPiece } from '@x/llm'

type Json = Readonly<Record<string, unknown>>

/** Reads the chunks of a stream, each before its parts. */
export class RawChunks {
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
