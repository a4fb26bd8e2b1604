/**
 * @module
 * Servers for this machine alone.
 */
import { refusal } from './http.ts'

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** What keeps other pages from showing or loading what a server on this machine returns. */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Returns a handler for programs and pages on this machine alone. It refuses, with status 403, requests whose `Host` is not `localhost`,
 * `127.0.0.1` or `[::1]`, such as those of a name that was bound to this machine (DNS rebinding), and requests of pages of any other
 * origin, also of another port. Responses get headers against frames and loading by other pages, unless they have their own.
 * @example
 * const handle = localOnly(async () => new Response('secret'))
 * const from = (headers: Record<string, string>) => handle(new Request('http://localhost:4321/', { headers }))
 * const own = await from({ origin: 'http://localhost:4321' })
 * own.status // => 200
 * const other = await from({ origin: 'http://localhost:3000' })
 * other.status // => 403
 */
export function localOnly(handle: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return async (request) => {
    const host = request.headers.get('host') ?? new URL(request.url).host
    const origin = request.headers.get('origin')
    if (!LOCAL.test(host)) return refused('host', 'The host of a request must be this machine.')
    if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`)
      return refused('origin', 'Pages of other origins may not use this server.')
    return withHeaders(await handle(request))
  }
}

function refused(code: string, message: string): Response {
  return withHeaders(refusal(403, { code, message }))
}

function withHeaders(response: Response): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(HEADERS)) if (!headers.has(name)) headers.set(name, value)
  const { status, statusText, body } = response
  return new Response(body, { status, statusText, headers })
}
