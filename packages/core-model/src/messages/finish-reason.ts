/**
 * @module
 * The reason why a model stopped, the same for all providers.
 */
import { checkGiven } from '@x/core/options'
import { type ProviderData, valueAt } from './value-at.ts'

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
