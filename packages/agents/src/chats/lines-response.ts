/**
 * @module
 * Lines as an HTTP response.
 */

/**
 * Returns lines as an HTTP response, each as soon as it is there. Leaving it ends `lines`.
 * @param headers - besides those against caches and buffers. @defaultValue server-sent events
 * @example
 * async function* lines() {
 *   yield 'data: 1\n\n'
 * }
 * await linesResponse(lines()).text() // => 'data: 1\n\n'
 */
export function linesResponse(
  lines: AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' },
): Response {
  const iterator = lines[Symbol.asyncIterator]()
  const stream = new ReadableStream<string>({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => void (await iterator.return?.()),
  })
  // Proxies must not delay the lines.
  const own = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no', ...headers }
  return new Response(stream.pipeThrough(new TextEncoderStream()), { headers: own })
}
