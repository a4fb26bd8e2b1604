/**
 * @module
 * Lines as an HTTP response.
 */
import { checkGiven } from '@x/core/options'
import { streamOf } from '@x/core-model/async'

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
