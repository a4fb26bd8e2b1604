/**
 * @module
 * The chat models of LangChain as models of `@x`.
 */
import { flag, type OptionTable, required, wholeNumber } from '@x/core/options'
import { type CallOptions, type ChatMessage, LLMMetadata, type ResponseFormat } from '@x/core-model'
import {
  type AnswerReader,
  checkModelOptions,
  LLM,
  type LLMOptions,
  ModelCallError,
  type ModelErrorFacts,
  ProviderLLM,
  type ProviderLLMOptions,
  providerOptions,
} from '@x/llm'
import { END, ModelServer, type ServerData } from '@x/llm/server'
import { type LangChainPiece, LangChainReader } from './answer.ts'
import { errorFacts, secretsOf } from './langchain-error.ts'
import type { LangChainChatModel, LangChainRunnableModel } from './langchain-types.ts'
import { langChainMessage } from './messages.ts'

/** Options of {@link LangChainLLM}. */
interface LangChainLLMOptions extends ProviderLLMOptions {
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

const llmOptions: OptionTable<Omit<LangChainLLMOptions, keyof LLMOptions>> = {
  model: required('a chat model of LangChain', 'invoke'),
  contextWindow: wholeNumber(1, 'or null'),
  isFunctionCallingModel: flag,
  ...providerOptions,
}

/** Options that are not call options of LangChain. */
const outside: readonly string[] = ['tools', 'toolChoice', 'responseFormat', 'parentId', 'timeoutMs']

/** Options that models of LangChain take when they are made. */
const constructed: readonly string[] = [
  'temperature',
  'topP',
  'presencePenalty',
  'frequencyPenalty',
  'maxTokens',
  'headers',
]

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
export class LangChainLLM extends ProviderLLM<LangChainPiece> {
  static override className(): string {
    return 'LangChainLLM'
  }

  readonly metadata: LLMMetadata
  readonly model: LangChainChatModel

  constructor(options: LangChainLLMOptions) {
    checkModelOptions(LLM, 'LangChainLLM', options, llmOptions)
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

  protected override async *pieces(
    messages: readonly ChatMessage[],
    options: CallOptions,
    isStream: boolean,
  ): AsyncGenerator<LangChainPiece, void, undefined> {
    const { responseFormat } = options
    const given = messages.map(langChainMessage)
    const config = this.callConfig(options)
    // LangChain streams parsed values, not their text.
    if (responseFormat?.type === 'json') yield await this.structured(responseFormat, options).invoke(given, config)
    else if (isStream) yield* await this.bound(options).stream(given, { ...config, ...streamReader(this.model) })
    else yield await this.bound(options).invoke(given, config)
    yield { endOf: isStream && responseFormat?.type !== 'json' ? 'stream' : 'answer' }
  }

  protected override newReader(): AnswerReader<LangChainPiece> {
    return new LangChainReader()
  }

  protected override errorFacts(error: unknown): ModelErrorFacts {
    return errorFacts(this.model, error)
  }

  /** The model with the tools of a call. */
  private bound({ tools, toolChoice }: CallOptions): LangChainRunnableModel {
    if (!tools?.length) return this.model
    if (!this.model.bindTools) throw this.refused('it has no bindTools')
    const choice = typeof toolChoice === 'object' ? toolChoice.function.name : toolChoice
    // LangChain's name for "at least one tool".
    const tool_choice = choice === 'required' ? 'any' : choice
    // Models of LangChain leave the default out.
    const isDefault = choice === undefined || choice === 'auto'
    return this.model.bindTools(tools as unknown as never[], isDefault ? {} : { tool_choice })
  }

  /** The model that answers with JSON of a schema, by the method that it supports. */
  private structured(
    { schema, name = 'answer', strict }: ResponseFormat & { type: 'json' },
    { tools }: CallOptions,
  ): { invoke(messages: unknown, config: object): Promise<LangChainPiece> } {
    if (!schema) throw this.refused('responseFormat needs a schema')
    if (tools?.length) throw this.refused('responseFormat and tools exclude each other')
    if (!this.model.withStructuredOutput) throw this.refused('it has no withStructuredOutput')
    const how = { name, strict, includeRaw: true }
    return this.model.withStructuredOutput(schema as never, how as never) as never
  }

  private callConfig(options: CallOptions): object {
    const { signal, stop, providerOptions, ...rest } = options
    const refused = constructed.filter((name) => options[name] !== undefined)
    if (refused.length > 0)
      throw this.refused(`${refused.join(', ')}: expected in the constructor of the model of LangChain`)
    const others = Object.entries(rest).filter(([name]) => !outside.includes(name))
    return { ...Object.fromEntries(others), ...providerOptions?.['langchain'], signal, stop: stop && [...stop] }
  }

  private refused(why: string): ModelCallError {
    return new ModelCallError(`${this.metadata.modelName}: ${why}.`, { kind: 'bad_request' })
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

/** Returns the option of a call with which the model's client reads streams here; none for models with another client. */
function streamReader(model: object): { __streamClass?: object } {
  if (!('clientConfig' in model)) return {}
  const fromSSEResponse = (response: Response, controller: AbortController) => chunksOf(model, response, controller)
  return { __streamClass: { fromSSEResponse } }
}

const ended: ServerData = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

async function* chunksOf(
  model: object,
  response: Response,
  controller: AbortController,
): AsyncGenerator<ServerData, void, undefined> {
  const baseUrl = response.url || 'http://localhost'
  const [server] = ModelServer.of({}, { title: 'LangChainLLM', baseUrl })
  const reasons: unknown[] = []
  let isRefused = false
  try {
    for await (const data of server.objectsIn({ response, secrets: secretsOf(model) })) {
      const choices = Array.isArray(data?.['choices']) ? (data['choices'] as ServerData[]) : []
      reasons.push(...choices.map((choice) => choice['finish_reason']))
      isRefused ||= choices.some((choice) => Boolean(Object(choice['delta']).refusal))
      const isOpen = reasons.length > 0 && !reasons.some(Boolean)
      if (data === END && isOpen) yield ended
      else if (data && data !== END)
        yield {
          ...data,
          ...(choices.length > 0 && { choices: choices.map((choice) => withDelta(choice, isRefused)) }),
          // Moonshot reports the usage in the choice, Groq in a field of its own.
          usage: data['usage'] ?? choices[0]?.['usage'] ?? Object(data['x_groq']).usage,
        }
    }
  } finally {
    // Closes the connection when the reader leaves early.
    controller.abort()
  }
}

/** Returns a choice in the form that LangChain reads: a delta with a role, a text, which may be a refusal, and calls. */
function withDelta(choice: ServerData, isRefused: boolean): ServerData {
  const given = Object(choice['delta'] ?? choice['message']) as ServerData
  const { content, refusal, function_call: call, tool_calls: calls } = given
  const texts = [content, refusal].flat().map((part) => Object(part).text ?? part) as unknown[]
  return {
    ...choice,
    ...(isRefused && choice['finish_reason'] ? { finish_reason: 'content_filter' } : {}),
    delta: {
      ...given,
      reasoning_content: given['reasoning_content'] || given['reasoning'],
      role: given['role'] ?? 'assistant',
      content: texts.filter((text) => typeof text === 'string').join(''),
      ...(Array.isArray(calls) && { tool_calls: calls.filter(Boolean) }),
      ...(Object(call) === call && { tool_calls: [{ index: 0, function: call }] }),
    },
  }
}
