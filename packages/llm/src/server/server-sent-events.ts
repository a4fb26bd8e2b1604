/**
 * @module
 * Reads a stream of server-sent events, which may be split anywhere.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { ModelCallError } from '../llm/model-call-error.ts'

/** The maximum number of characters of one event; a longer event is not an answer of a model. */
const MAX_EVENT_LENGTH = 2 ** 25

/**
 * Yields the `data` of each event as soon as it is complete. Data after the last empty line is yielded too, because some servers omit that
 * line, but not JSON that was cut.
 * @throws {ModelCallError} of kind `bad_response` when an event is longer than 32 million characters.
 */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const lines = new LineReader()
  let data: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    for (const line of lines.push(decoder.decode(chunk, { stream: true }))) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
        length = 0
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5))
        length += line.length
      }
    }
    if (length + lines.length > MAX_EVENT_LENGTH)
      throw new ModelCallError('The server sent an event that is too long.', { kind: 'bad_response' })
  }
  const rest = lines.end()
  if (rest.startsWith('data:')) data.push(rest.slice(rest[5] === ' ' ? 6 : 5))
  const last = data.join('\n')
  if (last === '[DONE]' || isJson(last)) yield last
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Splits text that arrives in pieces at CR LF, LF and CR, in linear time. */
class LineReader {
  /** The pieces of the line that is not complete yet. */
  private pieces: string[] = []
  private endsWithReturn = false
  /** The number of characters of this line. */
  length = 0

  push(text: string): string[] {
    // A CR at the end of the previous piece has already ended its line; an LF after it belongs to the same line ending.
    const rest = this.endsWithReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text === '') return []
    this.endsWithReturn = text.endsWith('\r')
    const lines = rest.split(/\r\n|\n|\r/)
    const last = lines.pop()!
    if (lines.length === 0) this.keep(last)
    else {
      lines[0] = this.end() + lines[0]
      this.keep(last)
    }
    return lines
  }

  /** Returns the incomplete last line. */
  end(): string {
    const line = this.pieces.join('')
    this.pieces = []
    this.length = 0
    return line
  }

  private keep(piece: string): void {
    if (piece === '') return
    this.pieces.push(piece)
    this.length += piece.length
  }
}
