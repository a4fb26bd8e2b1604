import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { END, ModelServer, type ModelServerOptions, type ServerData } from './model-server.ts'

const KEY = 'K-12345678'
let loopback: LoopbackServer
let baseUrl: string
beforeEach(async () => {
  loopback = new LoopbackServer()
  baseUrl = await loopback.start()
})
afterEach(() => loopback.stop())

const open = (options: ModelServerOptions = {}): ModelServer =>
  ModelServer.of({ apiKey: KEY, ...options }, { title: 'SmallLLM', baseUrl })[0]

async function eventsOf(server: ModelServer, signal?: AbortSignal): Promise<ServerData[]> {
  const found: ServerData[] = []
  for await (const event of server.events('/chat', { stream: true }, { signal })) if (event) found.push(event)
  return found
}

describe('a request', () => {
  it('goes to the path under the address, with credentials, headers and body', async () => {
    loopback.willAnswer(json({ ok: true }))
    const server = open({ baseUrl: `${baseUrl}/?version=2`, apiKey: async () => KEY, headers: { a: '1' } })
    expect(await server.json('/chat', { b: 2 }, { headers: { c: '3' } })).toEqual({ ok: true })
    const [{ url, headers, body }] = loopback.requests as [(typeof loopback.requests)[0]]
    expect(url).toBe('/v1/chat?version=2')
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      a: '1',
      c: '3',
      'content-type': 'application/json',
    })
    expect(body).toEqual({ b: 2 })
  })

  it('sends user and password of the address as a header', async () => {
    loopback.willAnswer(json({}))
    await open({ baseUrl: baseUrl.replace('//', '//me:p%40ss@'), apiKey: undefined }).json('/chat', {}, {})
    expect(loopback.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
  })

  it('uses the fetch of the options', async () => {
    const own = (async () => new Response('{"mine":1}')) as typeof fetch
    expect(await open({ fetch: own }).json('/chat', {}, {})).toEqual({ mine: 1 })
  })

  it('needs no key, unless it goes to the address of a provider', async () => {
    loopback.willAnswer(json({ ok: true }))
    expect(await new ModelServer('SmallLLM', { baseUrl }).json('/chat', {}, {})).toEqual({ ok: true })
    const empty = open({ apiKey: async () => '' })
    await expect(empty.json('/chat', {}, {})).rejects.toMatchObject({ kind: 'auth' })
    loopback.willAnswer(json({ ok: true }))
    expect(await empty.json('/chat', {}, { headers: { authorization: 'own' } })).toEqual({ ok: true })
    for (const [apiKey, received] of [
      ['', 'an empty string'],
      [undefined, 'undefined'],
    ] as const)
      expect(() => open({ apiKey })).toThrow(`received ${received}; check its environment variable.`)
  })

  it.each([
    ['https://h/v1', { address: 'h' }],
    ['http://h:8080', { address: 'h', port: 8080 }],
    ['http://[::1]:8080', { address: '::1', port: 8080 }],
  ])('names the server of %s in events', (address, endpoint) => {
    expect(open({ baseUrl: address }).endpoint).toEqual(endpoint)
  })

  it('reads a character whose bytes come in two pieces', async () => {
    const serverOf = (text: string) => {
      const bytes = new TextEncoder().encode(text)
      const cut = bytes.indexOf(0xf0) + 2
      const body = new ReadableStream({
        start: (controller) => {
          for (const part of [bytes.slice(0, cut), bytes.slice(cut)]) controller.enqueue(part)
          controller.close()
        },
      })
      return open({ fetch: async () => new Response(body) })
    }
    expect(await serverOf('{"fruit":"🍎"}').json('/chat', {}, {})).toEqual({ fruit: '🍎' })
    expect(await eventsOf(serverOf('data: {"fruit":"🍎"}\n\n'))).toEqual([{ fruit: '🍎' }])
  })

  it.each([{ baseUrl: 'not an address' }, { maxAnswerBytes: 0 }])('refuses the option %j', (options) => {
    expect(() => open(options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('does not show its key', () => {
    expect(inspect(open(), { depth: 9 })).not.toContain(KEY)
  })
})

describe('a stream', () => {
  it('has an object for each event, and an end', async () => {
    loopback.willAnswer(pieces(['data: {"a":1}\r\n\r\nda', 'ta: {"a"\ndata: :2}\n\n: comment\n\n', 'data: [DONE]\n\n']))
    const events = await eventsOf(open())
    expect(events).toEqual([{ a: 1 }, { a: 2 }, {}])
    expect(events[2]).toBe(END)
  })

  it.each([
    [
      'events of another type',
      pieces(['data: {"a":1}\n\ndata: {"a":2}'], { type: 'text/plain' }),
      [{ a: 1 }, { a: 2 }],
    ],
    ['one object', json({ a: 1 }), [{ a: 1 }]],
    ['events without data', pieces(['data:\n\n: here\n\nevent: ping\n\ndata: {"a":1}\n\n']), [{ a: 1 }]],
    ['events without empty lines', pieces(['data: {"a":1}\ndata: {"a":2}\n']), [{ a: 1 }, { a: 2 }]],
    ['CR at the end of pieces', pieces(['data: {"a":1}\r', '\n\r', '\ndata: {"a":2}\r\r']), [{ a: 1 }, { a: 2 }]],
    ['LF at the start of pieces', pieces(['data: {"a"', '\ndata: :1}', '\n\n']), [{ a: 1 }]],
    ['an event that is cut', pieces(['data: {"a":1}\n\ndata: {"a":']), [{ a: 1 }]],
    ['an end between blanks', pieces(['data: {"a":1}\n\ndata:  [DONE] \n\n']), [{ a: 1 }, END]],
    ['an end without line end', pieces(['data: {"a":1}\n\ndata: [DONE]']), [{ a: 1 }, END]],
    ['nothing behind its end', pieces(['data: [DONE]\n\ndata: {"a":1}\n\n']), [END]],
  ])('may consist of %s', async (_, answer, expected) => {
    loopback.willAnswer(answer)
    expect(await eventsOf(open())).toEqual(expected)
  })

  it('closes the connection when the reader leaves', async () => {
    loopback.willAnswer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n')
    })
    for await (const _ of open().events('/chat', {}, {})) break
    await expect.poll(() => loopback.left).toBe(1)
  })

  it('may be longer than an event', async () => {
    const event = `data: {"a":"${'x'.repeat(2 ** 20)}"}\n\n`
    loopback.willAnswer(pieces(Array<string>(34).fill(event)))
    expect(await eventsOf(open())).toHaveLength(34)
  })

  it('refuses an event that never ends', async () => {
    const long = `data: ${'x'.repeat(2 ** 20)}`
    loopback.willAnswer(pieces(Array<string>(34).fill(long)))
    await expect(eventsOf(open())).rejects.toMatchObject({ kind: 'bad_response', message: /too long/ })
  })
})

describe('an error', () => {
  const answering = (text: string, init?: ResponseInit) =>
    open({ baseUrl: 'https://h/v1', fetch: async () => new Response(text, init) })
  const messageOf = async (text: string, init?: ResponseInit) =>
    (
      await answering(text, init)
        .json('/chat', {}, {})
        .catch((error: Error) => error)
    ).message

  it('quotes the beginning of what is not JSON', async () => {
    const prefix = 'https://h/v1: expected JSON, received'
    expect(await messageOf('x'.repeat(201))).toBe(`${prefix} "${'x'.repeat(200)}".`)
    expect(await messageOf(`a${' '.repeat(398)}bc`)).toBe(`${prefix} "a b".`)
  })

  it.each([301, 302, 303, 307, 308])('of a redirect %i has its kind, and ends the answer', async (status) => {
    let cancelled = 0
    const body = () => new ReadableStream({ cancel: () => void cancelled++ })
    const server = open({ fetch: async () => new Response(body(), { status }) })
    await expect(server.json('/chat', {}, {})).rejects.toMatchObject({ kind: 'bad_request', message: /redirects/ })
    expect(cancelled).toBe(1)
  })

  it('is read from the first 65,536 bytes of an answer', async () => {
    const body = (length: number) => `{"message":"Broken"${' '.repeat(length - 20)}}`
    expect(await messageOf(body(65_536), { status: 400 })).toBe('https://h/v1: Broken (HTTP 400)')
    expect(await messageOf(body(65_537), { status: 400 })).toContain('{\\"message')
  })

  it('is reported instead of a stream that is a page', async () => {
    const headers = { 'content-type': 'text/html' }
    await expect(eventsOf(answering('<html></html>', { headers }))).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('is the text of an event that is named', async () => {
    loopback.willAnswer(pieces(['event: error\ndata: Broken\n\n']))
    await expect(eventsOf(open())).rejects.toThrow(/: Broken \(HTTP 500\)$/)
  })

  const message = `Slow down, ${KEY}`

  it.each([
    ['a status', json({ error: { message, code: 'rate_limit_exceeded' } }, 429, { 'retry-after': '2' }), 'rate_limit'],
    ['a text in the body', json({ error: message }, 503), 'overloaded'],
    ['a message in the body', json({ message }, 401), 'auth'],
    ['an answer with status 200', json({ error: { message, code: 429 } }), 'rate_limit'],
    ['a code without status', json({ error: { message, type: 'insufficient_quota' } }), 'rate_limit'],
    ['a code of authentication', json({ error: { message, code: 'invalid_api_key' } }), 'auth'],
    ['a code of a request', json({ error: { message, code: 'context_length_exceeded' } }), 'context_length'],
    ['a body that is not JSON', pieces([`<html>${KEY}</html>`], { type: 'text/html' }), 'bad_response'],
    ['a JSON array', json([KEY]), 'bad_response'],
    ['a JSON string', json(KEY), 'bad_response'],
    ['null', json(null), 'bad_response'],
    ['an empty body', pieces([]), 'bad_response'],
    ['no body', json(undefined, 204), 'bad_response'],
    ['a redirect', json({}, 307, { location: 'http://127.0.0.1:1/' }), 'bad_request'],
    ['a connection that breaks', pieces(['{"a":'], { end: 'destroy' }), 'connection'],
  ])('of %s has its kind, and contains no secret', async (_, answer, kind) => {
    loopback.willAnswer(answer)
    const error = (await open()
      .json('/chat', {}, {})
      .catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'model_call', kind })
    expect(error.message).toContain(baseUrl)
    expect(inspect(error, { depth: 9 })).not.toContain(KEY)
  })

  it('says how long to wait', async () => {
    loopback.willAnswer(json({}, 429, { 'retry-after': '2' }))
    await expect(open().json('/chat', {}, {})).rejects.toMatchObject({ retryAfterMs: 2000, retryable: true })
  })

  it('reports an answer that is longer than the limit', async () => {
    const server = open({ maxAnswerBytes: 50 })
    loopback.willAnswer(json({ a: 'x'.repeat(42) }))
    expect(await server.json('/chat', {}, {})).toEqual({ a: 'x'.repeat(42) })
    loopback.willAnswer(json({ a: 'x'.repeat(43) }))
    await expect(server.json('/chat', {}, {})).rejects.toThrow(/more than 50 bytes/)
    const half = new TextEncoder().encode(' '.repeat(26))
    const body = new ReadableStream({
      start(controller) {
        for (const part of [half, half]) controller.enqueue(part)
      },
    })
    const inPieces = open({ maxAnswerBytes: 50, fetch: async () => new Response(body) })
    await expect(inPieces.json('/chat', {}, {})).rejects.toThrow(/more than 50 bytes/)
  })

  const broken = { code: 'server_error', message: 'Broken' }
  it.each<[string, string]>([
    ['an event of the Responses interface', `data: ${JSON.stringify({ type: 'error', ...broken })}`],
    ['a failed response', `data: ${JSON.stringify({ type: 'response.failed', response: { error: broken } })}`],
    ['the choice', `data: ${JSON.stringify({ choices: [{ delta: {}, error: broken }] })}`],
    ['a string', 'data: {"error":"Broken"}'],
    ['an array', `data: ${JSON.stringify([{ error: broken }])}`],
    ['a string beside other data', 'data: {"id":"x","error":"Broken"}'],
    ['a sign of failure', 'data: {"id":"x","success":false,"message":"Broken"}'],
    ['an object of vLLM', `data: ${JSON.stringify({ object: 'error', ...broken })}`],
    ['a message alone', 'data: {"message":"Broken"}'],
    ['a detail', 'data: {"detail":[{"loc":["body"],"msg":"Broken"}]}'],
    ['an event that is named', 'event: error\ndata: {"code":1,"text":2,"message":"Broken"}'],
    ['an event that is named, with plain text', 'event: error\ndata: Broken'],
    ['a line with another name', `error: ${JSON.stringify(broken)}`],
    ['a line without a name', JSON.stringify({ error: broken })],
    ['lines without names', JSON.stringify({ error: broken }, null, 2)],
  ])('in a stream may be %s', async (_, event) => {
    loopback.willAnswer(pieces(['data: {"choices":[]}\n\n', `${event}\n\n`]))
    await expect(eventsOf(open())).rejects.toMatchObject({ kind: 'overloaded', message: /Broken/ })
  })

  it('of an abort is the reason of the signal', async () => {
    const controller = new AbortController()
    loopback.willAnswer(() => controller.abort('enough'))
    await expect(open().json('/chat', {}, { signal: controller.signal })).rejects.toBe('enough')
  })
})
