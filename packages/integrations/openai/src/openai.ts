/**
 * @module
 * Chat models behind the OpenAI interface.
 */
import { choice, flag } from '@x/core/options'
import type { CallOptions, ChatMessage, LLMMetadata } from '@x/core-model'
import { type AnswerReader, ProviderLLM } from '@x/llm'
import type { ModelServer, ServerData } from '@x/llm/server'
import { ChatReader, isAnswerPiece } from './chat-answer.ts'
import { type ChatRequestSettings, chatRequest } from './chat-request.ts'
import { checkModel, type OpenAIModelOptions, openModel } from './model-options.ts'

/** Options of {@link OpenAI}. */
export interface OpenAIOptions extends OpenAIModelOptions {
  /** Whether streams report usage; set it to false for servers that refuse `stream_options`. @defaultValue true */
  streamUsage?: boolean | undefined
  /** The server's name for `maxTokens`. @defaultValue 'max_completion_tokens' at api.openai.com, else 'max_tokens' */
  maxTokensName?: 'max_tokens' | 'max_completion_tokens' | undefined
}

const openAIOptions = { streamUsage: flag, maxTokensName: choice('max_tokens', 'max_completion_tokens') }

/**
 * A chat model behind the OpenAI interface (`POST /chat/completions`): OpenAI, Azure, Ollama, llama.cpp, vLLM, OpenRouter and others.
 *
 * One call is one request; wrap it in `withRetry` for retries and time limits. Errors are `ModelCallError`s, also in the middle of a
 * stream. A refusal of the model has the finish reason `content_filter`.
 * @example
 * const llm = new OpenAI({ baseUrl: 'http://localhost:11434/v1', model: 'qwen3' })
 * llm.metadata.modelName // => 'qwen3'
 */
export class OpenAI extends ProviderLLM<ServerData> {
  static override className(): string {
    return 'openai_llm'
  }

  readonly metadata: LLMMetadata
  private readonly server: ModelServer
  private readonly settings: ChatRequestSettings
  private readonly streamUsage: boolean

  constructor(options: OpenAIOptions) {
    checkModel('OpenAI', options, openAIOptions)
    const { streamUsage = true, maxTokensName, ...others } = options
    const opened = openModel('OpenAI', others)
    super(opened.fields)
    const { server, metadata, isOpenAI, maxTokens, body, given } = opened
    this.server = server
    this.metadata = metadata
    this.streamUsage = streamUsage
    const name = maxTokensName ?? (isOpenAI ? 'max_completion_tokens' : 'max_tokens')
    this.settings = {
      model: metadata.modelName,
      maxTokensName: name,
      body: { ...body, ...(maxTokens !== undefined && { [name]: maxTokens }), ...given },
    }
  }

  override get endpoint() {
    return this.server.endpoint
  }

  protected override async *pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean) {
    const { server, streamUsage } = this
    const stream = isStream && {
      stream: true,
      ...(streamUsage && { stream_options: { include_usage: true } }),
    }
    const body = { ...chatRequest(messages, options, this.settings), ...stream }
    let isAnswer = isStream
    for await (const piece of server.events('/chat/completions', body, options)) {
      isAnswer ||= piece !== null && isAnswerPiece(piece)
      yield piece
    }
    if (!isAnswer) throw server.error('the answer contains no message', 'bad_response')
  }

  protected override newReader(): AnswerReader<ServerData> {
    return new ChatReader()
  }
}
