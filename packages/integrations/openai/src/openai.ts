/**
 * @module
 * Chat models behind the OpenAI interface.
 */
import { checkOptions, choice, flag, numberFrom, type OptionCheck, text, wholeNumber } from '@x/core/options'
import { type CallOptions, type ChatMessage, LLMMetadata } from '@x/core-model'
import { type LLMOptions, ProviderLLM } from '@x/llm'
import { ChatReader, hasMessage } from './chat-answer.ts'
import { type ChatRequestSettings, chatRequest } from './chat-request.ts'
import { type Json, ModelServer, type ModelServerOptions } from './model-server.ts'

/** Options of {@link OpenAI}. */
export interface OpenAIOptions extends LLMOptions, ModelServerOptions {
  /** The name of the model on the server. */
  model: string
  /** The maximum number of tokens of request and answer together. @defaultValue unknown, so that nothing is left out */
  contextWindow?: number | null | undefined
  /** The maximum number of tokens of an answer, unless a call overrides it. @defaultValue that of the server */
  maxTokens?: number | undefined
  /** The sampling temperature, at least 0, unless a call overrides it. @defaultValue that of the server */
  temperature?: number | undefined
  /** Whether the model calls tools natively. @defaultValue true */
  isFunctionCallingModel?: boolean | undefined
  /** The name of the provider in events and traces, such as `groq`. @defaultValue 'openai' at api.openai.com, else unknown */
  provider?: string | null | undefined
  /** Whether streams report usage; set it to false for servers that refuse `stream_options`. @defaultValue true */
  streamUsage?: boolean | undefined
  /** The server's name for `maxTokens`. @defaultValue 'max_completion_tokens' at api.openai.com, else 'max_tokens' */
  maxTokensName?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Further fields of every request, under the names of the server. */
  body?: Readonly<Record<string, unknown>> | undefined
}

const openAIOptions: Readonly<Record<string, OptionCheck>> = {
  model: text,
  contextWindow: wholeNumber(1, 'or null'),
  maxTokens: wholeNumber(1),
  temperature: numberFrom(0),
  isFunctionCallingModel: flag,
  streamUsage: flag,
  maxTokensName: choice('max_tokens', 'max_completion_tokens'),
  provider: text,
}

/**
 * A chat model behind the OpenAI interface (`POST /chat/completions`): OpenAI, Azure, Ollama, llama.cpp, vLLM, OpenRouter and others.
 *
 * One call is one request; wrap it in `withRetry` for retries and time limits. Errors are `ModelCallError`s, also in the middle of a
 * stream. A refusal of the model has the finish reason `content_filter`.
 * @example
 * const llm = new OpenAI({ baseUrl: 'http://localhost:11434/v1', model: 'qwen3' })
 * llm.metadata.modelName // => 'qwen3'
 */
export class OpenAI extends ProviderLLM<Json> {
  static override className(): string {
    return 'openai_llm'
  }

  readonly metadata: LLMMetadata
  private readonly server: ModelServer
  private readonly settings: ChatRequestSettings
  private readonly streamUsage: boolean

  constructor(options: OpenAIOptions) {
    const [server, others] = ModelServer.of(options)
    const {
      model,
      contextWindow = null,
      maxTokens,
      temperature,
      isFunctionCallingModel = true,
      provider,
      streamUsage = true,
      maxTokensName,
      body,
      ...fields
    } = others
    super(fields)
    checkOptions(
      'OpenAI',
      { model, contextWindow, maxTokens, temperature, isFunctionCallingModel, streamUsage, maxTokensName, provider },
      openAIOptions,
    )
    this.server = server
    this.streamUsage = streamUsage
    const isOpenAI = server.hostname === 'api.openai.com'
    const name = maxTokensName ?? (isOpenAI ? 'max_completion_tokens' : 'max_tokens')
    this.settings = {
      model,
      maxTokensName: name,
      body: {
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { [name]: maxTokens }),
        ...body,
      },
    }
    this.metadata = new LLMMetadata({
      modelName: model,
      provider: provider ?? (isOpenAI ? 'openai' : null),
      contextWindow,
      isChatModel: true,
      isFunctionCallingModel,
      ...(maxTokens !== undefined && { numOutput: maxTokens }),
    })
  }

  protected override async *pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean) {
    const { server, streamUsage } = this
    const body = chatRequest(messages, options, this.settings)
    if (isStream) {
      const usage = streamUsage && { stream_options: { include_usage: true } }
      yield* server.events('/chat/completions', { ...body, stream: true, ...usage }, options)
      return
    }
    const data = await server.json('/chat/completions', body, options)
    if (!hasMessage(data)) throw server.error('the answer contains no message', 'bad_response')
    yield data
  }

  protected override newReader(): ChatReader {
    return new ChatReader()
  }
}
