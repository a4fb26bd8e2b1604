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

  protected override chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.wrapped.chat(messages, options)
  }

  protected override completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return this.wrapped.complete(prompt, options)
  }

  protected override streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse> {
    return this.wrapped.streamChat(messages, options)
  }

  protected override streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncIterable<CompletionResponse> {
    return this.wrapped.streamComplete(prompt, options)
  }
}
