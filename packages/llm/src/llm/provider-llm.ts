/**
 * @module
 * The bases of chat models, and of the adapters of providers.
 */
import { checkOption, milliseconds, type OptionTable } from '@x/core/options'
import { wellFormed } from '@x/core/values'
import {
  type AnswerBuilder,
  type CallOptions,
  ChatMessage,
  type ChatResponse,
  type CompleteOptions,
  type CompletionResponse,
  chatToCompletionResponse,
} from '@x/core-model'
import type { LLMOptions } from '../generated/llm.ts'
import { LLM } from './llm.ts'
import { ModelCallError } from './model-call-error.ts'
import { type ModelErrorFacts, modelCallErrorOf } from './model-call-error-of.ts'
import { limited } from './time-limit.ts'

/**
 * The base of chat models: a subclass makes chat requests, and a prompt is completed by a chat with one user message.
 * @example
 * class Echo extends ChatLLM {
 *   readonly metadata = new LLMMetadata({ modelName: 'echo', isChatModel: true })
 *   async chatRequest(messages: readonly ChatMessage[]) {
 *     return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: messages.at(-1)!.content }) })
 *   }
 *   async *streamChatRequest(messages: readonly ChatMessage[]) {
 *     yield await this.chatRequest(messages)
 *   }
 * }
 * const { text } = await new Echo().complete('Hello')
 * text // => 'Hello'
 */
export abstract class ChatLLM extends LLM {
  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return chatToCompletionResponse(await this.chatRequest(asChat(prompt), asCall(options)))
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    for await (const piece of this.streamChatRequest(asChat(prompt), asCall(options)))
      yield chatToCompletionResponse(piece, { stream: true })
  }
}

function asChat(prompt: string): ChatMessage[] {
  return [new ChatMessage({ content: prompt })]
}

/** Returns the options of a chat. */
function asCall({ formatted: _, ...options }: CompleteOptions): CallOptions {
  return options
}

/** Reads the pieces of one answer. */
export interface AnswerReader<Piece> {
  /** What was read so far. */
  readonly answer: AnswerBuilder
  /** The data of the provider for `raw` of the response. */
  readonly raw?: Readonly<Record<string, unknown>> | null
  /**
   * Whether the answer is complete although the provider did not report why the model stopped. Without it, whole answers are complete, and
   * streams are not.
   */
  readonly isComplete?: boolean
  /** Adds a piece to `answer`. */
  addPiece(piece: Piece): void
}

/** Options of every adapter of a provider. */
export interface ProviderLLMOptions extends LLMOptions {
  /**
   * The longest time between two pieces of a stream, and before the first one, in milliseconds; null for no limit. The call then fails with
   * a retryable error of kind `timeout`.
   * @defaultValue 120000
   */
  idleMs?: number | null | undefined
}

/** Checks of the options of {@link ProviderLLM} that are not fields, for adapters that check all options together. */
export const providerOptions: OptionTable<Omit<ProviderLLMOptions, keyof LLMOptions>> = {
  idleMs: milliseconds(1, 'or null'),
}

const IDLE_MS = 120_000

/**
 * The base of the adapters of providers, which consist of two parts: requests, and the pieces of answers.
 *
 * `pieces` receives messages and options without lone surrogates, which no provider accepts: U+FFFD is in their place.
 *
 * An abort rejects with the reason of the signal. Everything else that goes wrong is a {@link ModelCallError} without secrets: what
 * `pieces` throws, an answer whose finish reason is `error`, and a stream that ends before the answer is complete.
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
  private readonly idleMs: number | null

  /** @throws {ModelValidationError} if a field has the wrong type, or `idleMs` is out of range. */
  constructor(options: ProviderLLMOptions = {}) {
    const { idleMs = IDLE_MS, ...fields } = options ?? {}
    super(options && fields)
    checkOption('ProviderLLM', 'idleMs', idleMs, providerOptions['idleMs']!)
    this.idleMs = idleMs
  }

  /**
   * Makes one request, and yields the pieces of its answer; null shows that the server is still at work. Leaving early must end the
   * request.
   */
  protected abstract pieces(
    messages: readonly ChatMessage[],
    options: CallOptions,
    isStream: boolean,
  ): AsyncIterable<Piece | null>

  /** Returns a reader for one answer. */
  protected abstract newReader(): AnswerReader<Piece>

  /** Returns what this adapter knows about an error of `pieces` that is not a `ModelCallError`. */
  protected errorFacts(_error: unknown, _options: CallOptions): ModelErrorFacts {
    return {}
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const reader = this.newReader()
    for await (const _ of this.read(reader, messages, options, false));
    return reader.answer.response({ raw: reader.raw ?? null })
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const reader = this.newReader()
    const { answer } = reader
    for await (const _ of this.read(reader, messages, options, true))
      if (answer.isChanged) yield answer.response({ raw: reader.raw ?? null, stream: true })
  }

  /** Reads an answer, and yields after each piece. */
  private async *read(
    reader: AnswerReader<Piece>,
    given: readonly ChatMessage[],
    givenOptions: CallOptions,
    isStream: boolean,
  ): AsyncGenerator<void, void, undefined> {
    const messages = given.map(wellFormedMessage)
    const options = wellFormed(givenOptions)
    const { idleMs } = this
    const name = this.metadata.modelName
    const fail = (what: string, kind: 'connection' | 'overloaded') => new ModelCallError(`${name}: ${what}.`, { kind })
    try {
      const pieces = isStream
        ? limited(options, idleMs, `${name}: no piece of the answer arrived for ${idleMs} ms.`, (own) =>
            this.pieces(messages, own, true),
          )
        : this.pieces(messages, options, false)
      for await (const piece of pieces) {
        if (piece === null) continue
        reader.addPiece(piece)
        if (reader.answer.finishReason === 'error') throw fail('the provider reported that it failed', 'overloaded')
        yield
      }
      // Some libraries end an aborted stream without an error.
      options.signal?.throwIfAborted()
      const isComplete = reader.answer.finishReason !== null || (reader.isComplete ?? !isStream)
      if (!isComplete) throw fail('the stream ended before the model was done', 'connection')
    } catch (error) {
      options.signal?.throwIfAborted()
      const { where = name, ...facts } = this.errorFacts(error, options)
      throw modelCallErrorOf(where, error, facts)
    }
  }
}

/** Returns a message without lone surrogates. */
function wellFormedMessage(message: ChatMessage): ChatMessage {
  const content = wellFormed(message.content)
  const additionalKwargs = wellFormed(message.additionalKwargs)
  const parts = wellFormed(message.parts)
  const isSame = content === message.content && additionalKwargs === message.additionalKwargs && parts === message.parts
  return isSame ? message : message.copy({ update: { content, additionalKwargs, parts } })
}
