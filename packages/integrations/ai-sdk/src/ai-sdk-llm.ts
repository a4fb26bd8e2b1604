/**
 * @module
 * Adapts language models of the AI SDK to `LLM` of `@x/llm`.
 */
import { dict, flag, type OptionTable, required, unchecked, wholeNumber } from '@x/core/options'
import { type CallOptions, type ChatMessage, LLMMetadata } from '@x/core-model'
import {
  type AnswerReader,
  checkModelOptions,
  LLM,
  type LLMOptions,
  type ModelErrorFacts,
  ProviderLLM,
  type ProviderLLMOptions,
  providerOptions,
} from '@x/llm'
import { AiSdkReader } from './answer.ts'
import { errorFacts } from './model-error.ts'
import type { AiSdkLanguageModel, AiSdkPart, AiSdkProviderTool } from './model-types.ts'
import { callOptions } from './prompt.ts'

/** Options of {@link AiSdkLLM}. */
export interface AiSdkLLMOptions extends ProviderLLMOptions {
  /** A language model of the AI SDK, of specification v2, v3 or v4. */
  model: AiSdkLanguageModel
  /** The maximum number of tokens of request and answer together. @defaultValue unknown, so that nothing is left out */
  contextWindow?: number | null | undefined
  /** Whether the model calls tools natively. @defaultValue true */
  isFunctionCallingModel?: boolean | undefined
  /**
   * Tools that the provider runs, such as web search, by the names that the model uses: what `anthropic.tools.webSearch_20250305()`
   * returns.
   */
  providerTools?: Readonly<Record<string, AiSdkProviderTool>> | undefined
  /** Options of every call that does not override them, such as `temperature`, `maxTokens` and `providerOptions`. */
  modelOptions?: CallOptions | undefined
}

const llmOptions: OptionTable<Omit<AiSdkLLMOptions, keyof LLMOptions>> = {
  model: required('a language model of the AI SDK', 'doGenerate'),
  contextWindow: wholeNumber(1, 'or null'),
  isFunctionCallingModel: flag,
  providerTools: unchecked,
  modelOptions: dict,
  ...providerOptions,
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
    const { stream } = await model.doStream({ ...request, includeRawChunks: true })
    const reader = stream.getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
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

  protected override errorFacts(error: unknown, { headers = this.defaults.headers }: CallOptions): ModelErrorFacts {
    return errorFacts(this.model, error, headers)
  }
}
