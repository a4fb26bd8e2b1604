/**
 * @module
 * Chat models behind OpenAI's Responses interface.
 */
import { list, type OptionTable } from '@x/core/options'
import type { CallOptions, ChatMessage } from '@x/core-model'
import { type AnswerReader, checkModelOptions, LLM, type LLMOptions } from '@x/llm'
import type { ServerData } from '@x/llm/server'
import { modelOptions, OpenAIModel, type OpenAIModelOptions } from './openai-model.ts'
import { formatBody, furtherOptions } from './request-parts.ts'
import { ResponsesReader } from './responses-answer.ts'
import { choiceBody, itemsOf, toolBody } from './responses-request.ts'
import { object } from './values.ts'

/** Options of {@link OpenAIResponses}. */
export interface OpenAIResponsesOptions extends OpenAIModelOptions {
  /** Tools that the provider runs, in its form, such as `{ type: 'web_search' }`. @defaultValue none */
  providerTools?: readonly Readonly<Record<string, unknown>>[] | undefined
}

const responsesOptions: OptionTable<Omit<OpenAIResponsesOptions, keyof LLMOptions>> = {
  ...modelOptions,
  providerTools: list,
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
export class OpenAIResponses extends OpenAIModel {
  static override className(): string {
    return 'openai_responses_llm'
  }

  /** @internal */
  protected readonly place = { path: '/responses', content: 'output' }
  private readonly providerTools: readonly ServerData[]

  constructor(options: OpenAIResponsesOptions) {
    checkModelOptions(LLM, 'OpenAIResponses', options, responsesOptions)
    const { providerTools = [], ...others } = options
    super('OpenAIResponses', others, 'max_output_tokens')
    this.providerTools = providerTools
  }

  /** @internal */
  protected override request(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): ServerData {
    const { tools = [], toolChoice, maxTokens, responseFormat } = options
    const { body } = this
    const allTools = [...tools.map(toolBody), ...this.providerTools]
    // Without `strict` the server would refuse schemas with optional properties.
    const format = responseFormat && formatBody(responseFormat, ({ strict = false, ...own }) => ({ ...own, strict }))
    return {
      model: this.metadata.modelName,
      input: messages.flatMap(itemsOf),
      ...body,
      ...(allTools.length > 0 && { tools: allTools }),
      ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: choiceBody(toolChoice) }),
      ...(maxTokens !== undefined && { [this.maxTokensName]: maxTokens }),
      ...(format && { text: { ...object(body['text']), format } }),
      ...furtherOptions(options),
      ...(isStream && { stream: true }),
    }
  }

  /** @internal */
  protected override isAnswer({ output, type }: ServerData): boolean {
    return Array.isArray(output) || typeof type === 'string'
  }

  protected override newReader(): AnswerReader<ServerData> {
    return new ResponsesReader()
  }
}
