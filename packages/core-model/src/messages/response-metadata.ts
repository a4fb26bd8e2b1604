/**
 * @module
 * What a model says about its reply, the same for all providers: the tokens that it used, and the reason why it stopped.
 */
import { checkGiven } from '@x/core/options'
import { isData, type ProviderData, valueAt } from './value-at.ts'

/** The tokens of one call. */
export interface TokenUsage {
  /** Tokens of the request, those read from or written to a cache included. */
  inputTokens: number
  /** Tokens of the answer, reasoning included. */
  outputTokens: number
  /** Tokens of the request that the provider read from a cache; part of `inputTokens`. */
  cachedInputTokens: number
  /** Tokens that the model spent on reasoning; part of `outputTokens`. */
  reasoningTokens: number
  /** All tokens, as the provider counts them. */
  totalTokens: number
}

/** {@link TokenUsage} as adapters store it in `ChatResponse.additionalKwargs.usage`. */
export interface TokenUsageRecord {
  input_tokens: number
  output_tokens: number
  cached_input_tokens: number
  reasoning_tokens: number
  total_tokens: number
}

/** The names of the counts in the usage objects of providers; `a.b` for nested ones. The first one that is a number is used. */
const names = {
  input: [
    'input_tokens',
    'prompt_tokens',
    'promptTokenCount',
    'inputTokens.total',
    'inputTokens',
    'promptTokens',
    'prompt_eval_count',
  ],
  output: [
    'output_tokens',
    'completion_tokens',
    'candidatesTokenCount',
    'outputTokens.total',
    'outputTokens',
    'completionTokens',
    'eval_count',
  ],
  cached: [
    'cached_input_tokens',
    'cache_read_input_tokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'input_token_details.cache_read',
    'prompt_cache_hit_tokens',
    'cachedContentTokenCount',
    'inputTokens.cacheRead',
    'cachedInputTokens',
  ],
  reasoning: [
    'reasoning_tokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_token_details.reasoning',
    'thoughtsTokenCount',
    'outputTokens.reasoning',
    'reasoningTokens',
  ],
  total: ['total_tokens', 'totalTokenCount', 'totalTokens'],
}

/**
 * Returns the tokens of a call as the provider reported them, or null if it reported none. Reads `usage` in `additionalKwargs` or `raw`, in
 * the forms of OpenAI (chat and responses), Anthropic, Gemini, Ollama, the AI SDK and LangChain.
 * @example
 * const raw = { usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } } }
 * usageOf({ additionalKwargs: {}, raw })
 * // => { inputTokens: 10, outputTokens: 5, cachedInputTokens: 8, reasoningTokens: 0, totalTokens: 15 }
 */
export function usageOf(response: {
  readonly raw: unknown
  readonly additionalKwargs: ProviderData
}): TokenUsage | null {
  if (!response?.additionalKwargs) checkGiven('usageOf', { response }, 'a response of a model', 'additionalKwargs')
  for (const place of [response.additionalKwargs, response.raw]) {
    if (!hasKeys(place)) continue
    // Ollama reports its counts next to the message.
    for (const usage of [place['usage'], place['usage_metadata'], place['usageMetadata'], place]) {
      const found = isData(usage) ? readUsage(usage) : null
      if (found) return found
    }
  }
  return null
}

/** Whether a value has properties; most replies report nothing in one of the places. */
function hasKeys(value: unknown): value is ProviderData {
  for (const _ in value as ProviderData) return true
  return false
}

/** Returns the sum of two usages. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  }
}

/** Returns a usage in the form that adapters store. */
export function usageRecord(usage: TokenUsage): TokenUsageRecord {
  checkGiven('usageRecord', { usage }, 'usage of tokens')
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    reasoning_tokens: usage.reasoningTokens,
    total_tokens: usage.totalTokens,
  }
}

function readUsage(usage: ProviderData): TokenUsage | null {
  const input = numberAt(usage, names.input)
  const output = numberAt(usage, names.output)
  const total = numberAt(usage, names.total)
  if (input === undefined && output === undefined && total === undefined) return null
  const reasoningTokens = numberAt(usage, names.reasoning) ?? 0
  // Anthropic does not include cached tokens, read or written, in `input_tokens`.
  const cacheTokens =
    (numberAt(usage, ['cache_read_input_tokens']) ?? 0) + (numberAt(usage, ['cache_creation_input_tokens']) ?? 0)
  // Gemini does not include thoughts in the answer, or the outputs of its own tools in the prompt.
  const thoughts = numberAt(usage, ['thoughtsTokenCount']) ?? 0
  const inputTokens = (input ?? 0) + cacheTokens + (numberAt(usage, ['toolUsePromptTokenCount']) ?? 0)
  const outputTokens = (output ?? 0) + thoughts
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: numberAt(usage, names.cached) ?? 0,
    reasoningTokens,
    totalTokens: total ?? inputTokens + outputTokens,
  }
}

function numberAt(data: ProviderData, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const value = valueAt(data, path)
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  }
  return undefined
}

/**
 * The reason why a model stopped: the answer is complete, was cut at a token limit, requests tool calls, was stopped by a content filter,
 * was paused by the provider, which continues when the request is sent again with it, the provider failed, or another reason.
 */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'pause' | 'error' | 'other'

const words: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'complete', 'completed', 'load', 'unload'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded', 'model_length'],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: [
    'content_filter',
    'refusal',
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
    'error_toxic',
    'sensitive',
    'content_filtered',
    'guardrail_intervened',
  ],
  pause: ['pause', 'pause_turn'],
  error: [
    'error',
    'malformed_function_call',
    'malformed_response',
    'malformed_model_output',
    'malformed_tool_use',
    'missing_thought_signature',
    'unexpected_tool_call',
    'failed',
    'abort',
    'aborted',
    'cancelled',
    'canceled',
    'user_cancel',
    'timeout',
    'engine_error',
    'internal_error',
    'server_error',
    'network_error',
    'insufficient_system_resource',
  ],
  other: [],
}

/** Where providers write the reason, in `raw`. */
const places = [
  'choices.0.finish_reason',
  'finish_reason',
  'stop_reason',
  'candidates.0.finishReason',
  'incomplete_details.reason',
  'done_reason',
  'finishReason.unified',
  'finishReason',
]

/**
 * Returns the reason why the model stopped, or null if the response contains none.
 * Reads `finish_reason` in `additionalKwargs`, then `raw` in the forms of OpenAI, Anthropic, Gemini, Ollama and the AI SDK.
 * @example
 * finishReasonOf({ additionalKwargs: {}, raw: { stop_reason: 'max_tokens' } }) // => 'length'
 */
export function finishReasonOf(response: {
  readonly raw: unknown
  readonly additionalKwargs: ProviderData
}): FinishReason | null {
  if (!response?.additionalKwargs)
    checkGiven('finishReasonOf', { response }, 'a response of a model', 'additionalKwargs')
  const { raw, additionalKwargs } = response
  const given = additionalKwargs['finish_reason']
  if (typeof given === 'string' && given !== '') return finishReasonFrom(given)
  if (raw === null || raw === undefined) return null
  const word = places.map((path) => valueAt(raw, path)).find((value) => typeof value === 'string' && value !== '')
  return typeof word === 'string' ? finishReasonFrom(word) : null
}

/** Maps a provider's value to a finish reason; `other` for an unknown value. */
export function finishReasonFrom(word: string): FinishReason {
  const known = word.toLowerCase().replaceAll('-', '_')
  for (const reason of Object.keys(words) as FinishReason[]) if (words[reason].includes(known)) return reason
  return 'other'
}
