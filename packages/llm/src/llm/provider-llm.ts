/**
 * @module
 * The base of the adapters of providers.
 */
import type { AnswerBuilder, CallOptions, ChatMessage, ChatResponse } from '@x/core-model'
import { ChatLLM } from './chat-llm.ts'
import { ModelCallError } from './model-call-error.ts'

/** Reads the pieces of one answer. */
export interface AnswerReader<Piece> {
  /** What was read so far. */
  readonly answer: AnswerBuilder
  /** The data of the provider for `raw` of the response. */
  readonly raw?: Readonly<Record<string, unknown>> | null
  /** Whether the answer is complete although the provider did not report why the model stopped. @defaultValue false */
  readonly isComplete?: boolean
  /** Adds a piece to `answer`. */
  addPiece(piece: Piece): void
}

/**
 * The base of the adapters of providers, which consist of three parts: requests, the pieces of answers, and errors.
 * An abort rejects with the reason of the signal. A stream that ends before the answer is complete is an error of kind `connection`.
 * @example
 * class Words extends ProviderLLM<string> {
 *   readonly metadata = new LLMMetadata({ modelName: 'words', isChatModel: true })
 *   async *pieces(messages: readonly ChatMessage[]) {
 *     yield* String(messages.at(-1)!.content).split(' ')
 *   }
 *   newReader() {
 *     const answer = new AnswerBuilder()
 *     return { answer, addPiece: (word: string) => answer.addText(word.toUpperCase()) }
 *   }
 * }
 * const { text } = await new Words().complete('a b')
 * text // => 'AB'
 */
export abstract class ProviderLLM<Piece> extends ChatLLM {
  /** Makes one request, and yields the pieces of its answer. Leaving early must end the request. */
  protected abstract pieces(
    messages: readonly ChatMessage[],
    options: CallOptions,
    isStream: boolean,
  ): AsyncIterable<Piece>

  /** Returns a reader for one answer. */
  protected abstract newReader(): AnswerReader<Piece>

  /** Returns the error for one that `pieces` threw: a {@link ModelCallError}, where the cause is the provider. */
  protected errorOf(error: unknown, _options: CallOptions): unknown {
    return error
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const reader = this.newReader()
    for await (const piece of this.explained(messages, options, false)) reader.addPiece(piece)
    return reader.answer.response({ raw: reader.raw ?? null })
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const reader = this.newReader()
    const { answer } = reader
    for await (const piece of this.explained(messages, options, true)) {
      reader.addPiece(piece)
      if (answer.isChanged) yield answer.response({ raw: reader.raw ?? null, stream: true })
    }
    // Some libraries end an aborted stream without an error.
    options.signal?.throwIfAborted()
    if (!answer.isFinished && !reader.isComplete)
      throw new ModelCallError(`${this.metadata.modelName}: the stream ended before the model was done.`, {
        kind: 'connection',
      })
  }

  /** The pieces; errors become those of `errorOf`. */
  private async *explained(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean) {
    try {
      yield* this.pieces(messages, options, isStream)
    } catch (error) {
      options.signal?.throwIfAborted()
      throw this.errorOf(error, options)
    }
  }
}
