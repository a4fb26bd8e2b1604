/**
 * @module
 * Why a model stopped, in one form for all providers.
 */
import { type ProviderData, valueAt } from './value-at.ts'

/**
 * Why a model stopped: it was done, the answer was cut at a token limit, it wants tools to be called, a content filter stopped it,
 * the provider failed, or something else.
 */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error' | 'other'

const words: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'completed', 'load', 'unload'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded', 'model_length'],
  tool_calls: ['tool_calls', 'tool_use', 'function_call'],
  content_filter: [
    'content_filter',
    'refusal',
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'image_safety',
  ],
  error: ['error', 'malformed_function_call', 'failed'],
  other: [],
}

/** Where providers put the word, in `raw`. */
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
 * Why the model stopped, or null when the response does not say.
 * Reads `finish_reason` in `additionalKwargs`, then `raw` in the forms of OpenAI, Anthropic, Gemini, Ollama and the AI SDK.
 * @example
 * finishReasonOf({ additionalKwargs: {}, raw: { stop_reason: 'max_tokens' } }) // => 'length'
 */
export function finishReasonOf(response: {
  readonly raw: unknown
  readonly additionalKwargs: ProviderData
}): FinishReason | null {
  const found = [response.additionalKwargs['finish_reason'], ...places.map((path) => valueAt(response.raw, path))]
  const word = found.find((value) => typeof value === 'string' && value !== '')
  return typeof word === 'string' ? finishReasonFrom(word) : null
}

/** Maps a provider's value to a finish reason; `other` for an unknown value. */
export function finishReasonFrom(word: string): FinishReason {
  const known = word.toLowerCase().replaceAll('-', '_')
  for (const reason of Object.keys(words) as FinishReason[]) if (words[reason].includes(known)) return reason
  return 'other'
}
