/**
 * @module
 * Adapts language models of the AI SDK to `LLM` of `@x/llm`.
 */
import { type CallOptions, type ChatMessage, type ChatResponse, LLMMetadata } from '@x/core-model'
import { ChatLLM, type LLMOptions } from '@x/llm'
import { AnswerReader, responseOf } from './answer.ts'
import { modelCallError, modelError } from './model-error.ts'
import type { AiSdkLanguageModel, AiSdkPart, AiSdkProviderTool } from './model-types.ts'
import { callOptions } from './prompt.ts'

/** Options of {@link AiSdkLLM}. */
export interface AiSdkLLMOptions extends LLMOptions {
  /** A language model of the AI SDK, of specification v2, v3 or v4. */
  model: AiSdkLanguageModel
  /** The maximum number of tokens of request and answer together. @defaultValue unknown, so that nothing is left out */
  contextWindow?: number | null | undefined
  /** Whether the model calls tools natively. @defaultValue true */
  isFunctionCallingModel?: boolean | undefined
  /** Tools that the provider runs, such as web search, by the names that the model uses: what `anthropic.tools.webSearch_20250305()` returns. */
  providerTools?: Readonly<Record<string, AiSdkProviderTool>> | undefined
  /** Options of every call that does not override them, such as `temperature`, `maxTokens` and `providerOptions`. */
  modelOptions?: CallOptions | undefined
}

/**
 * A language model of the AI SDK, so of any of its providers, as a model of `@x`.
 *
 * One call is one request; wrap it in `withRetry` for retries and time limits. Errors of the AI SDK become `ModelCallError`s.
 * The parts of an answer go back to the provider in their order and with their metadata, also calls of tools that it runs itself.
 * Message data in `additionalKwargs.provider_options` is sent as the message's provider options, such as for prompt caching.
 */
export class AiSdkLLM extends ChatLLM {
  static override className(): string {
    return 'AiSdkLLM'
  }

  readonly metadata: LLMMetadata
  readonly model: AiSdkLanguageModel
  private readonly defaults: CallOptions
  private readonly providerTools: Readonly<Record<string, AiSdkProviderTool>>

  constructor(options: AiSdkLLMOptions) {
    const {
      model,
      contextWindow = null,
      isFunctionCallingModel = true,
      modelOptions = {},
      providerTools = {},
      ...fields
    } = options
    super(fields)
    this.model = model
    this.defaults = modelOptions
    this.providerTools = providerTools
    const { modelId: modelName, provider } = model
    this.metadata = new LLMMetadata({ modelName, provider, contextWindow, isChatModel: true, isFunctionCallingModel })
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.explained(options, async () => responseOf(await this.model.doGenerate(this.request(messages, options))))
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const { stream } = await this.explained(options, () => this.model.doStream(this.request(messages, options)))
    const parts = new AnswerReader()
    const { answer } = parts
    const reader = stream.getReader()
    try {
      for (;;) {
        const next = await this.explained(options, () => reader.read())
        if (next.done) break
        this.throwErrorPart(next.value, options)
        parts.add(next.value)
        if (answer.isChanged) yield answer.response({ stream: true })
      }
    } finally {
      // Stops the model when the reader leaves early.
      reader.cancel().catch(() => {})
    }
    options.signal?.throwIfAborted()
    if (!answer.isFinished)
      throw modelCallError({ model: this.model }, 'the stream ended before the model was done.', 'connection')
  }

  private request(messages: readonly ChatMessage[], options: CallOptions) {
    const { specificationVersion } = this.model
    return callOptions(messages, { ...this.defaults, ...options }, { specificationVersion, tools: this.providerTools })
  }

  /** Errors arrive as parts of a stream. */
  private throwErrorPart({ type, error }: AiSdkPart, options: CallOptions): void {
    if (type !== 'error') return
    options.signal?.throwIfAborted()
    const known = this.errorOf(error, options)
    if (known instanceof Error) throw known
    const message = typeof error === 'string' ? error : JSON.stringify(error)
    throw modelCallError({ model: this.model, headers: options.headers }, message, 'overloaded', error)
  }

  private errorOf(error: unknown, { headers = this.defaults.headers }: CallOptions): unknown {
    return modelError({ model: this.model, headers }, error)
  }

  /** Returns the result of `work`; an abort rejects with the reason of the signal. */
  private async explained<T>(options: CallOptions, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      options.signal?.throwIfAborted()
      throw this.errorOf(error, options)
    }
  }
}
