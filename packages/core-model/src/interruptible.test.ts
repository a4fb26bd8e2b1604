import { describe, expect, it, vi } from 'vitest'
import { raceAbort } from './abort.ts'
import { interruptible, relay, streamOf, untilLeft } from './interruptible.ts'

/** Yields a number, and is silent then. */
function silent() {
  const left = new AbortController()
  const log: string[] = []
  async function* values() {
    try {
      log.push('starts')
      yield 1
      yield await raceAbort(new Promise<number>(() => {}), left.signal)
    } finally {
      log.push('ends')
    }
  }
  return { items: interruptible(values(), () => left.abort(new Error('left'))), log }
}

const through = (items: AsyncGenerator<number>) =>
  relay<number>(async function* (read) {
    for await (const item of read(items)) yield 10 * item
  })

describe('return', () => {
  it.each([
    ['an interruptible generator', (items: AsyncGenerator<number>) => items],
    ['a relay', through],
    ['a relay of a relay', (items: AsyncGenerator<number>) => through(through(items))],
  ])('ends %s while a value is awaited', async (_, make) => {
    const { items, log } = silent()
    const reader = make(items)
    await reader.next()
    const next = reader.next()
    const rejected = expect(next).rejects.toThrow('left')
    expect(await reader.return(undefined)).toEqual({ value: undefined, done: true })
    await rejected
    expect(log).toEqual(['starts', 'ends'])
  })

  it('ends a relay before it reads, so that its source never starts', async () => {
    const { items, log } = silent()
    let open = () => {}
    const ready = new Promise<void>((resolve) => {
      open = resolve
    })
    const reader = relay<number>(async function* (read) {
      await ready
      yield* read(items)
    })
    const next = reader.next()
    const left = reader.return(undefined)
    open()
    expect(await next).toEqual({ value: undefined, done: true })
    await left
    expect(log).toEqual([])
  })

  it('ends a source without a method return where it is', async () => {
    const reader = relay<number>(async function* (read) {
      yield* read({ [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }) }) })
    })
    expect((await reader.next()).value).toBe(1)
    expect((await reader.return(undefined)).done).toBe(true)
  })
})

describe('relay', () => {
  it('ends the iterator of a source that is no iterator itself', async () => {
    const { items, log } = silent()
    const reader = relay<number>(async function* (read) {
      yield* read({ [Symbol.asyncIterator]: () => items })
    })
    await reader.next()
    const next = reader.next()
    const rejected = expect(next).rejects.toThrow('left')
    await reader.return(undefined)
    await rejected
    expect(log).toEqual(['starts', 'ends'])
  })

  it('reads an array', async () => {
    const reader = relay<number>(async function* (read) {
      yield* read([1])
    })
    expect((await reader.next()).value).toBe(1)
    expect((await reader.next()).done).toBe(true)
  })
})

describe('untilLeft', () => {
  const forever = async function* (signal: AbortSignal) {
    yield await raceAbort(new Promise<number>(() => {}), signal)
  }

  it('aborts its signal when the reader leaves, and with the other signal', async () => {
    const left = untilLeft(undefined, forever)
    const next = expect(left.next()).rejects.toMatchObject({ name: 'AbortError' })
    await left.return()
    await next
    const stop = new AbortController()
    const stopped = expect(untilLeft(stop.signal, forever).next()).rejects.toThrow('enough')
    stop.abort(new Error('enough'))
    await stopped
  })

  it('refuses what makes no generator, and leaves nothing on the other signal at its end', async () => {
    expect(() => untilLeft(undefined, 5 as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    const { signal } = new AbortController()
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    for await (const _ of untilLeft(signal, async function* () {
      yield 1
    }));
    expect(add).toHaveBeenCalledTimes(1)
    expect(remove).toHaveBeenCalledTimes(1)
  })

  it('begins with the first read, and returns the result', async () => {
    let begun = false
    const items = untilLeft(undefined, async function* () {
      begun = true
      yield 1
      return 2
    })
    expect(begun).toBe(false)
    expect(await items.next()).toEqual({ value: 1, done: false })
    expect(await items.next()).toEqual({ value: 2, done: true })
  })
})

describe('streamOf', () => {
  it('ends with the last item', async () => {
    async function* items() {
      yield 'a'
    }
    const reader = streamOf(items()).getReader()
    expect(await reader.read()).toEqual({ value: 'a', done: false })
    expect(await reader.read()).toEqual({ value: undefined, done: true })
  })

  it('returns the items and the error', async () => {
    async function* failing() {
      yield 'a'
      throw new Error('broken')
    }
    const reader = streamOf(failing()).getReader()
    expect(await reader.read()).toEqual({ value: 'a', done: false })
    await expect(reader.read()).rejects.toThrow('broken')
  })

  it('ends the items when it is cancelled, while the next one is awaited', async () => {
    const { items, log } = silent()
    const reader = streamOf(items).getReader()
    await reader.read()
    await reader.cancel()
    expect(log).toEqual(['starts', 'ends'])
  })
})
