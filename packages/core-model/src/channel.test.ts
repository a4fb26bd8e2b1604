import { expect, it } from 'vitest'
import { Channel, EarlyEnd, reportsOf } from './channel.ts'

/** The number of items that a channel refers to, whatever its fields are. */
const held = (channel: object) =>
  Object.values(channel)
    .flatMap((value) => (Array.isArray(value) ? value : []))
    .filter((item) => item !== undefined).length

it('refers to nothing that its reader has read, also if the reader is always behind', async () => {
  const channel = new Channel<object>()
  for (let i = 0; i < 10; i++) channel.push({})
  for (let i = 0; i < 5000; i++) {
    channel.push({ i })
    await channel.next()
    if (i % 1000 === 0) expect(held(channel)).toBe(10)
  }
  expect(held(channel)).toBe(10)
})

it('yields what was added in order, then its result once, or its error once', async () => {
  const channel = new Channel<number, string>()
  const first = channel.next()
  for (const item of [1, 2, 3]) channel.push(item)
  channel.close('end')
  expect(await first).toEqual({ done: false, value: 1 })
  expect(await channel.next()).toEqual({ done: false, value: 2 })
  expect(await channel.next()).toEqual({ done: false, value: 3 })
  expect(await channel.next()).toEqual({ done: true, value: 'end' })
  expect(await channel.next()).toEqual({ done: true, value: undefined })
  const failing = new Channel<number>()
  const reads = [failing.next(), failing.next()]
  failing.fail(new Error('broken'))
  expect(await Promise.allSettled(reads)).toMatchObject([
    { status: 'rejected', reason: { message: 'broken' } },
    { status: 'fulfilled', value: { done: true } },
  ])
})

it('says when there is room, also when its reader has left', async () => {
  const channel = new Channel<number>({ limit: 2 })
  expect(channel.push(1)).toBeUndefined()
  const full = channel.push(2)
  expect(full).toBeInstanceOf(Promise)
  expect(channel.ready()).toBe(full)
  await channel.next()
  await full
  expect(channel.ready()).toBeUndefined()
  const again = channel.push(3)
  await channel.return()
  await again
  expect([channel.push(4), held(channel), await channel.next()]).toEqual([undefined, 0, { done: true }])
})

it('a run starts with the first read, and a reader that leaves waits for its end', async () => {
  const seen: string[] = []
  const run = (report: (item: number) => unknown, signal: AbortSignal) => {
    seen.push('started')
    report(1)
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        seen.push('aborted')
        setTimeout(() => resolve(void seen.push('over')))
      })
    })
  }
  expect(await reportsOf(undefined, run).return()).toEqual({ done: true, value: undefined })
  expect(seen).toEqual([])
  for await (const item of reportsOf(undefined, run)) {
    expect(item).toBe(1)
    break
  }
  expect(seen).toEqual(['started', 'aborted', 'over'])
  seen.length = 0
  const thrown = reportsOf(undefined, run)
  await thrown.next()
  await expect(thrown.throw(new Error('enough'))).rejects.toThrow('enough')
  expect(seen).toEqual(['started', 'aborted', 'over'])
})

it('a generator of the platform and a channel are disposed alike', async () => {
  const { asyncDispose } = Symbol as { asyncDispose?: symbol }
  if (!asyncDispose) return
  const channel = new Channel<number>()
  channel.push(1)
  await (channel as unknown as Record<symbol, () => Promise<void>>)[asyncDispose]!()
  expect(await channel.next()).toEqual({ done: true })
})

it('a wait that is over leaves nothing behind', async () => {
  const waits = new EarlyEnd()
  const open = waits['open' as never] as Set<unknown>
  expect(await waits.orEnd(Promise.resolve('done'))).toBe('done')
  await expect(waits.orEnd(Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await undefined
  expect(open.size).toBe(0)
  const waiting = waits.orEnd(new Promise(() => {}))
  expect(open.size).toBe(1)
  waits.end()
  expect(await waiting).toBeUndefined()
  expect(open.size).toBe(0)
})
