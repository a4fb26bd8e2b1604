/**
 * @module
 * Chat models behind OpenAI's Responses interface.
 */
import { list } from '@x/core/options'
import type { CallOptions, ChatMessage, LLMMetadata } from '@x/core-model'
import { type AnswerReader, ProviderLLM } from '@x/llm'
import type { ModelServer, ServerData } from '@x/llm/server'
import { checkModel, type OpenAIModelOptions, openModel } from './model-options.ts'
import { ResponsesReader } from './responses-answer.ts'
import { responsesRequest } from './responses-request.ts'
import type { Json } from './values.ts'

/** Options of {@link OpenAIResponses}. */
export interface OpenAIResponsesOptions extends OpenAIModelOptions {
  /** Tools that the provider runs, in its form, such as `{ type: 'web_search' }`. @defaultValue none */
  providerTools?: readonly Readonly<Record<string, unknown>>[] | undefined
}

/**
 * A chat model behind OpenAI's Responses interface (`POST /responses`): models that think between their calls, and tools that the provider
 * runs.
 *
 * The items of an answer go back to the server as they came. With `body: { store: false, include: ['reasoning.encrypted_content'] }` the
 * server keeps nothing. One call is one request; wrap it in `withRetry` for retries and time limits. Errors are `ModelCallError`s, also in
 * the middle of a stream. A refusal of the model has the finish reason `content_filter`.
 * @see https://platform.openai.com/docs/api-reference/responses
 * @example
 * const llm = new OpenAIResponses({ model: 'gpt-5', body: { reasoning: { effort: 'low' } } })
 * llm.metadata.provider // => 'openai'
 */
export class OpenAIResponses extends ProviderLLM<ServerData> {
  static override className(): string {
    return 'openai_responses_llm'
  }

  readonly metadata: LLMMetadata
  private readonly server: ModelServer
  private readonly body: Json
  private readonly providerTools: readonly Json[]

  constructor(options: OpenAIResponsesOptions) {
    checkModel('OpenAIResponses', options, { providerTools: list })
    const { providerTools = [], ...others } = options
    const opened = openModel('OpenAIResponses', others)
    super(opened.fields)
    const { server, metadata, maxTokens, body, given } = opened
    this.server = server
    this.metadata = metadata
    this.body = { ...body, ...(maxTokens !== undefined && { max_output_tokens: maxTokens }), ...given }
    this.providerTools = providerTools
  }

  override get endpoint() {
    return this.server.endpoint
  }

  protected override async *pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean) {
    const { server, metadata, body, providerTools } = this
    const request = responsesRequest(messages, options, { model: metadata.modelName, body, providerTools })
    const stream = isStream && { stream: true }
    let isAnswer = isStream
    for await (const piece of server.events('/responses', { ...request, ...stream }, options)) {
      isAnswer ||= Array.isArray(piece?.['output']) || typeof piece?.['type'] === 'string'
      yield piece
    }
    if (!isAnswer) throw server.error('the answer contains no output', 'bad_response')
  }

  protected override newReader(): AnswerReader<ServerData> {
    return new ResponsesReader()
  }
}
