/**
 * @module
 * Requests to the server of a model, and their errors.
 */

import {
  callback,
  checkGiven,
  checkOption,
  invalidOption,
  type OptionTable,
  text,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import { jsonOr } from '@x/core/values'
import { isToolkitError, ModelValidationError, requestSecrets, withoutSecrets } from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import { errorBody, errorPartOf } from '../llm/error-body.ts'
import type { LLM } from '../llm/llm.ts'
import { ModelCallError, modelCallErrorFrom } from '../llm/model-call-error.ts'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts'

/** The default limit of a body, in bytes: the embeddings of a thousand strings are smaller. */
const MAX_BODY = 2 ** 26

/** The most bytes of the body of an error that are read. */
const MAX_ERROR_BODY = 2 ** 16

/** The address of a server, its credentials, and `fetch`. */
export interface ModelServerOptions {
  /**
   * Address of the interface. A query in it is kept, such as `?api-version=…` of Azure; user and password are sent as a header.
   * Redirects are not followed, so that credentials reach no other server.
   * @defaultValue the public address of the provider
   */
  baseUrl?: string | undefined
  /**
   * Sent as a bearer token. It is never part of events, errors or JSON, even if the server repeats it. The public address of a provider
   * needs one, unless `headers` or `fetch` authenticate the request. @defaultValue no token
   */
  apiKey?: string | (() => string | Promise<string>) | undefined
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The limit of an answer, in bytes, at least 1. @defaultValue 67108864, 64 MB */
  maxAnswerBytes?: number | undefined
  /** Makes the requests. @defaultValue the platform's fetch */
  fetch?: typeof fetch | undefined
}

/** Checks of these options, for adapters that check all options together. The server checks address and limit itself. */
export const serverOptions: OptionTable<ModelServerOptions> = {
  baseUrl: unchecked,
  apiKey: (value) => (typeof value === 'function' ? undefined : text(value)),
  headers: unchecked,
  maxAnswerBytes: unchecked,
  fetch: callback,
}

/** The options of one request. */
interface ServerRequestOptions {
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A JSON object of the server. */
export type ServerData = Readonly<Record<string, unknown>>

/** Stands for the end of a stream. */
export const END: ServerData = {}

/** An answer with the secrets of its request, which its errors must not contain. */
interface ServerAnswer {
  readonly response: Response
  readonly secrets: readonly string[]
}

const redirects: readonly number[] = [301, 302, 303, 307, 308]

/**
 * The server of a model: JSON requests, streams of events, limits, and errors that name the server and contain no secrets. Its address and
 * its key are private, so that printing a model does not show them.
 * @example
 * const options = { baseUrl: 'https://models.example/v1?key=K-1234', model: 'small' }
 * const [server, others] = ModelServer.of(options, { title: 'SmallLLM', baseUrl: 'https://small.example' })
 * others // => { model: 'small' }
 * server.error('it sleeps', 'overloaded').message // => 'https://models.example/v1: it sleeps.'
 */
export class ModelServer {
  readonly hostname: string
  /** The port, or an empty string for the one of the protocol. */
  readonly port: string
  /** Host and port, for events; without a port if it is the one of the protocol. */
  readonly endpoint: NonNullable<LLM['endpoint']>
  /** The address without credentials, for errors. */
  readonly #name: string
  readonly #url: URL
  readonly #options: ModelServerOptions
  readonly #maxBytes: number
  /** Whether requests without a key can only fail. */
  readonly #needsKey: boolean

  /**
   * Opens the server that the options of a model name. Returns it with the other options.
   * @param provider - the name of the model's class, for errors, and the address that `baseUrl` replaces.
   * @throws {ModelValidationError} for an invalid address or limit, and for a key that is passed but missing or empty, at the public
   *   address.
   */
  static of<Options extends ModelServerOptions>(
    options: Options,
    provider: { title: string; baseUrl: string },
  ): [ModelServer, Omit<Options, keyof ModelServerOptions>] {
    checkGiven('ModelServer.of', { provider }, 'a provider', 'baseUrl')
    const { baseUrl = provider.baseUrl, apiKey, headers, fetch, maxAnswerBytes, ...others } = options
    const needsKey = `${baseUrl}`.replace(/\/$/, '') === provider.baseUrl && !fetch
    if (needsKey && !headers && 'apiKey' in options && !apiKey) {
      const received = apiKey === '' ? 'an empty string' : `${apiKey}`
      const message = `expected a key for ${baseUrl}, received ${received}; check its environment variable`
      throw new ModelValidationError(provider.title, [{ path: 'apiKey', message, code: 'required' }])
    }
    return [new ModelServer(provider.title, { baseUrl, apiKey, headers, fetch, maxAnswerBytes }, needsKey), others]
  }

  constructor(title: string, options: ModelServerOptions & { baseUrl: string }, needsKey = false) {
    checkGiven('ModelServer', { options }, 'an object of options', 'baseUrl')
    this.#needsKey = needsKey
    this.#url = addressOf(title, options.baseUrl)
    this.hostname = this.#url.hostname
    this.port = this.#url.port
    // An IPv6 address has brackets in a URL only.
    const address = this.hostname.replace(/^\[|\]$/g, '')
    this.endpoint = { address, ...(this.port && { port: Number(this.port) }) }
    this.#name = `${this.#url.origin}${this.#url.pathname}`
    this.#options = options
    this.#maxBytes = options.maxAnswerBytes ?? MAX_BODY
    checkOption(title, 'maxAnswerBytes', this.#maxBytes, wholeNumber(1))
  }

  /** Returns the parsed answer to a request. @throws {ModelCallError} */
  async json(path: string, body: ServerData, options: ServerRequestOptions): Promise<ServerData> {
    return this.#read(...(await this.#whole(path, body, options)))
  }

  /** Returns the parsed answer of an interface that answers with a JSON array, or with an object. @throws {ModelCallError} */
  async list(path: string, body: ServerData, options: ServerRequestOptions): Promise<ServerData | readonly unknown[]> {
    const [text, answer] = await this.#whole(path, body, options)
    const value = jsonOr(text)
    return Array.isArray(value) && !errorPartOf(Object(value[0])) ? value : this.#read(text, answer)
  }

  /**
   * Yields the objects of an answer: the events of a stream, {@link END} where the server says that it ends, and null for a comment that
   * keeps the connection open; or one JSON object. Servers answer in either form, whatever was requested.
   * @throws {ModelCallError}
   */
  async *events(
    path: string,
    body: ServerData,
    options: ServerRequestOptions,
  ): AsyncGenerator<ServerData | null, void, undefined> {
    const answer = await this.#post(path, body, body['stream'] ? 'text/event-stream' : 'application/json', options)
    yield* this.objectsIn(answer, options.signal)
  }

  /**
   * Yields the objects of an answer to a request that a client of the provider made, as {@link events} does.
   * @param answer - the answer, and the secrets of its request, see `requestSecrets`.
   * @throws {ModelCallError}
   */
  async *objectsIn(
    answer: ServerAnswer,
    signal?: AbortSignal | undefined,
  ): AsyncGenerator<ServerData | null, void, undefined> {
    for await (const event of this.#events(answer, signal)) {
      if (event?.data.trim() === '[DONE]') {
        yield END
        return
      }
      yield event && event.data !== 'null' ? this.#read(event.data, answer, event.isError) : null
    }
  }

  async *#events(
    answer: ServerAnswer,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServerSentEvent | null, void, undefined> {
    const type = answer.response.headers.get('content-type') ?? 'text/event-stream'
    const bytes = this.#bytes(answer, signal)
    if (type.includes('text/event-stream')) {
      yield* serverSentEvents(bytes)
      return
    }
    const text = await textOf(bytes)
    // Some servers send events with a different content type.
    if (/^\s*(?:data|event|error|id|retry)?:/.test(text)) yield* serverSentEvents([new TextEncoder().encode(text)])
    else yield { data: text, isError: false }
  }

  async #whole(path: string, body: ServerData, options: ServerRequestOptions): Promise<[string, ServerAnswer]> {
    const answer = await this.#post(path, body, 'application/json', options)
    return [await textOf(this.#bytes(answer, options.signal)), answer]
  }

  /** Yields the pieces of a body. @throws {ModelCallError} when the connection breaks, or the body is longer than the limit. */
  async *#bytes(
    { response, secrets }: ServerAnswer,
    signal: AbortSignal | undefined,
    most = this.#maxBytes,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader()
    if (!reader) return
    let count = 0
    try {
      for (;;) {
        const { done, value } = await this.#explain(signal, secrets, () => reader.read())
        if (done) return
        count += value.length
        if (count > most) throw this.error(`the answer has more than ${most} bytes; see maxAnswerBytes`, 'bad_response')
        yield value
      }
    } finally {
      // Closes the connection when the reader leaves early.
      reader.cancel().catch(() => {})
    }
  }

  /** Returns the JSON object that the server sent. @throws {ModelCallError} when it is not an object, or reports an error. */
  #read(text: string, { secrets }: Pick<ServerAnswer, 'secrets'>, isError = false): ServerData {
    const value = jsonOr(text)
    const data = Object(Array.isArray(value) ? value[0] : value) as ServerData
    const part = errorPartOf(data)
    if (isError || part) {
      const { message, code, status } = errorBody(part ?? text)
      throw modelCallErrorFrom(this.#name, { status, message: message ?? quoted(text, secrets), code, secrets })
    }
    if (value === undefined) throw this.error(`expected JSON, received ${quoted(text, secrets)}`, 'bad_response')
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.error(`expected a JSON object, received ${quoted(text, secrets)}`, 'bad_response')
    return data
  }

  /** Returns an error that names the server. */
  error(message: string, kind: ModelCallError['kind'], options?: { cause?: unknown; secrets?: readonly string[] }) {
    return new ModelCallError(`${this.#name}: ${message}.`, { kind, ...options })
  }

  async #post(path: string, body: ServerData, accept: string, options: ServerRequestOptions): Promise<ServerAnswer> {
    const { signal } = options
    const credentials = await this.#explain(signal, [], () => this.#credentials(options))
    const secrets = requestSecrets(credentials, this.#url)
    const response = await this.#explain(signal, secrets, () => {
      const { fetch: send = fetch } = this.#options
      return send(this.#address(path), {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json', ...credentials },
        body: JSON.stringify(body),
        // Workers of Cloudflare refuse 'error'.
        redirect: 'manual',
        ...(signal && { signal }),
      })
    })
    if (response.ok) return { response, secrets }
    if (response.type === 'opaqueredirect' || redirects.includes(response.status)) {
      response.body?.cancel().catch(() => {})
      throw this.error('the server redirects to another address; set baseUrl to it', 'bad_request')
    }
    const bytes = this.#bytes({ response, secrets }, signal, Number.POSITIVE_INFINITY)
    const text = await textOf(bytes, MAX_ERROR_BODY)
    const { message, code } = errorBody(text)
    throw modelCallErrorFrom(this.#name, {
      status: response.status,
      message: message ?? quoted(text, secrets),
      code,
      headers: response.headers,
      secrets,
    })
  }

  /** Returns the headers of a request other than its format. */
  async #credentials(options: ServerRequestOptions): Promise<Record<string, string>> {
    const { apiKey, headers } = this.#options
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    const { username, password } = this.#url
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    if (this.#needsKey && !key && !headers && !options.headers)
      throw this.error('no apiKey; pass the key of the provider, for example from an environment variable', 'auth')
    return {
      ...(user !== ':' && { authorization: `Basic ${toBase64(new TextEncoder().encode(user))}` }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
      ...options.headers,
    }
  }

  #address(path: string): string {
    const url = new URL(this.#url)
    url.username = ''
    url.password = ''
    let base = url.pathname
    while (base.endsWith('/')) base = base.slice(0, -1)
    url.pathname = `${base}${path}`
    return url.href
  }

  /** Returns the result of `work`. Errors of the platform become `ModelCallError`s; an abort rejects with the caller's reason. */
  async #explain<T>(signal: AbortSignal | undefined, secrets: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (isToolkitError(error, 'model_call')) throw error
      const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
      throw this.error(`the connection failed (${cause?.code ?? message})`, 'connection', { cause: error, secrets })
    }
  }
}

/** @throws {ModelValidationError} for an invalid address; the error of the platform would contain its password. */
function addressOf(title: string, baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw invalidOption(title, 'baseUrl', 'a URL of http or https', baseUrl)
}

/** Returns the text of a body, or its beginning of this length. */
async function textOf(bytes: AsyncIterable<Uint8Array>, length = Number.POSITIVE_INFINITY): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= length) return text.slice(0, length)
  }
  return text + decoder.decode()
}

/** Returns the beginning of a string without secrets, in one line. */
function quoted(text: string, secrets: readonly string[]): string {
  // A secret that is cut would not be recognized.
  const line = withoutSecrets(text.slice(0, MAX_ERROR_BODY), secrets).slice(0, 400).replace(/\s+/g, ' ').trim()
  return line === '' ? 'an empty answer' : JSON.stringify(line.slice(0, 200))
}
