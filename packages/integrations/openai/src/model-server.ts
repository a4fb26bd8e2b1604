/**
 * @module
 * Requests to a server with the OpenAI interface, and their errors.
 */
import { isToolkitError, ModelCallError, modelCallErrorFrom } from '@x/core-model'

/** The address of a server, its credentials, and `fetch`. */
export interface ModelServerOptions {
  /**
   * Address of the interface. A query in it is kept, such as `?api-version=…` of Azure.
   * @defaultValue 'https://api.openai.com/v1'
   */
  baseUrl?: string | undefined
  /** Sent as a bearer token. It is never part of events, errors or JSON. @defaultValue no token */
  apiKey?: string | (() => string | Promise<string>) | undefined
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Makes the requests. @defaultValue the platform's fetch */
  fetch?: typeof fetch | undefined
}

/** The options of one request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A JSON object of the server. */
export type Json = Readonly<Record<string, unknown>>

/** A server. Its key is private, so that printing a model does not show it. */
export class ModelServer {
  readonly baseUrl: string
  readonly #options: ModelServerOptions

  constructor(options: ModelServerOptions) {
    this.baseUrl = options.baseUrl ?? 'https://api.openai.com/v1'
    this.#options = options
  }

  /** Returns the parsed answer to a request. @throws {ModelCallError} */
  async json(path: string, body: Json, options: RequestOptions): Promise<Json> {
    return this.#explain(options.signal, async () =>
      this.read(await (await this.#post(path, body, 'application/json', options)).text()),
    )
  }

  /**
   * Returns the answer to a request for a stream, in any form.
   * @throws {ModelCallError}
   */
  async stream(path: string, body: Json, options: RequestOptions): Promise<Response> {
    return this.#explain(options.signal, () => this.#post(path, body, 'text/event-stream', options))
  }

  /** Yields the pieces of a body. @throws {ModelCallError} when the connection breaks. */
  async *bytes(response: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader()
    if (!reader) return
    try {
      for (;;) {
        const { done, value } = await this.#explain(signal, () => reader.read())
        if (done) return
        yield value
      }
    } finally {
      // Closes the connection when the reader leaves early.
      reader.cancel().catch(() => {})
    }
  }

  /** Returns the JSON object that the server sent. @throws {ModelCallError} when it is not an object, or reports an error. */
  read(text: string): Json {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw this.error(`expected JSON, received ${quoted(text)}`, 'bad_response', cause)
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.error(`expected a JSON object, received ${quoted(text)}`, 'bad_response')
    const data = value as Json
    if (data['error']) {
      const { message, code, status } = errorIn(data)
      throw modelCallErrorFrom(this.baseUrl, { status, message: message ?? quoted(text), code })
    }
    return data
  }

  /** Returns an error that names the server. */
  error(message: string, kind: ModelCallError['kind'], cause?: unknown): ModelCallError {
    return new ModelCallError(`${this.baseUrl}: ${message}.`, { kind, cause })
  }

  async #post(path: string, body: Json, accept: string, options: RequestOptions): Promise<Response> {
    const { apiKey, headers, fetch: send = fetch } = this.#options
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    const response = await send(this.#url(path), {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
        ...headers,
        ...options.headers,
      },
      body: JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    })
    if (response.ok) return response
    const text = await response.text()
    const { message, code } = errorIn(text)
    throw modelCallErrorFrom(this.baseUrl, {
      status: response.status,
      message: message ?? quoted(text),
      code,
      headers: response.headers,
    })
  }

  #url(path: string): string {
    const url = new URL(this.baseUrl)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
    return url.href
  }

  /** Returns the result of `work`. Errors of the platform become `ModelCallError`s; an abort rejects with the caller's reason. */
  async #explain<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (isToolkitError(error, 'model_call')) throw error
      const { message, cause } = error as Error & { cause?: { code?: string } }
      throw this.error(`the connection failed (${cause?.code ?? message})`, 'connection', error)
    }
  }
}

/** Reads the body of an error response: `{ error: { message, code, type } }`, `{ error: 'message' }`, or `{ message }`. */
function errorIn(given: string | Json): { message: string | null; code: string | null; status: number } {
  const data = typeof given === 'string' ? parsed(given) : given
  const error = typeof data['error'] === 'object' && data['error'] !== null ? (data['error'] as Json) : data
  const message = [error['message'], data['error'], data['detail']].find((value) => typeof value === 'string')
  const code = [error['code'], error['type']].find((value) => typeof value === 'string')
  const status = [error['code'], error['status']].map(Number).find((value) => value >= 400 && value < 600)
  return {
    message: (message as string | undefined) ?? null,
    code: (code as string | undefined) ?? null,
    status: status ?? statusOf(code),
  }
}

/** Returns a status for errors in the middle of a stream, which have only a name. */
function statusOf(code: unknown): number {
  const name = String(code ?? '')
  if (/rate_limit|quota/.test(name)) return 429
  if (/auth|api_key|permission/.test(name)) return 401
  return /invalid_request|context_length|content_filter|content_policy/.test(name) ? 400 : 500
}

function parsed(text: string): Json {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the beginning of a string, in one line. */
function quoted(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  return line === '' ? 'an empty answer' : JSON.stringify(line.slice(0, 200))
}
