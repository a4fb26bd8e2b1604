/**
 * @module
 * Bodies of HTTP requests and responses: text within a limit, and lines as they come.
 */
import { checkGiven, checkOption, required } from '@x/core/options'
import { streamOf } from '@x/core-model/async'

/** Returns the body of a request as text; null if it has more bytes, without reading more of them than that. */
export async function requestText(request: Request, maxBytes: number): Promise<string | null> {
  checkOption('requestText', 'request', request, required('a request', 'headers'))
  // A body that says so is not even opened, so that a server of Node can still respond.
  if (Number(request.headers.get('content-length')) > maxBytes) return null
  const decoder = new TextDecoder()
  const reader = request.body?.getReader()
  let text = ''
  let count = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    count += next.value.length
    if (count > maxBytes) {
      reader?.cancel().catch(() => {})
      return null
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Returns lines as an HTTP response, each as soon as it is there. Leaving it ends `lines`.
 * @param headers - in addition to those against caches and buffers, and in place of the content type of server-sent events
 * @example
 * async function* lines() {
 *   yield 'data: 1\n\n'
 * }
 * await linesResponse(lines()).text() // => 'data: 1\n\n'
 */
export function linesResponse(lines: AsyncIterable<string>, headers?: Readonly<Record<string, string>>): Response {
  checkGiven('linesResponse', { lines }, 'an iterable of lines', Symbol.asyncIterator)
  return new Response(streamOf(lines).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      // Proxies must not delay the lines.
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}
