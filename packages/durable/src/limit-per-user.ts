/**
 * @module
 * How many requests of a user are open at once.
 */
import { callback, checkOptions, required, wholeNumber } from '@x/core/options'
import { isUser, refusal } from './http.ts'

/** Options of {@link limitPerUser}. */
export interface UserLimits {
  /** Returns who sends a request, by its session, as for `ownedBy` or a chat. A request without a user is passed on. */
  user: (request: Request) => string | null | undefined | Promise<string | null | undefined>
  /**
   * The most requests of a user that are open at once, at least 1: running answers and readers of streams. A request is open until its
   * response was read to the end or left. Those with the method GET are counted apart, with the same limit: a user whose tabs read as many
   * streams can still decide and write. @defaultValue 50
   */
  maxOpen?: number | undefined
}

/**
 * Returns a handler that refuses requests of a user who has too many open ones, with status 429 and the code `too_many_requests`. It
 * counts in this process. For any handler of chats (`chatHandler`, `agUiHandler`), tasks (`tasksHandler`) or your own.
 * @example
 * const user = (request: Request) => request.headers.get('x-user')
 * const handle = limitPerUser(async () => new Response('one line'), { user, maxOpen: 1 })
 * const request = () => new Request('https://a.example/chat', { headers: { 'x-user': 'ann' } })
 * const first = await handle(request())
 * const second = await handle(request())
 * second.status // => 429
 * await first.text()
 * const third = await handle(request())
 * third.status // => 200
 */
export function limitPerUser(
  handle: (request: Request) => Promise<Response>,
  options: UserLimits,
): (request: Request) => Promise<Response> {
  checkOptions('limitPerUser', options, { user: required(callback), maxOpen: wholeNumber(1) })
  const { user: userOf, maxOpen = 50 } = options
  const [reading, others] = [new Map<string, number>(), new Map<string, number>()]
  return async (request) => {
    const user: unknown = await userOf(request)
    if (!isUser(user)) return handle(request)
    const open = request.method === 'GET' ? reading : others
    const count = open.get(user) ?? 0
    if (count >= maxOpen) return tooMany(maxOpen)
    open.set(user, count + 1)
    const close = once(() => {
      const left = open.get(user)! - 1
      if (left === 0) open.delete(user)
      else open.set(user, left)
    })
    try {
      return whileRead(await handle(request), request.signal, close)
    } catch (error) {
      close()
      throw error
    }
  }
}

function tooMany(maxOpen: number): Response {
  const message = `At most ${maxOpen} requests of a user may be open at once.`
  return refusal(429, { code: 'too_many_requests', message }, { 'retry-after': '1' })
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}

/** Returns a response; `close` is called when it has been read, or its reader leaves. */
function whileRead(response: Response, signal: AbortSignal, close: () => void): Response {
  const { status, statusText, headers } = response
  const reader = response.body?.getReader()
  if (!reader) {
    close()
    return response
  }
  // Some servers neither read nor cancel the response when the client has left.
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        close()
        controller.close()
      } catch (error) {
        close()
        throw error
      }
    },
    cancel(reason) {
      close()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status, statusText, headers })
}
