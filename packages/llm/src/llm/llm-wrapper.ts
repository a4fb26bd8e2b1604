/**
 * @module
 * The base of models that add something to another model, such as retries.
 */

import { isInstance } from '@x/core'
import type {
  BaseLLM,
  CallOptions,
  ChatMessage,
  ChatResponse,
  CompleteOptions,
  CompletionResponse,
  LLMMetadata,
} from '@x/core-model'
import { LLM } from './llm.ts'

/**
 * A model that passes all calls to another one. A subclass overrides the requests that it changes.
 * It has the system prompt, the parser and the prompt functions of the other model, so `predict` works in the same way.
 * A callback manager of the wrapper receives one event per call of the wrapper; that of the wrapped model, one per real request.
 * @example
 * class Shouting extends LLMWrapper {
 *   protected override async completeRequest(prompt: string, options: CompleteOptions) {
 *     return super.completeRequest(prompt.toUpperCase(), options)
 *   }
 * }
 * const inner = new ScriptedLLM({ answers: ['Hi.'] })
 * String(await new Shouting(inner).complete('hello')) // => 'Hi.'
 * inner.calls[0]?.prompt // => 'HELLO'
 */
export abstract class LLMWrapper extends LLM {
  /** The wrapped model. */
  readonly wrapped: BaseLLM

  constructor(wrapped: BaseLLM) {
    super(
      isInstance(wrapped, LLM)
        ? {
            systemPrompt: wrapped.systemPrompt,
            messagesToPrompt: wrapped.messagesToPrompt,
            completionToPrompt: wrapped.completionToPrompt,
            outputParser: wrapped.outputParser,
            pydanticProgramMode: wrapped.pydanticProgramMode,
            queryWrapperPrompt: wrapped.queryWrapperPrompt,
          }
        : {},
    )
    this.wrapped = wrapped
  }

  get metadata(): LLMMetadata {
    return this.wrapped.metadata
  }

  override get endpoint(): LLM['endpoint'] {
    return (this.wrapped as Partial<LLM>).endpoint ?? null
  }

  protected override chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.passOn(options, (llm, own) => llm.chat(messages, own))
  }

  protected override completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return this.passOn(options, (llm, own) => llm.complete(prompt, own))
  }

  protected override streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse> {
    return this.passOnStream(options, (llm, own) => llm.streamChat(messages, own))
  }

  protected override streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncIterable<CompletionResponse> {
    return this.passOnStream(options, (llm, own) => llm.streamComplete(prompt, own))
  }

  /** Passes a request on, with its options. @internal */
  protected passOn<T>(options: CallOptions, request: (llm: BaseLLM, options: CallOptions) => Promise<T>): Promise<T> {
    return request(this.wrapped, options)
  }

  /** Passes a streamed request on, with its options. @internal */
  protected passOnStream<T>(
    options: CallOptions,
    request: (llm: BaseLLM, options: CallOptions) => AsyncIterable<T>,
  ): AsyncIterable<T> {
    return request(this.wrapped, options)
  }
}
