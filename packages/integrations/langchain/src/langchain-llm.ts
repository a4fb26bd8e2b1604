/**
 * @module
 * The chat models of LangChain as models of `@x`.
 */
import { type CallOptions, ChatMessage, ChatResponse, LLMMetadata, type ResponseFormat } from '@x/core-model'
import { ChatLLM, type LLMOptions, ModelCallError } from '@x/llm'
import { Answer, responseOf } from './answer.ts'
import { modelError } from './langchain-error.ts'
import type { LangChainChatModel, LangChainMessage, LangChainRunnableModel } from './langchain-types.ts'
import { langChainMessage } from './messages.ts'

/** Options of {@link LangChainLLM}. */
export interface LangChainLLMOptions extends LLMOptions {
  /** A chat model of LangChain. */
  model: LangChainChatModel
  /**
   * The maximum number of tokens of request and answer together; null if it is unknown.
   * @defaultValue `maxInputTokens` of the model's profile, else unknown, so that nothing is left out
   */
  contextWindow?: number | null | undefined
  /** Whether the model calls tools natively. @defaultValue whether it has `bindTools` */
  isFunctionCallingModel?: boolean | undefined
}

/** Options that are not call options of LangChain. */
const outside: readonly string[] = ['tools', 'toolChoice', 'responseFormat', 'parentId', 'timeoutMs']

/**
 * A chat model of LangChain as a model of `@x`.
 *
 * Models of LangChain repeat failed requests themselves, up to six times: create them with `maxRetries: 0` if `withRetry` does that.
 * Their errors become `ModelCallError`s. `providerOptions.langchain` and options that are not named in {@link CallOptions} are passed
 * as call options of LangChain. Content blocks other than text, such as signed reasoning, go back with the conversation as they came.
 * @example
 * import { FakeListChatModel } from '@langchain/core/utils/testing'
 *
 * const llm = new LangChainLLM({ model: new FakeListChatModel({ responses: ['Paris'] }) })
 * String(await llm.chat([new ChatMessage({ content: 'Capital of France?' })])) // => 'Paris'
 */
export class LangChainLLM extends ChatLLM {
  static override className(): string {
    return 'LangChainLLM'
  }

  readonly metadata: LLMMetadata
  readonly model: LangChainChatModel

  constructor(options: LangChainLLMOptions) {
    const { model, contextWindow, isFunctionCallingModel = Boolean(model.bindTools), ...fields } = options
    super(fields)
    this.model = model
    this.metadata = new LLMMetadata({
      modelName: modelName(model),
      provider: model._llmType?.() ?? null,
      contextWindow: contextWindow === undefined ? profileWindow(model) : contextWindow,
      isChatModel: true,
      isFunctionCallingModel,
    })
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const { signal, responseFormat } = options
    try {
      if (responseFormat?.type === 'json') return await this.structured(messages, responseFormat, options)
      return responseOf(await this.bound(options).invoke(messages.map(langChainMessage), this.callConfig(options)))
    } catch (error) {
      throw this.explained(error, signal)
    }
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    if (options.responseFormat?.type === 'json') {
      // LangChain streams parsed values, not their text.
      const whole = await this.chatRequest(messages, options)
      yield new ChatResponse({ ...whole, delta: String(whole) })
      return
    }
    const { signal } = options
    const start = () => this.bound(options).stream(messages.map(langChainMessage), this.callConfig(options))
    const answer = new Answer()
    try {
      for await (const piece of await start()) {
        answer.add(piece)
        yield answer.response({ stream: true })
      }
      // LangChain ends an aborted stream without an error.
      signal?.throwIfAborted()
    } catch (error) {
      throw this.explained(error, signal)
    }
  }

  /** The model with the tools of a call. */
  private bound({ tools, toolChoice }: CallOptions): LangChainRunnableModel {
    if (!tools?.length) return this.model
    if (!this.model.bindTools) throw this.refused('it has no bindTools')
    const choice = typeof toolChoice === 'object' ? toolChoice.function.name : toolChoice
    // LangChain's name for "at least one tool".
    const tool_choice = choice === 'required' ? 'any' : choice
    return this.model.bindTools(tools as unknown as never[], tool_choice === undefined ? {} : { tool_choice })
  }

  /** Returns the answer as JSON with a schema, by the method that the model supports. */
  private async structured(
    messages: readonly ChatMessage[],
    { schema, name = 'answer', strict }: ResponseFormat & { type: 'json' },
    options: CallOptions,
  ): Promise<ChatResponse> {
    if (!schema) throw this.refused('responseFormat needs a schema')
    if (options.tools?.length) throw this.refused('responseFormat and tools exclude each other')
    if (!this.model.withStructuredOutput) throw this.refused('it has no withStructuredOutput')
    const how = { name, strict, includeRaw: true }
    const runnable = this.model.withStructuredOutput(schema as never, how as never) as LangChainRunnableModel
    const result: unknown = await runnable.invoke(messages.map(langChainMessage), this.callConfig(options))
    const { raw, parsed } = result as { raw: LangChainMessage; parsed: unknown }
    const response = responseOf(raw)
    if (parsed === null || parsed === undefined) return response
    const { reasoning } = response.message.additionalKwargs
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: JSON.stringify(parsed),
        additionalKwargs: reasoning === undefined ? {} : { reasoning },
      }),
      // A model that answers by a tool call has the finish reason `tool_calls`.
      additionalKwargs: { ...response.additionalKwargs, finish_reason: 'stop' },
    })
  }

  private callConfig(options: CallOptions): object {
    const { signal, stop, providerOptions, temperature, maxTokens, headers, ...rest } = options
    if ((temperature ?? maxTokens ?? headers) !== undefined)
      throw this.refused('temperature, maxTokens and headers belong in the constructor of the model of LangChain')
    const others = Object.entries(rest).filter(([name]) => !outside.includes(name))
    return { ...Object.fromEntries(others), ...providerOptions?.['langchain'], signal, stop: stop && [...stop] }
  }

  private refused(why: string): ModelCallError {
    return new ModelCallError(`${this.metadata.modelName}: ${why}.`, { kind: 'bad_request' })
  }

  /** Returns the reason of an abort, or the error as a model call error. */
  private explained(error: unknown, signal: AbortSignal | undefined): unknown {
    return signal?.aborted ? signal.reason : modelError(this.metadata.modelName, this.model, error)
  }
}

function modelName(model: LangChainChatModel): string {
  for (const key of ['model', 'modelName']) {
    const name: unknown = Reflect.get(model, key)
    if (typeof name === 'string' && name !== '') return name
  }
  return model._llmType?.() ?? 'langchain'
}

function profileWindow({ profile }: LangChainChatModel): number | null {
  const window = (profile as { maxInputTokens?: unknown } | undefined)?.maxInputTokens
  return typeof window === 'number' && window > 0 ? window : null
}
