import { describe, expect, it } from 'vitest'
import { limitPerUser } from './limit-per-user.ts'

const user = (request: Request) => request.headers.get('x-user')
const requestOf = (name: string | null, signal: AbortSignal | null = null, method = 'GET') =>
  new Request('https://a.example/chat', { method, headers: name === null ? {} : { 'x-user': name }, signal })

/** A handler whose responses end when their streams are closed. */
function world(maxOpen: number) {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const cancelled: unknown[] = []
  let fails = false
  const handle = limitPerUser(
    async () => {
      if (fails) throw new Error('down')
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void streams.push(controller),
        cancel: (reason) => void cancelled.push(reason),
      })
      return new Response(body, { status: 201, headers: { 'x-own': 'yes' } })
    },
    { user, maxOpen },
  )
  return { handle, streams, cancelled, fail: (on: boolean) => (fails = on) }
}

describe('limitPerUser', () => {
  it('refuses what a user has open beyond the limit, and nobody else', async () => {
    const { handle, streams } = world(2)
    const first = await handle(requestOf('ann'))
    expect([first.status, first.headers.get('x-own')]).toEqual([201, 'yes'])
    expect((await handle(requestOf('ann'))).status).toBe(201)
    const third = await handle(requestOf('ann'))
    const refusal = { code: 'too_many_requests', message: 'At most 2 requests of a user may be open at once.' }
    // As those of handlers of tasks, and of chats.
    expect([third.status, await third.json()]).toEqual([429, { ...refusal, error: refusal }])
    for (const other of ['bob', 'Ann', null, null, null]) expect((await handle(requestOf(other))).status).toBe(201)
    streams[0]!.enqueue(new TextEncoder().encode('whole'))
    streams[0]!.close()
    expect(await first.text()).toBe('whole')
    expect((await handle(requestOf('ann'))).status).toBe(201)
    expect((await handle(requestOf('ann'))).status).toBe(429)
  })

  it('lets a user whose streams are all open decide', async () => {
    const { handle } = world(2)
    const statuses = async (method: string) => {
      const answers = await Promise.all([1, 2, 3].map(() => handle(requestOf('ann', null, method))))
      return answers.map(({ status }) => status)
    }
    expect(await statuses('GET')).toEqual([201, 201, 429])
    expect(await statuses('POST')).toEqual([201, 201, 429])
    expect(await statuses('DELETE')).toEqual([429, 429, 429])
  })

  it('counts a request until its reader leaves, the request is aborted, or its stream breaks', async () => {
    const { handle, streams, cancelled } = world(1)
    const left = await handle(requestOf('ann'))
    await left.body!.cancel('gone')
    expect(cancelled).toEqual(['gone'])
    const client = new AbortController()
    expect((await handle(requestOf('ann', client.signal))).status).toBe(201)
    client.abort()
    const broken = await handle(requestOf('ann'))
    expect(broken.status).toBe(201)
    streams.at(-1)!.error(new Error('broken'))
    await expect(broken.text()).rejects.toThrow('broken')
    expect((await handle(requestOf('ann'))).status).toBe(201)
    expect((await handle(requestOf('ann'))).status).toBe(429)
  })

  it('does not count a request that was aborted before its response began', async () => {
    const client = new AbortController()
    const handle = limitPerUser(
      async () => {
        client.abort()
        return new Response(new ReadableStream())
      },
      { user, maxOpen: 1 },
    )
    for (let i = 0; i < 2; i++) expect((await handle(requestOf('ann', client.signal))).status).toBe(200)
  })

  it('does not count a request that failed, or has no body', async () => {
    const { handle, fail } = world(1)
    fail(true)
    await expect(handle(requestOf('ann'))).rejects.toThrow('down')
    fail(false)
    expect((await handle(requestOf('ann'))).status).toBe(201)
    const empty = limitPerUser(async () => new Response(null, { status: 204 }), { user, maxOpen: 1 })
    for (let i = 0; i < 3; i++) expect((await empty(requestOf('ann'))).status).toBe(204)
  })

  it('allows 50 open requests by default', async () => {
    const handle = limitPerUser(async () => new Response(new ReadableStream()), { user })
    const statuses = await Promise.all(Array.from({ length: 51 }, async () => (await handle(requestOf('ann'))).status))
    expect(statuses).toEqual([...Array<number>(50).fill(200), 429])
  })

  it('lets 2,000 requests of one user through only as far as the limit', async () => {
    const { handle } = world(50)
    const answers = await Promise.all(Array.from({ length: 2000 }, () => handle(requestOf('ann'))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
  })

  it.each([{ maxOpen: 1 }, { user, maxOpen: 0 }, { user, limit: 5 }])('refuses %o', (options) => {
    expect(() => limitPerUser(async () => new Response(), options as never)).toThrow('limitPerUser')
  })
})
