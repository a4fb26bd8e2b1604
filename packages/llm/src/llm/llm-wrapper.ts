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

/** A call that a wrapper passes on. */
export interface PassedCall {
  readonly kind: 'chat' | 'complete' | 'stream_chat' | 'stream_complete'
  /** The messages of a chat. */
  readonly messages?: readonly ChatMessage[]
  /** The prompt of a completion. */
  readonly prompt?: string
  readonly options: CompleteOptions
}

/** The answer of a call, or a piece of it. */
export type ModelAnswer = ChatResponse | CompletionResponse

/** Makes a call with a model. */
export type Ask<T> = (llm: BaseLLM, options: CompleteOptions) => AsyncIterable<T>

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
    return lastOf(this.passOn({ kind: 'chat', messages, options }, (llm, own) => once(llm.chat(messages, own))))
  }

  protected override completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return lastOf(this.passOn({ kind: 'complete', prompt, options }, (llm, own) => once(llm.complete(prompt, own))))
  }

  protected override streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse> {
    return this.passOn({ kind: 'stream_chat', messages, options }, (llm, own) => llm.streamChat(messages, own))
  }

  protected override streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncIterable<CompletionResponse> {
    return this.passOn({ kind: 'stream_complete', prompt, options }, (llm, own) => llm.streamComplete(prompt, own))
  }

  /**
   * Passes a request on and yields its answer: the pieces of a stream, or one answer.
   * @param ask - makes the request of a model.
   * @internal
   */
  protected passOn<T extends ModelAnswer>({ options }: PassedCall, ask: Ask<T>): AsyncIterable<T> {
    return ask(this.wrapped, options)
  }
}

/** Yields one answer. */
export async function* once<T>(answer: Promise<T>): AsyncGenerator<T, void, undefined> {
  yield await answer
}

/** Returns the last answer. */
export async function lastOf<T>(answers: AsyncIterable<T>): Promise<T> {
  let last: T | undefined
  for await (const answer of answers) last = answer
  return last!
}
