/**
 * @module
 * The options that the chat models of both interfaces share.
 */
import { flag, numberFrom, type OptionTable, text, unchecked, wholeNumber } from '@x/core/options'
import { type CallOptions, LLMMetadata } from '@x/core-model'
import { checkModelOptions, LLM, type LLMOptions, type ProviderLLMOptions, providerOptions } from '@x/llm'
import { ModelServer, type ModelServerOptions, serverOptions } from '@x/llm/server'
import type { Json } from './values.ts'

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
export const otherNames = { apiBase: 'baseUrl', api_base: 'baseUrl', endpoint: 'baseUrl', token: 'apiKey' }

const checks: OptionTable<Omit<OpenAIModelOptions, keyof LLMOptions>> = {
  ...otherNames,
  model: text,
  contextWindow: wholeNumber(1, 'or null'),
  maxTokens: wholeNumber(1),
  temperature: numberFrom(0),
  isFunctionCallingModel: flag,
  provider: text,
  body: unchecked,
  ...providerOptions,
  ...serverOptions,
}

/**
 * Checks the options of a model.
 * @param own - a check for each option that only its class has.
 */
export function checkModel<Options extends OpenAIModelOptions>(
  title: string,
  options: Options,
  own: OptionTable<Omit<Options, keyof OpenAIModelOptions>>,
): void {
  checkModelOptions(LLM, title, options, { ...checks, ...own })
}

/** Returns the server of a model, its description, and the fields of its base. */
export function openModel(title: string, options: OpenAIModelOptions) {
  const [server, others] = ModelServer.of(options, { title, baseUrl: OPENAI })
  const {
    model,
    contextWindow = null,
    maxTokens,
    temperature,
    isFunctionCallingModel = true,
    provider,
    body,
    ...fields
  } = others
  const isOpenAI = server.hostname === 'api.openai.com'
  const metadata = new LLMMetadata({
    modelName: model,
    provider: provider === undefined ? providerOf(server) : provider,
    contextWindow,
    isChatModel: true,
    isFunctionCallingModel,
    ...(maxTokens !== undefined && { numOutput: maxTokens }),
  })
  return {
    server,
    isOpenAI,
    metadata,
    maxTokens,
    body: { ...(temperature !== undefined && { temperature }) },
    given: body,
    fields,
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

/** Call options that are not part of the body. */
const outside: readonly string[] = [
  ...['signal', 'parentId', 'timeoutMs', 'headers', 'providerOptions'],
  ...['tools', 'toolChoice', 'maxTokens', 'responseFormat'],
]

/** The server's names of call options. */
const ownNames: Readonly<Record<string, string>> = {
  topP: 'top_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
}

/** Returns the call options that are sent unchanged, and those for this provider. */
export function furtherOptions(options: CallOptions): Json {
  const rest = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !outside.includes(name))
    .map(([name, value]) => [ownNames[name] ?? name, value])
  return { ...Object.fromEntries(rest), ...options.providerOptions?.['openai'] }
}
