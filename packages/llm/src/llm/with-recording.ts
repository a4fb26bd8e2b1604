/**
 * @module
 * A model that records its calls.
 */

import type { Dict } from '@x/core'
import { isToolkitError, readJsonText } from '@x/core'
import { compactJson, errorMessage } from '@x/core/values'
import type {
  BaseLLM,
  CallOptions,
  ChatMessage,
  ChatResponse,
  CompleteOptions,
  CompletionResponse,
} from '@x/core-model'
import type { LLM } from './llm.ts'
import { LLMWrapper } from './llm-wrapper.ts'

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
 * @example
 * const calls: RecordedModelCall[] = []
 * const llm = withRecording(new ScriptedLLM({ answers: ['Paris'] }), calls)
 * await llm.complete('Capital of France?')
 * calls.map(({ prompt, responses }) => [prompt, responses[0]?.['text']]) // => [['Capital of France?', 'Paris']]
 */
export function withRecording(llm: BaseLLM, calls: { push(call: RecordedModelCall): unknown }): LLM {
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

  protected override chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.recorded(this.start('chat', { messages }, options), () => super.chatRequest(messages, options))
  }

  protected override completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return this.recorded(this.start('complete', { prompt }, options), () => super.completeRequest(prompt, options))
  }

  protected override streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse> {
    const request = () => super.streamChatRequest(messages, options)
    return this.recordedStream(() => this.start('stream_chat', { messages }, options), request)
  }

  protected override streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncIterable<CompletionResponse> {
    const request = () => super.streamCompleteRequest(prompt, options)
    return this.recordedStream(() => this.start('stream_complete', { prompt }, options), request)
  }

  private start(
    kind: RecordedModelCall['kind'],
    { messages, prompt }: { messages?: readonly ChatMessage[]; prompt?: string },
    { signal: _, parentId: _p, headers: _h, formatted: _f, ...options }: CompleteOptions,
  ): RecordedModelCall {
    const call: RecordedModelCall = {
      kind,
      ...(messages && { messages: messages.map((message) => message.toDict()) }),
      ...(prompt !== undefined && { prompt }),
      options: plain(options) as Dict,
      responses: [],
    }
    this.calls.push(call)
    return call
  }

  private async recorded<R extends ChatResponse | CompletionResponse>(
    call: RecordedModelCall,
    request: () => Promise<R>,
  ): Promise<R> {
    try {
      const response = await request()
      call.responses.push(plainResponse(response))
      return response
    } catch (error) {
      call.error = recordedError(error)
      throw error
    }
  }

  private async *recordedStream<R extends ChatResponse | CompletionResponse>(
    start: () => RecordedModelCall,
    request: () => AsyncIterable<R>,
  ): AsyncGenerator<R, void, undefined> {
    const call = start()
    try {
      for await (const piece of request()) {
        call.responses.push(plainResponse(piece))
        yield piece
      }
    } catch (error) {
      call.error = recordedError(error)
      throw error
    }
  }
}

/** Returns the response as plain JSON, with `raw` if it has a JSON form. */
function plainResponse(response: ChatResponse | CompletionResponse): Dict {
  return { ...response.copy({ update: { raw: null } }).toDict(), raw: plain(response.raw) }
}

function recordedError(error: unknown): NonNullable<RecordedModelCall['error']> {
  const name = error instanceof Error ? error.name : 'Error'
  return { name, message: errorMessage(error), ...(isToolkitError(error) && { code: error.code }) }
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
