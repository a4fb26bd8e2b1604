import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serverSentEvents } from './server-sent-events.ts'

async function eventsOf(chunks: readonly Uint8Array[]): Promise<string[]> {
  async function* stream() {
    yield* chunks
  }
  const events: string[] = []
  for await (const event of serverSentEvents(stream())) events.push(event)
  return events
}

describe('serverSentEvents', () => {
  it.each(['\n', '\r\n', '\r'])('parses events with any line ending (%j)', async (end) => {
    const text = [': a comment', 'data: one', '', 'event: x', 'data:two', 'data: lines', '', '', 'data: last'].join(end)
    expect(await eventsOf([new TextEncoder().encode(text)])).toEqual(['one', 'two\nlines', 'last'])
  })

  it('yields the same events wherever the bytes are split', async () => {
    const bytes = new TextEncoder().encode('data: {"a":"ä€😀"}\r\n\r\ndata: b\r\ndata: c\n\n')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), bytes.length]
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end))
        expect(await eventsOf(chunks)).toEqual(['{"a":"ä€😀"}', 'b\nc'])
      }),
    )
  })
})
