/**
 * @module
 * Parses server-sent events.
 */

/** Yields the `data` of each event of a stream as soon as it is complete. */
export async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart())
      else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      }
    }
  }
  if (rest.startsWith('data:')) data.push(rest.slice('data:'.length).trim())
  if (data.length > 0) yield data.join('\n')
}
