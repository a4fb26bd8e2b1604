/**
 * @module
 * Reads a stream of server-sent events, which may be split anywhere.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { jsonOr } from '@x/core/values'
import { ModelCallError } from '../llm/model-call-error.ts'

/** The maximum number of characters of one event; a longer event is not an answer of a model. */
const MAX_EVENT_LENGTH = 2 ** 25

/** An event of a stream. */
export interface ServerSentEvent {
  data: string
  /** Whether it reports an error by its name, as in `event: error`, or in a line `error: …`. */
  isError: boolean
}

/**
 * Yields each event as soon as it is complete, and null for comments and for events without data, which show that the server is still at
 * work. Data after the last empty line is yielded too, because some servers omit that line, but not JSON that was cut.
 * @throws {ModelCallError} of kind `bad_response` when an event is longer than 32 million characters.
 */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent | null, void, undefined> {
  const decoder = new TextDecoder()
  const lines = new LineReader()
  const event = new EventReader()
  for await (const chunk of bytes) {
    for (const line of lines.push(decoder.decode(chunk, { stream: true }))) {
      if (line === '') yield* event.end()
      else event.add(line)
    }
    if (event.length + lines.length > MAX_EVENT_LENGTH)
      throw new ModelCallError('The server sent an event that is too long.', { kind: 'bad_response' })
  }
  event.add(lines.end())
  for (const last of event.end()) if (last && isComplete(last.data)) yield last
}

/** Collects the lines of an event. */
class EventReader {
  private data: string[] = []
  private isError = false
  /** Whether the event is JSON without names of fields. */
  private isBare = false
  /** The number of characters of the data. */
  length = 0

  add(line: string): void {
    // Some servers write an error as lines of their own, with the name `error`, or as JSON without any.
    this.isBare ||= line[0] === '{'
    const [, name, text = ''] = this.isBare ? [line, 'data', line] : (/^(data|event|error): ?(.*)$/s.exec(line) ?? [])
    if (name === 'event') this.isError ||= text === 'error'
    else if (name) {
      this.isError ||= name === 'error'
      this.data.push(text)
      this.length += line.length
    }
  }

  /**
   * Returns the event, or null if it has no data, and begins the next one. Several events, if each line is one: some servers leave out the
   * empty lines between them.
   */
  end(): (ServerSentEvent | null)[] {
    const { isError, data } = this
    this.data = []
    this.length = 0
    this.isError = this.isBare = false
    const isSeveral = data.length > 1 && data.slice(0, -1).every(isComplete)
    const events = isSeveral ? data : [data.join('\n')]
    return events.map((text) => (text.trim() === '' ? null : { data: text, isError }))
  }
}

function isComplete(text: string): boolean {
  return text.trim() === '[DONE]' || jsonOr(text) !== undefined
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
