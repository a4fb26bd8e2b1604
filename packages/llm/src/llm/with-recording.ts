/**
 * @module
 * A model that records its calls.
 */

import type { Dict } from '@x/core'
import { isToolkitError, readJsonText } from '@x/core'
import { checkGiven } from '@x/core/options'
import { compactJson, errorMessage } from '@x/core/values'
import type { BaseLLM } from '@x/core-model'
import type { LLM } from './llm.ts'
import { type Ask, LLMWrapper, type ModelAnswer, type PassedCall } from './llm-wrapper.ts'

/** One call of a model, as plain JSON. */
export interface RecordedModelCall {
  kind: 'chat' | 'complete' | 'stream_chat' | 'stream_complete'
  /** The messages of a chat. */
  messages?: Dict[]
  /** The prompt of a completion. */
  prompt?: string
  /** The options of the call, without signal and headers, which may contain secrets. */
  options: Dict
  /** The answer; of a stream, all pieces so far. */
  responses: Dict[]
  /** The error of a failed call. */
  error?: { name: string; message: string; code?: string }
}

/**
 * Returns a model that passes its calls to another one and adds each call to `calls` when it starts; the answer is added to the call as it
 * arrives. Data without a JSON form, such as live objects in `raw`, is omitted.
 * @param calls - receives the calls: an array, or an object whose `push` writes to a file.
 * @throws {ModelValidationError} if `calls` has no `push`.
 * @example
 * const calls: RecordedModelCall[] = []
 * const llm = withRecording(new ScriptedLLM({ answers: ['Paris'] }), calls)
 * await llm.complete('Capital of France?')
 * calls.map(({ prompt, responses }) => [prompt, responses[0]?.['text']]) // => [['Capital of France?', 'Paris']]
 */
export function withRecording(llm: BaseLLM, calls: { push(call: RecordedModelCall): unknown }): LLM {
  checkGiven('withRecording', { calls }, 'an array, or an object with push', 'push')
  return new RecordingLLM(llm, calls)
}

class RecordingLLM extends LLMWrapper {
  static override className(): string {
    return 'RecordingLLM'
  }

  readonly calls: { push(call: RecordedModelCall): unknown }

  constructor(wrapped: BaseLLM, calls: { push(call: RecordedModelCall): unknown }) {
    super(wrapped)
    this.calls = calls
  }

  /** @internal */
  protected override async *passOn<T extends ModelAnswer>(
    { kind, messages, prompt, options }: PassedCall,
    ask: Ask<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { signal: _, parentId: _p, headers: _h, formatted: _f, ...own } = options
    const call: RecordedModelCall = {
      kind,
      ...(messages && { messages: messages.map((message) => message.toDict()) }),
      ...(prompt !== undefined && { prompt }),
      options: plain(own) as Dict,
      responses: [],
    }
    this.calls.push(call)
    try {
      for await (const answer of ask(this.wrapped, options)) {
        call.responses.push({ ...answer.copy({ update: { raw: null } }).toDict(), raw: plain(answer.raw) })
        yield answer
      }
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error'
      call.error = { name, message: errorMessage(error), ...(isToolkitError(error) && { code: error.code }) }
      throw error
    }
  }
}

/** Returns an independent copy of a value as JSON data; null if it has no JSON form. */
function plain(value: unknown): unknown {
  try {
    return readJsonText(compactJson(value))
  } catch {
    // Circular, or a live object of a provider's library. The message is sufficient.
    return null
  }
}
