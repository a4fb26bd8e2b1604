import { pause } from '@x/core-model/async'
import { InMemoryKeyValueStore } from '@x/storage'
import { expect, it, vi } from 'vitest'
import { type ChatStreams, storedChatStreams } from './chat-streams.ts'

const piecesOf = async (streams: ChatStreams) => {
  const pieces: string[] = []
  for await (const piece of (await streams.follow('chat')) ?? []) pieces.push(piece)
  return pieces
}

/** A store whose writes fail or wait as long as the test wants. */
class HeldStore extends InMemoryKeyValueStore {
  failure: Error | undefined
  /** Thrown after the write. */
  lost: Error | undefined
  held: Promise<void> | undefined

  override async put(...row: Parameters<InMemoryKeyValueStore['put']>): Promise<void> {
    await this.held
    if (this.failure) throw this.failure
    await super.put(...row)
    if (this.lost && row[0] === 'chat') throw this.lost
  }
}

it('a writer that was silent for too long stops when another run has begun', async () => {
  const store = new HeldStore()
  const options = { pollMs: 10, deadAfterMs: 40 }
  const silent = (await storedChatStreams(store, options).begin('chat'))!
  let release = () => {}
  store.held = new Promise((resolve) => {
    release = resolve
  })
  silent.writeLine('old')
  await pause(60)
  store.held = undefined
  const other = storedChatStreams(store, options)
  const next = (await other.begin('chat'))!
  next.writeLine('new')
  const pieces = piecesOf(other)
  release()
  await expect.poll(() => silent.stopped.aborted).toBe(true)
  expect(silent.stopped.reason.message).toContain('Another run of the chat began')
  silent.writeLine('old too')
  await silent.finish()
  await next.finish()
  expect(await pieces).toEqual(['new'])
})

it('a write that fails is repeated with the next pieces', async () => {
  const store = new HeldStore()
  const streams = storedChatStreams(store, { pollMs: 10 })
  const writer = (await streams.begin('chat'))!
  const pieces = piecesOf(streams)
  store.failure = new Error('the database restarts')
  writer.writeLine('one')
  await pause(40)
  writer.writeLine('two')
  store.failure = undefined
  await writer.finish()
  expect(await pieces).toEqual(['one', 'two'])
})

it('a write whose answer is lost loses no pieces for those who follow', async () => {
  const store = new HeldStore()
  const streams = storedChatStreams(store, { pollMs: 10 })
  const writer = (await streams.begin('chat'))!
  const seen: string[] = []
  const following = (async () => {
    for await (const piece of (await streams.follow('chat'))!) seen.push(piece)
  })()
  store.lost = new Error('the connection broke')
  writer.writeLine('one')
  await expect.poll(() => seen).toEqual(['one'])
  writer.writeLine('two')
  await pause(30)
  store.lost = undefined
  writer.writeLine('three')
  await writer.finish()
  await following
  expect(seen).toEqual(['one', 'two', 'three'])
})

it('a store that fails once at the end does not keep the chat busy', async () => {
  const store = new HeldStore()
  const streams = storedChatStreams(store, { pollMs: 50 })
  const writer = (await streams.begin('chat'))!
  store.failure = new Error('the database restarts')
  writer.writeLine('one')
  const finishing = writer.finish()
  await pause(10)
  store.failure = undefined
  await finishing
  const next = await streams.begin('chat')
  expect(next).not.toBeNull()
  await next?.finish()
})

it('a store that fails at the end is reported', async () => {
  const store = new HeldStore()
  const writer = (await storedChatStreams(store, { pollMs: 10 }).begin('chat'))!
  store.failure = new Error('no space')
  writer.writeLine('one')
  await expect(writer.finish()).rejects.toThrow('no space')
})

it('a run that ended without notice before the clock was put back does not hold the chat', async () => {
  const store = new InMemoryKeyValueStore()
  const at = Date.now() + 3_600_000
  await store.put('chat', { run: 'old', count: 0, isEnded: false, at }, 'chat_streams')
  const streams = storedChatStreams(store, { pollMs: 10 })
  expect(await streams.follow('chat')).toBeNull()
  const writer = await streams.begin('chat')
  expect(writer).not.toBeNull()
  await writer?.finish()
})

it('a run that has been silent for ten seconds has ended by default', async () => {
  const store = new InMemoryKeyValueStore()
  const streams = storedChatStreams(store)
  try {
    for (const [silence, goesOn] of [
      [9_999, true],
      [10_000, false],
    ] as const) {
      await store.put('chat', { run: 'old', count: 0, isEnded: false, at: 0 }, 'chat_streams')
      vi.setSystemTime(silence)
      expect((await streams.follow('chat')) !== null).toBe(goesOn)
      expect((await streams.begin('chat')) === null).toBe(goesOn)
    }
  } finally {
    vi.useRealTimers()
  }
})

it('a stream whose process ends before its run throws, and one whose run ends does not', async () => {
  const store = new InMemoryKeyValueStore()
  const streams = storedChatStreams(store, { pollMs: 10, deadAfterMs: 40 })
  await store.put('old/0', { pieces: ['half an '] }, 'chat_streams')
  await store.put('chat', { run: 'old', count: 1, isEnded: false, at: Date.now() }, 'chat_streams')
  const read: string[] = []
  const reading = (async () => {
    for await (const piece of (await streams.follow('chat'))!) read.push(piece)
  })()
  await expect(reading).rejects.toMatchObject({ code: 'abort' })
  expect(read).toEqual(['half an '])
  const writer = (await streams.begin('chat'))!
  const pieces = piecesOf(streams)
  writer.writeLine('whole')
  await writer.finish()
  expect(await pieces).toEqual(['whole'])
})

it('nothing is kept of a run some time after its end, or when its chat is deleted', async () => {
  const store = new InMemoryKeyValueStore()
  const kept = async () => Object.keys(await store.getAll('chat_streams'))
  const run = async (streams: ChatStreams) => {
    const writer = (await streams.begin('chat'))!
    writer.writeLine('one')
    await streams.stop('chat')
    await writer.finish()
  }
  await run(storedChatStreams(store, { pollMs: 10, deadAfterMs: 30 }))
  expect(await kept()).toHaveLength(3)
  await expect.poll(kept).toEqual([])
  const slow = storedChatStreams(store, { pollMs: 10 })
  await run(slow)
  await slow.delete?.('chat')
  expect(await kept()).toEqual([])
})
