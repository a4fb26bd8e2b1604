/**
 * @module
 * What the chat models of both interfaces share.
 */
import { flag, numberFrom, type OptionTable, required, text, unchecked, wholeNumber } from '@x/core/options'
import { type CallOptions, type ChatMessage, LLMMetadata } from '@x/core-model'
import { type LLMOptions, ProviderLLM, type ProviderLLMOptions, providerOptions } from '@x/llm'
import type { ServerData } from '@x/llm/server'
import { ModelServer, type ModelServerOptions, serverOptions } from '@x/llm/server'

/** Options of {@link OpenAI} and {@link OpenAIResponses}. */
export interface OpenAIModelOptions extends ProviderLLMOptions, ModelServerOptions {
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
  /** The name of the provider in events and traces, such as `groq`. @defaultValue the provider of a known host, else the host */
  provider?: string | null | undefined
  /** Further fields of every request, under the names of the server. */
  body?: Readonly<Record<string, unknown>> | undefined
}

/** The address of OpenAI itself. */
export const OPENAI = 'https://api.openai.com/v1'

/** What other libraries call the options. */
export const otherNames = {
  apiBase: 'baseUrl',
  api_base: 'baseUrl',
  endpoint: 'baseUrl',
  host: 'baseUrl',
  token: 'apiKey',
  additionalKwargs: 'body',
  // No option: `withRetry` wraps a model.
  maxRetries: 'withRetry',
}

const modelOtherNames = {
  ...otherNames,
  timeout: 'idleMs',
  topP: 'body',
  top_p: 'body',
  seed: 'body',
  stop: 'body',
  frequencyPenalty: 'body',
  presencePenalty: 'body',
  reasoning: 'body',
  reasoningEffort: 'body',
  modelKwargs: 'body',
  organization: 'headers',
}

/** Checks of these options. */
export const modelOptions: OptionTable<Omit<OpenAIModelOptions, keyof LLMOptions>> = {
  ...modelOtherNames,
  model: required((value) => (typeof value === 'string' && value !== '' ? undefined : 'the name of a model')),
  contextWindow: wholeNumber(1, 'or null'),
  maxTokens: wholeNumber(1),
  temperature: numberFrom(0),
  isFunctionCallingModel: flag,
  provider: text,
  body: unchecked,
  ...providerOptions,
  ...serverOptions,
}

/** A chat model behind one of the two interfaces. */
export abstract class OpenAIModel extends ProviderLLM<ServerData> {
  readonly metadata: LLMMetadata
  /** @internal */
  protected readonly server: ModelServer
  /** The server's name for `maxTokens`. @internal */
  protected readonly maxTokensName: string
  /** The content of every request, under the names of the server. @internal */
  protected readonly body: ServerData
  /** Where the answer to a request is, for its address and its errors. @internal */
  protected abstract readonly place: { path: string; content: string }

  /** @param maxTokensName - the server's name for `maxTokens`. @defaultValue that of OpenAI's chat requests, or of other servers */
  constructor(title: string, options: OpenAIModelOptions, maxTokensName: string | undefined) {
    const [server, others] = ModelServer.of(options, { title, baseUrl: OPENAI })
    const {
      model: modelName,
      contextWindow = null,
      maxTokens,
      temperature,
      isFunctionCallingModel = true,
      provider = providerOf(server),
      body,
      ...fields
    } = others
    super(fields)
    this.server = server
    this.maxTokensName =
      maxTokensName ?? (server.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens')
    this.body = { temperature, [this.maxTokensName]: maxTokens, ...body }
    this.metadata = new LLMMetadata({
      modelName,
      provider,
      contextWindow,
      isChatModel: true,
      isFunctionCallingModel,
      numOutput: maxTokens,
    })
  }

  override get endpoint() {
    return this.server.endpoint
  }

  /** Returns the body of a request. @internal */
  protected abstract request(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): ServerData

  /** Whether a whole answer contains what was asked for. @internal */
  protected abstract isAnswer(answer: ServerData): boolean

  protected override async *pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean) {
    const { server, place } = this
    let isAnswer = isStream
    for await (const piece of server.events(place.path, this.request(messages, options, isStream), options)) {
      isAnswer ||= piece !== null && this.isAnswer(piece)
      yield piece
    }
    if (!isAnswer) throw server.error(`the answer contains no ${place.content}`, 'bad_response')
  }
}

/** The names of providers in the conventions of OpenTelemetry, by a part of their hosts. */
const providers: Readonly<Record<string, string>> = {
  'api.openai.com': 'openai',
  'openai.azure.com': 'azure.ai.openai',
  'services.ai.azure.com': 'azure.ai.inference',
  'openrouter.ai': 'openrouter',
  'api.groq.com': 'groq',
  'api.deepseek.com': 'deepseek',
  'api.mistral.ai': 'mistral_ai',
  'api.x.ai': 'x_ai',
  'api.perplexity.ai': 'perplexity',
  'generativelanguage.googleapis.com': 'gcp.gemini',
}

/** Ollama listens on this port. */
const OLLAMA = '11434'

/** Returns the name of the provider of a server: its host if the conventions have none. */
export function providerOf({ hostname, port }: ModelServer): string {
  if (port === OLLAMA) return 'ollama'
  const known = Object.keys(providers).find((host) => hostname === host || hostname.endsWith(`.${host}`))
  return known === undefined ? hostname : providers[known]!
}
