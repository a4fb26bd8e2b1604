/**
 * @module
 * A language model behind the chat interface of OpenAI, which many servers speak.
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

/** How the server is reached. */
export interface OpenAiModelOptions {
  /** Such as `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  /** Sent as a bearer token; none when the server wants none. */
  apiKey?: string | undefined
  /** Longest silence of the server, in milliseconds. */
  timeoutMs: number
}

/** What this program reads of a chat completion, whole or in pieces. */
interface Completion {
  choices?: { message?: { content?: string | null }; delta?: { content?: string | null } }[]
  error?: { message?: string } | string
}

/** A model on a server with the OpenAI chat interface. Errors say what to do about them. */
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
    const silence = new Silence(this.server.timeoutMs, signal)
    try {
      const response = await this.post(messages, false, silence)
      const completion = this.read(await response.text())
      const content = completion.choices?.[0]?.message?.content
      if (typeof content !== 'string') throw this.fault('answered something that is no chat completion')
      return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), raw: { ...completion } })
    } catch (error) {
      throw this.explain(error, silence, signal)
    } finally {
      silence.end()
    }
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    { signal }: CallOptions,
  ): AsyncGenerator<ChatResponse> {
    const silence = new Silence(this.server.timeoutMs, signal)
    let content = ''
    try {
      const response = await this.post(messages, true, silence)
      let isCompletion = false
      for await (const data of serverSentEvents(silence.watch(response.body!))) {
        if (data === '[DONE]') break
        const completion = this.read(data)
        isCompletion ||= Array.isArray(completion.choices)
        const delta = completion.choices?.[0]?.delta?.content ?? ''
        content += delta
        if (delta !== '') yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), delta })
      }
      if (!isCompletion) throw this.fault('answered something that is no stream of a chat completion')
    } catch (error) {
      throw this.explain(error, silence, signal)
    } finally {
      silence.end()
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

  private async post(messages: readonly ChatMessage[], stream: boolean, silence: Silence): Promise<Response> {
    const { baseUrl, model, apiKey } = this.server
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({
        model,
        stream,
        messages: messages.map((message) => ({ role: message.role, content: messageText(message) })),
      }),
      signal: silence.signal,
    })
    if (!response.ok) throw this.refusal(response.status, await response.text())
    return response
  }

  private read(json: string): Completion {
    let completion: Completion | null
    try {
      completion = JSON.parse(json)
    } catch (cause) {
      throw this.fault('answered something that is no JSON', cause)
    }
    if (completion?.error) throw this.fault(`reports an error: ${serverMessage(json)}`)
    return completion ?? {}
  }

  private refusal(status: number, body: string): ProgramError {
    const message = serverMessage(body)
    const said = message ? `: ${message}` : ''
    if (status === 401 || status === 403)
      return this.fault(`refuses the key (HTTP ${status})${said}. Is OPENAI_API_KEY set and right?`)
    if (status === 404)
      return this.fault(`knows no such address or model (HTTP 404)${said}. Are --base-url and --model right?`)
    if (status === 429) return this.fault(`refuses for now (HTTP 429)${said}. --resume goes on later.`)
    return this.fault(`answered with HTTP ${status}${said}`)
  }

  private explain(error: unknown, silence: Silence, signal: AbortSignal | undefined): unknown {
    if (error instanceof ProgramError || signal?.aborted) return error
    if (silence.isOver)
      return this.fault(`was silent for ${this.server.timeoutMs / 1000} s. --timeout sets how long that may be`, error)
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return this.fault(`cannot be reached (${cause?.code ?? message}). Does it run, and is --base-url right?`, error)
  }

  private fault(what: string, cause?: unknown): ProgramError {
    const text = `The model server ${this.server.baseUrl} ${what}`
    return new ProgramError(ExitCode.model, /[.?]$/.test(text) ? text : `${text}.`, { cause })
  }
}

/** The server's own words, in one line; empty when there are none. */
function serverMessage(body: string): string {
  try {
    const { error } = JSON.parse(body) as Completion
    const message = typeof error === 'string' ? error : error?.message
    if (message) return oneLine(message)
  } catch {
    // Some servers answer in plain text.
  }
  return /^\s*</.test(body) ? '' : oneLine(body)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Cancels a request when nothing comes for too long, or when the caller wants it. */
class Silence {
  readonly signal: AbortSignal
  isOver = false
  private readonly controller = new AbortController()
  private readonly limit: number
  private timer: NodeJS.Timeout

  constructor(limit: number, outer: AbortSignal | undefined) {
    this.limit = limit
    this.signal = outer ? AbortSignal.any([outer, this.controller.signal]) : this.controller.signal
    this.timer = this.start()
  }

  /** The same bytes; each of them ends the silence. */
  async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      clearTimeout(this.timer)
      this.timer = this.start()
      yield chunk
    }
  }

  end(): void {
    clearTimeout(this.timer)
    // Closes the connection when the rest of a stream is not wanted.
    this.controller.abort()
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.isOver = true
      this.controller.abort()
    }, this.limit)
  }
}
