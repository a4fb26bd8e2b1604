/**
 * @module
 * Adapts language models of the AI SDK to `LLM` of `@x/llm`.
 */
import { flag, type OptionTable, required, unchecked, wholeNumber } from '@x/core/options'
import { type CallOptions, type ChatMessage, LLMMetadata } from '@x/core-model'
import { type AnswerReader, checkModelOptions, LLM, type LLMOptions, ProviderLLM } from '@x/llm'
import { AiSdkReader } from './answer.ts'
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

const llmOptions: OptionTable<Omit<AiSdkLLMOptions, keyof LLMOptions>> = {
  model: required('a language model of the AI SDK', 'doGenerate'),
  contextWindow: wholeNumber(1, 'or null'),
  isFunctionCallingModel: flag,
  providerTools: unchecked,
  modelOptions: unchecked,
}

/**
 * A language model of the AI SDK, so of any of its providers, as a model of `@x`.
 *
 * One call is one request; wrap it in `withRetry` for retries and time limits. Errors of the AI SDK become `ModelCallError`s.
 * The parts of an answer go back to the provider in their order and with their metadata, also calls of tools that it runs itself.
 * Message data in `additionalKwargs.provider_options` is sent as the message's provider options, such as for prompt caching.
 */
export class AiSdkLLM extends ProviderLLM<AiSdkPart> {
  static override className(): string {
    return 'AiSdkLLM'
  }

  readonly metadata: LLMMetadata
  readonly model: AiSdkLanguageModel
  private readonly defaults: CallOptions
  private readonly providerTools: Readonly<Record<string, AiSdkProviderTool>>

  constructor(options: AiSdkLLMOptions) {
    checkModelOptions(LLM, 'AiSdkLLM', options, llmOptions)
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

  protected override async *pieces(
    messages: readonly ChatMessage[],
    options: CallOptions,
    isStream: boolean,
  ): AsyncGenerator<AiSdkPart, void, undefined> {
    const { model } = this
    const { specificationVersion } = model
    const given = { specificationVersion, tools: this.providerTools }
    const request = callOptions(messages, { ...this.defaults, ...options }, given)
    if (!isStream) {
      const { content, finishReason, usage } = await model.doGenerate(request)
      yield* content
      yield { type: 'finish', finishReason, usage }
      return
    }
    const { stream } = await model.doStream(request)
    const reader = stream.getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        this.throwErrorPart(next.value, options)
        yield next.value
      }
    } finally {
      // Stops the model when the reader leaves early.
      reader.cancel().catch(() => {})
    }
  }

  protected override newReader(): AnswerReader<AiSdkPart> {
    return new AiSdkReader()
  }

  protected override errorOf(error: unknown, { headers = this.defaults.headers }: CallOptions): unknown {
    return modelError({ model: this.model, headers }, error)
  }

  /** Errors arrive as parts of a stream. */
  private throwErrorPart({ type, error }: AiSdkPart, options: CallOptions): void {
    if (type !== 'error') return
    const known = this.errorOf(error, options)
    if (known instanceof Error) throw known
    const message = typeof error === 'string' ? error : JSON.stringify(error)
    throw modelCallError({ model: this.model, headers: options.headers }, message, 'overloaded', error)
  }
}
