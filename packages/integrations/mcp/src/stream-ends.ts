/**
 * @module
 * Requests whose stream ends without a result, which fail then: the clients wait until their time limit.
 * @see https://github.com/modelcontextprotocol/typescript-sdk/issues/2739
 */

type Id = string | number

interface Message {
  id?: Id
  method?: string
  params?: { requestId?: Id }
  error?: { message?: string }
}

/** What is used of the transport of Streamable HTTP, in either SDK. */
interface HttpTransport {
  send(message: Message, options?: { onRequestStreamEnd?: () => void }): Promise<void>
  onmessage?(message: Message, ...rest: unknown[]): void
  /** Other transports do not have it. */
  terminateSession?(): Promise<void>
  /** Private members of SDK 1, which has no callback for the end of a stream. */
  _fetch?: typeof fetch | undefined
  _reconnectionOptions?: { maxRetries: number }
}

/** A request without a result. */
interface OpenRequest {
  /** The last event of its stream: the client continues behind it. */
  eventId?: string
  /** The number of failed attempts to continue, since the last one that succeeded. */
  failures: number
}

/** The transports whose streams are watched. */
const watched = new WeakSet<object>()

/** Lets the requests of a connected client fail as soon as their stream has ended without a result and cannot be continued. */
export function failAtStreamEnd(client: object): void {
  const { transport, listen } = client as { transport?: HttpTransport; listen?: unknown }
  if (typeof transport?.terminateSession !== 'function' || watched.has(transport)) return
  watched.add(transport)
  const open = new Map<Id, OpenRequest>()
  const { send, onmessage } = transport
  const fail = (id: Id) => {
    if (open.has(id)) transport.onmessage?.(failureOf(id))
  }
  transport.send = (message, options) => {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') open.delete(params?.requestId as Id)
    // A subscription ends without a result; the client itself watches it.
    if (id === undefined || method === undefined || options?.onRequestStreamEnd)
      return send.call(transport, message, options)
    open.set(id, { failures: 0 })
    return send.call(transport, message, { ...options, onRequestStreamEnd: () => fail(id) })
  }
  transport.onmessage = (message, ...rest) => {
    const { id, method, error } = message
    // The failure of a request that has its result already, or was cancelled.
    if (error?.message === TEXT && !open.has(id!)) return
    if (id !== undefined && method === undefined) open.delete(id)
    onmessage?.call(transport, message, ...rest)
  }
  if (!listen && '_fetch' in transport) transport._fetch = watchedFetch(transport, open, fail)
}

const TEXT = 'The server ended the stream of the request without a result.'

/** Returns a failure as a message of the server, with the code of a closed connection. */
const failureOf = (id: Id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: TEXT } })

/** Returns a `fetch` for the transport of SDK 1 that writes the failure behind a stream without a result. */
function watchedFetch(
  { _fetch: ownFetch = fetch, _reconnectionOptions }: HttpTransport,
  open: ReadonlyMap<Id, OpenRequest>,
  fail: (id: Id) => void,
): typeof fetch {
  return async (url, init = {}) => {
    const eventId = new Headers(init.headers).get('last-event-id')
    const id = eventId === null ? idOf(init.body) : [...open].find(([, request]) => request.eventId === eventId)?.[0]
    const request = open.get(id as Id)
    if (id === undefined || !request) return ownFetch(url, init)
    const response = await ownFetch(url, init).catch((error: unknown) => error as Error)
    if (response instanceof Error || !response.ok) {
      const isFinal = !(response instanceof Error) && response.status === 405
      const isLast = ++request.failures >= (_reconnectionOptions?.maxRetries ?? 2)
      if (eventId !== null && (isFinal || isLast)) fail(id)
      if (response instanceof Error) throw response
      return response
    }
    request.failures = 0
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const body = withFailure(response.body, request, `\n\ndata: ${JSON.stringify(failureOf(id))}\n\n`, init.signal)
    return new Response(body, response)
  }
}

/** Returns the id of the request in a body, if it is one. */
function idOf(body: unknown): Id | undefined {
  const { id, method } = typeof body === 'string' ? (JSON.parse(body) as Message) : {}
  return method === undefined ? undefined : id
}

/** Returns a stream of events with `failure` at its end, unless the client can continue it behind an event with an id. */
function withFailure(
  body: ReadableStream<Uint8Array>,
  request: OpenRequest,
  failure: string,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  /** The beginning of the current line. */
  let line = ''
  const read = (chunk: Uint8Array) => {
    const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split(/\r\n|\r|\n/)
    line += rest.slice(0, 1000 - line.length)
    for (const next of lines) {
      if (line.startsWith('id:')) request.eventId = line.slice(3).trimStart()
      line = next.slice(0, 1000)
    }
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          read(value)
          return controller.enqueue(value)
        }
      } catch (error) {
        if (signal?.aborted || request.eventId !== undefined) throw error
      }
      if (request.eventId === undefined) controller.enqueue(new TextEncoder().encode(failure))
      controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
