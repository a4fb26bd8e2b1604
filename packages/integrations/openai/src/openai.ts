/**
 * @module
 * Chat models behind the OpenAI interface.
 */
import { choice, flag, type OptionTable } from '@x/core/options'
import type { CallOptions, ChatMessage } from '@x/core-model'
import { type AnswerReader, checkModelOptions, LLM, type LLMOptions } from '@x/llm'
import type { ServerData } from '@x/llm/server'
import { ChatReader, isAnswerPiece } from './chat-answer.ts'
import { messageBodies } from './chat-request.ts'
import { modelOptions, OpenAIModel, type OpenAIModelOptions } from './openai-model.ts'
import { formatBody, furtherOptions } from './request-parts.ts'

/** Options of {@link OpenAI}. */
export interface OpenAIOptions extends OpenAIModelOptions {
  /** Whether streams report usage; set it to false for servers that refuse `stream_options`. @defaultValue true */
  streamUsage?: boolean | undefined
  /** The server's name for `maxTokens`. @defaultValue 'max_completion_tokens' at api.openai.com, else 'max_tokens' */
  maxTokensName?: 'max_tokens' | 'max_completion_tokens' | undefined
}

const openAIOptions: OptionTable<Omit<OpenAIOptions, keyof LLMOptions>> = {
  ...modelOptions,
  streamUsage: flag,
  maxTokensName: choice('max_tokens', 'max_completion_tokens'),
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
export class OpenAI extends OpenAIModel {
  static override className(): string {
    return 'openai_llm'
  }

  /** @internal */
  protected readonly place = { path: '/chat/completions', content: 'message' }
  private readonly streamUsage: boolean

  constructor(options: OpenAIOptions) {
    checkModelOptions(LLM, 'OpenAI', options, openAIOptions)
    const { streamUsage = true, maxTokensName, ...others } = options
    super('OpenAI', others, maxTokensName)
    this.streamUsage = streamUsage
  }

  /** @internal */
  protected override request(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): ServerData {
    const { tools, toolChoice, maxTokens, responseFormat } = options
    return {
      model: this.metadata.modelName,
      messages: messageBodies(messages),
      ...this.body,
      ...(tools && tools.length > 0 && { tools, tool_choice: toolChoice }),
      ...(maxTokens !== undefined && { [this.maxTokensName]: maxTokens }),
      ...(responseFormat && { response_format: formatBody(responseFormat, (json_schema) => ({ json_schema })) }),
      ...furtherOptions(options),
      ...(isStream && { stream: true }),
      ...(isStream && this.streamUsage && { stream_options: { include_usage: true } }),
    }
  }

  /** @internal */
  protected override isAnswer(answer: ServerData): boolean {
    return isAnswerPiece(answer)
  }

  protected override newReader(): AnswerReader<ServerData> {
    return new ChatReader()
  }
}
