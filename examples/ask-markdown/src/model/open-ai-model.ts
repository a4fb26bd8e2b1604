/**
 * @module
 * A language model behind the OpenAI chat API, which many servers implement.
 */
import {
  type CallOptions,
  ChatMessage,
  ChatResponse,
  type CompleteOptions,
  type CompletionResponse,
  chatToCompletionResponse,
  LLM,
  LLMMetadata,
  messageText,
} from '@x/core-model'
import { ExitCode, ProgramError } from '../program-error.ts'
import { serverSentEvents } from './server-sent-events.ts'

/** The options of {@link OpenAiModel}. */
export interface OpenAiModelOptions {
  /** The base URL of the API, such as `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  /** Sent as a bearer token. Some servers need none. */
  apiKey?: string | undefined
  /** The maximum time without data from the server, in milliseconds. */
  timeoutMs: number
}

/** The parts of a chat completion, whole or streamed, that this program reads. */
interface Completion {
  choices?: { message?: { content?: string | null }; delta?: { content?: string | null } }[]
  error?: { message?: string } | string
}

/** A model on a server with the OpenAI chat API. */
export class OpenAiModel extends LLM {
  static override className(): string {
    return 'OpenAiModel'
  }

  readonly metadata: LLMMetadata
  private readonly server: OpenAiModelOptions

  constructor(server: OpenAiModelOptions) {
    super()
    this.server = server
    this.metadata = new LLMMetadata({ modelName: server.model, isChatModel: true, contextWindow: 128_000 })
  }

  protected override async chatRequest(
    messages: readonly ChatMessage[],
    { signal }: CallOptions,
  ): Promise<ChatResponse> {
    const idle = new IdleTimeout(this.server.timeoutMs, signal)
    try {
      const response = await this.post(messages, false, idle)
      const completion = this.read(await response.text())
      const content = completion.choices?.[0]?.message?.content
      if (typeof content !== 'string') throw this.fault('did not return a chat completion')
      return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), raw: { ...completion } })
    } catch (error) {
      throw this.explain(error, idle, signal)
    } finally {
      idle.end()
    }
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    { signal }: CallOptions,
  ): AsyncGenerator<ChatResponse> {
    const idle = new IdleTimeout(this.server.timeoutMs, signal)
    let content = ''
    try {
      const response = await this.post(messages, true, idle)
      let isCompletion = false
      for await (const data of serverSentEvents(idle.watch(response.body!))) {
        if (data === '[DONE]') break
        const completion = this.read(data)
        isCompletion ||= Array.isArray(completion.choices)
        const delta = completion.choices?.[0]?.delta?.content ?? ''
        content += delta
        if (delta !== '') yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), delta })
      }
      if (!isCompletion) throw this.fault('did not return a stream of chat completions')
    } catch (error) {
      throw this.explain(error, idle, signal)
    } finally {
      idle.end()
    }
  }

  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return chatToCompletionResponse(await this.chatRequest([new ChatMessage({ content: prompt })], options))
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse> {
    const pieces = this.streamChatRequest([new ChatMessage({ content: prompt })], options)
    for await (const piece of pieces) yield chatToCompletionResponse(piece, { stream: true })
  }

  private async post(messages: readonly ChatMessage[], stream: boolean, idle: IdleTimeout): Promise<Response> {
    const { baseUrl, model, apiKey } = this.server
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({
        model,
        stream,
        messages: messages.map((message) => ({ role: message.role, content: messageText(message) })),
      }),
      signal: idle.signal,
    })
    if (!response.ok) throw this.refusal(response.status, await response.text())
    return response
  }

  private read(json: string): Completion {
    let completion: Completion | null
    try {
      completion = JSON.parse(json)
    } catch (cause) {
      throw this.fault('did not return JSON', cause)
    }
    if (completion?.error) throw this.fault(`reports an error: ${serverMessage(json)}`)
    return completion ?? {}
  }

  private refusal(status: number, body: string): ProgramError {
    const message = serverMessage(body)
    const detail = message ? `: ${message}` : ''
    if (status === 401 || status === 403)
      return this.fault(`rejects the key (HTTP ${status})${detail}. Is OPENAI_API_KEY set and correct?`)
    if (status === 404)
      return this.fault(`does not know this address or model (HTTP 404)${detail}. Are --base-url and --model correct?`)
    if (status === 429) return this.fault(`is rate limited (HTTP 429)${detail}. Continue later with --resume.`)
    return this.fault(`returned HTTP ${status}${detail}`)
  }

  private explain(error: unknown, idle: IdleTimeout, signal: AbortSignal | undefined): unknown {
    if (error instanceof ProgramError || signal?.aborted) return error
    if (idle.isExpired)
      return this.fault(`sent no data for ${this.server.timeoutMs / 1000} s. --timeout sets this limit`, error)
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return this.fault(`cannot be reached (${cause?.code ?? message}). Is it running, and is --base-url correct?`, error)
  }

  private fault(what: string, cause?: unknown): ProgramError {
    const text = `The model server ${this.server.baseUrl} ${what}`
    return new ProgramError(ExitCode.model, /[.?]$/.test(text) ? text : `${text}.`, { cause })
  }
}

/** Returns the error message of the server on one line; empty if there is none. */
function serverMessage(body: string): string {
  try {
    const { error } = JSON.parse(body) as Completion
    const message = typeof error === 'string' ? error : error?.message
    if (message) return oneLine(message)
  } catch {
    // Some servers return plain text.
  }
  return /^\s*</.test(body) ? '' : oneLine(body)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Cancels a request when no data arrives for too long, or when the caller aborts. */
class IdleTimeout {
  readonly signal: AbortSignal
  isExpired = false
  private readonly controller = new AbortController()
  private readonly limit: number
  private timer: NodeJS.Timeout

  constructor(limit: number, outer: AbortSignal | undefined) {
    this.limit = limit
    this.signal = outer ? AbortSignal.any([outer, this.controller.signal]) : this.controller.signal
    this.timer = this.start()
  }

  /** Passes the bytes through; each chunk restarts the timer. */
  async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      clearTimeout(this.timer)
      this.timer = this.start()
      yield chunk
    }
  }

  end(): void {
    clearTimeout(this.timer)
    // Closes the connection if the rest of a stream is not read.
    this.controller.abort()
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.isExpired = true
      this.controller.abort()
    }, this.limit)
  }
}
