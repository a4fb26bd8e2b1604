/**
 * @module
 * The new content in one piece of a streamed answer. Adapters store it in `ChatResponse.additionalKwargs`; the text is in `delta`.
 */
import { checkGiven } from '@x/core/options'
import { isData, type ProviderData } from './value-at.ts'

/** A piece of a tool call. */
export interface ToolCallDelta {
  /** The index of the tool call in the message, from 0. */
  index: number
  /** The id of the call, in its first piece; null in other pieces, or if the provider sends no id. */
  id: string | null
  /** The name of the tool, in its first piece; null in others. */
  name: string | null
  /** The next characters of the JSON text of the arguments. */
  arguments: string
}

/** The new content in one piece of a stream. */
export interface StreamDeltas {
  text: string
  reasoning: string
  toolCalls: readonly ToolCallDelta[]
}

/**
 * Returns the new content in one piece of a stream: `delta`, and `reasoning_delta` and `tool_call_deltas` of `additionalKwargs`.
 * @example
 * const message = new ChatMessage({ role: 'assistant', content: '' })
 * deltasOf(new ChatResponse({ message, delta: '', additionalKwargs: { reasoning_delta: 'Hm' } }))
 * // => { text: '', reasoning: 'Hm', toolCalls: [] }
 */
export function deltasOf(response: {
  readonly delta: string | null
  readonly additionalKwargs: ProviderData
}): StreamDeltas {
  if (!response?.additionalKwargs) checkGiven('deltasOf', { response }, 'a response of a model', 'additionalKwargs')
  const { reasoning_delta: reasoning, tool_call_deltas: calls } = response.additionalKwargs
  return {
    text: response.delta ?? '',
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    toolCalls: Array.isArray(calls) ? calls.filter(isToolCallDelta) : [],
  }
}

function isToolCallDelta(value: unknown): value is ToolCallDelta {
  return isData(value) && Number.isInteger(value['index']) && typeof value['arguments'] === 'string'
}
