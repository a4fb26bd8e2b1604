import { describe, expect, it } from 'vitest'
import { FnComponent, InputComponent, Link, QueryPipeline } from './index.ts'
import { closeStream, isStream, letIdle, SharedInputs, SharedStream } from './shared-stream.ts'

/** Returns a stream of these pieces that records when it is read and closed. */
function source(pieces: readonly unknown[], seen: string[] = []) {
  async function* stream() {
    try {
      for (const piece of pieces) {
        seen.push(`read ${piece}`)
        if (piece instanceof Error) throw piece
        yield piece
      }
    } finally {
      seen.push('closed')
    }
  }
  return stream()
}

async function all(stream: unknown): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const piece of stream as AsyncIterable<unknown>) found.push(piece)
  return found
}

const readAll = () =>
  new FnComponent({ fn: async ({ x }: { x: unknown }) => (await all(x)).join(''), params: { required: ['x'] } })

describe('SharedStream', () => {
  it('passes all pieces to each reader, and reads the source once', async () => {
    const seen: string[] = []
    const shared = new SharedStream(source(['a', 'b'], seen))
    const readers = [shared.read(), shared.read()]
    shared.seal()
    expect(await Promise.all(readers.map(all))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(seen).toEqual(['read a', 'read b', 'closed'])
  })

  it('keeps pieces for a reader that starts late, and reads the source only as far as the fastest reader', async () => {
    const seen: string[] = []
    const shared = new SharedStream(source(['a', 'b'], seen))
    const first = shared.read() as AsyncIterator<unknown>
    expect(await first.next()).toEqual({ done: false, value: 'a' })
    expect(seen).toEqual(['read a'])
    expect(await all(shared.read())).toEqual(['a', 'b'])
    expect(await first.next()).toEqual({ done: false, value: 'b' })
    expect(await first.next()).toEqual({ done: true, value: undefined })
  })

  it('serves several waiting calls of one reader in order', async () => {
    const reader = new SharedStream(source(['a', 'b'])).read() as AsyncIterator<unknown>
    const results = await Promise.all([reader.next(), reader.next(), reader.next()])
    expect(results.map(({ value }) => value)).toEqual(['a', 'b', undefined])
  })

  it.each(['async', 'sync'] as const)(
    'drops pieces that all readers have read once there are no further readers: %s',
    async (kind) => {
      function* pieces() {
        for (let i = 0; i < 1000; i++) {
          yield { i }
        }
      }
      async function* asyncPieces() {
        yield* pieces()
      }
      const shared = new SharedStream(kind === 'async' ? asyncPieces() : pieces())
      const readers = [shared.read(), shared.read(), shared.read()] as AsyncIterator<{ i: number }>[]
      shared.seal()
      const kept = () => (shared as unknown as { pieces: { pieces: unknown[] } }).pieces.pieces.length
      await readers[2]!.return?.()
      let most = 0
      for (let i = 0; i < 1000; i++) {
        expect((await readers[0]!.next()).value).toEqual({ i })
        // The other reader is ten pieces behind.
        if (i >= 10) expect((await readers[1]!.next()).value).toEqual({ i: i - 10 })
        most = Math.max(most, kept())
      }
      expect(most).toBeLessThan(30)
      for (let i = 990; i < 1000; i++) expect((await readers[1]!.next()).value).toEqual({ i })
      expect([(await readers[0]!.next()).done, (await readers[1]!.next()).done, kept()]).toEqual([true, true, 0])
    },
  )

  it('passes an error to each reader, after the earlier pieces', async () => {
    const error = new Error('cut')
    const shared = new SharedStream(source(['a', error]))
    for (const reader of [shared.read(), shared.read()]) await expect(all(reader)).rejects.toBe(error)
  })

  it('stops the source after the last reader has stopped and there are no further readers', async () => {
    const seen: string[] = []
    const shared = new SharedStream(source(['a', 'b', 'c'], seen))
    const [one, two, watcher] = [shared.read(), shared.read(), shared.read({ passive: true })]
    for await (const _ of one as AsyncIterable<unknown>) break
    shared.seal()
    expect(seen).toEqual(['read a'])
    for await (const _ of two as AsyncIterable<unknown>) break
    expect(seen).toEqual(['read a', 'closed'])
    expect(await all(watcher)).toEqual(['a'])
    expect(await (one as AsyncIterator<unknown>).next()).toEqual({ done: true, value: undefined })
  })

  it('shares synchronous generators as synchronous generators', () => {
    function* numbers() {
      yield* [1, 2, 3]
    }
    const shared = new SharedStream(numbers())
    const [one, two] = [shared.read() as IterableIterator<number>, shared.read() as IterableIterator<number>]
    shared.seal()
    for (const _ of one) break
    expect([...two]).toEqual([1, 2, 3])
    expect([...one]).toEqual([])
    const error = new Error('bad')
    const failing = new SharedStream(
      (function* (): Generator<number> {
        yield 1
        throw error
      })(),
    )
    for (let i = 0; i < 2; i++) expect(() => [...(failing.read() as IterableIterator<number>)]).toThrow(error)
  })

  it('shares web streams as web streams', async () => {
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (const piece of ['a', 'b']) controller.enqueue(piece)
          controller.close()
        },
      })
    const shared = new SharedStream(stream())
    const [one, two] = [shared.read() as ReadableStream, shared.read() as ReadableStream]
    shared.seal()
    expect(one).toBeInstanceOf(ReadableStream)
    expect(await all(two)).toEqual(['a', 'b'])
    expect(await all(one)).toEqual(['a', 'b'])
  })

  it('isStream returns true for values that can be read once', () => {
    const once = [source([]), [1].values(), new Map().entries(), new ReadableStream()]
    const again = [null, 'text', [1], new Map(), { next: 1 }, { next() {} }, { async *[Symbol.asyncIterator]() {} }]
    expect(once.map(isStream)).toEqual(once.map(() => true))
    expect(again.map(isStream)).toEqual(again.map(() => false))
  })
})

it('SharedInputs passes the pieces of streams to each run', async () => {
  const shared = new SharedInputs({ stream: source(['a']), value: 1 })
  const runs = [shared.read(), shared.read()]
  shared.seal()
  for (const { stream, value } of runs) expect([await all(stream), value]).toEqual([['a'], 1])
})

describe('a stream in a pipeline', () => {
  const streaming = (seen?: string[]) =>
    new FnComponent({ fn: () => source(['str', 'eam'], seen), params: { required: [] } })

  it('is passed completely to each of several modules', async () => {
    const pipeline = new QueryPipeline({
      modules: { root: streaming(), a: readAll(), b: readAll() },
      links: [new Link('root', 'a'), new Link('root', 'b')],
    })
    expect(await pipeline.runMulti({ root: {} })).toEqual({ a: { output: 'stream' }, b: { output: 'stream' } })
  })

  it('is passed completely to a module after a condition and a conversion have read it', async () => {
    const pipeline = new QueryPipeline({ modules: { root: streaming(), a: readAll() } })
    pipeline.addLink('root', 'a', {
      conditionFn: async (stream: unknown) => (await all(stream)).length === 2,
      inputFn: async (stream: unknown) => (await all(stream)).map((piece) => `${piece}!`).values(),
    })
    expect(await pipeline.run({})).toBe('str!eam!')
  })

  it('can be left early by a module while another one has not begun', async () => {
    const head = new FnComponent({
      fn: async ({ x }: { x: ReadableStream<string> }) => {
        for await (const piece of x) return piece
        return ''
      },
      params: { required: ['x'] },
    })
    const web = () =>
      new ReadableStream({
        start(controller) {
          for (const piece of ['a', 'b']) controller.enqueue(piece)
          controller.close()
        },
      })
    const root = new FnComponent({ fn: web, params: { required: [] } })
    const both = new FnComponent({
      fn: async ({ x, y }: { x: string; y: unknown }) => `${x}:${(await all(y)).join('')}`,
      params: { required: ['x', 'y'] },
    })
    const pipeline = new QueryPipeline({ modules: { root, head, both } })
    pipeline.addLinks([new Link('root', 'head'), new Link('head', 'both', { destKey: 'x' })])
    pipeline.addLink('root', 'both', { destKey: 'y' })
    expect(await pipeline.run({})).toBe('a:ab')
  })

  it('is stopped with its last reader, although a condition did not read it', async () => {
    const seen: string[] = []
    const head = new FnComponent({
      fn: async ({ x }: { x: AsyncIterable<string> }) => {
        for await (const piece of x) return piece
        return ''
      },
      params: { required: ['x'] },
    })
    const pipeline = new QueryPipeline({ modules: { root: streaming(seen), head } })
    pipeline.addLink('root', 'head', { conditionFn: () => true })
    expect(await pipeline.run({})).toBe('str')
    expect(seen.at(-1)).toBe('closed')
  })

  it('is the output if no link delivers it, even after a condition has read it', async () => {
    const pipeline = new QueryPipeline({ modules: { root: streaming(), a: readAll() } })
    pipeline.addLink('root', 'a', { conditionFn: async (stream: unknown) => (await all(stream)).length === 9 })
    expect(await all(await pipeline.run({}))).toEqual(['str', 'eam'])
  })

  it('can be observed without consuming it, and is passed unchanged to a single reader', async () => {
    const seen: string[] = []
    const pipeline = new QueryPipeline({
      modules: { input: new InputComponent(), first: streaming(seen), last: readAll() },
      links: [new Link('first', 'last')],
    })
    const [, intermediates] = await new QueryPipeline({ chain: [streaming(), readAll()] }).runWithIntermediates({})
    expect(await all(intermediates['chain[0]']!.outputs['output'])).toEqual(['str', 'eam'])
    expect(await pipeline.runMulti({ input: {}, first: {} })).toMatchObject({ last: { output: 'stream' } })
    const own = source(['a'])
    let received: unknown
    const same = new QueryPipeline({
      chain: [
        new FnComponent({ fn: () => own, params: { required: [] } }),
        new FnComponent({ fn: ({ x }: { x: unknown }) => (received = x), params: { required: ['x'] } }),
      ],
    })
    expect(await same.run({})).toBe(own)
    expect(received).toBe(own)
  })
})

describe('a stream that nobody will read', () => {
  const streaming = (seen: string[]) =>
    new FnComponent({ fn: () => source(['a', 'b', 'c'], seen), params: { required: [] } })
  /** A stream that is open without having been read, such as a connection. */
  const opened = (seen: string[]) => {
    const stream = {
      next: async () => ({ done: false, value: 'x' }),
      return: async () => {
        seen.push('closed')
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => stream,
    }
    return new FnComponent({ fn: () => stream, params: { required: [] } })
  }
  const first = () =>
    new FnComponent({
      fn: async ({ v }: { v: AsyncIterable<string> }) => {
        for await (const piece of v) return piece
        return ''
      },
      params: { required: ['v'] },
    })
  const broken = () =>
    new FnComponent({
      fn: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        throw new Error('boom')
      },
      params: { required: ['x'] },
    })
  const both = () => new FnComponent({ fn: async ({ v }: { v: unknown }) => all(v), params: { required: ['v', 'w'] } })
  const web = (seen: string[]) =>
    new FnComponent({
      fn: () => new ReadableStream({ cancel: () => void seen.push('closed') }, { highWaterMark: 0 }),
      params: { required: [] },
    })

  it('is closed when its module is skipped, and another one has left it', async () => {
    const seen: string[] = []
    const no = new FnComponent({ fn: ({ z }: { z: string }) => z, params: { required: ['z'] } })
    const pipeline = new QueryPipeline({
      modules: { s: streaming(seen), a: first(), b: both(), no },
      links: [
        new Link('s', 'a'),
        new Link('s', 'b', { destKey: 'v' }),
        new Link('a', 'no'),
        new Link('no', 'b', { destKey: 'w', conditionFn: () => false }),
      ],
    })
    await pipeline.runMulti({ s: {} })
    await expect.poll(() => seen.at(-1)).toBe('closed')
    expect(seen).not.toContain('read c')
  })

  it.each([
    ['an iterator', opened],
    ['a web stream', web],
  ])('is closed when another module fails: %s', async (_, make) => {
    for (const inputFn of [undefined, (stream: never) => [stream].values()]) {
      const seen: string[] = []
      const pipeline = new QueryPipeline({
        modules: { s: make(seen), i: new InputComponent(), bad: broken(), a: both() },
        links: [
          new Link('i', 'bad', { srcKey: 'x' }),
          new Link('s', 'a', { destKey: 'v', ...(inputFn && { inputFn }) }),
          new Link('bad', 'a', { destKey: 'w' }),
        ],
      })
      await expect(pipeline.runMulti({ s: {}, i: { x: 1 } })).rejects.toThrow('boom')
      await expect.poll(() => seen).toEqual(['closed'])
    }
  })

  it('is closed when the module that received it fails, also after the run', async () => {
    for (const late of [false, true]) {
      const seen: string[] = []
      const fails = new FnComponent({
        fn: async (_: { v: unknown }) => {
          await new Promise((resolve) => setTimeout(resolve, late ? 20 : 0))
          throw new Error('no')
        },
        params: { required: ['v'] },
      })
      const pipeline = new QueryPipeline({
        modules: { s: opened(seen), i: new InputComponent(), bad: late ? broken() : first(), fails },
        links: [new Link('s', 'fails')],
      })
      if (late) pipeline.addLink('i', 'bad', { srcKey: 'x' })
      const run = late ? pipeline.runMulti({ s: {}, i: { x: 1 } }) : pipeline.runMulti({ s: {}, i: {}, bad: { v: [] } })
      await expect(run).rejects.toThrow(late ? 'boom' : 'no')
      await expect.poll(() => seen).toEqual(['closed'])
    }
  })

  it('is closed when a condition or a conversion fails, a module is aborted, or another output is the result', async () => {
    const conditionFn = () => {
      throw new Error('no')
    }
    for (const options of [{ conditionFn }, { inputFn: conditionFn }]) {
      const seen: string[] = []
      const pipeline = new QueryPipeline({
        modules: { s: opened(seen), a: first() },
        links: [new Link('s', 'a', options)],
      })
      await expect(pipeline.runMulti({ s: {} })).rejects.toThrow('no')
      await expect.poll(() => seen).toContain('closed')
    }
    const seen: string[] = []
    const controller = new AbortController()
    const slow = new FnComponent({
      fn: async () => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        return {
          next: async () => ({ done: true, value: 1 }),
          return: async () => void seen.push('closed'),
          [Symbol.asyncIterator]() {},
        }
      },
      params: { required: [] },
    })
    const run = new QueryPipeline({ chain: [slow] }).run({}, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(run).rejects.toThrow('enough')
    await expect.poll(() => seen).toEqual(['closed'])
    const other = new QueryPipeline({
      modules: { s: opened(seen), a: first(), leaf: new InputComponent() },
      links: [new Link('s', 'a', { conditionFn: () => false })],
    })
    await other.runMulti({ s: {}, leaf: { x: 1 } })
    expect(seen).toEqual(['closed', 'closed'])
  })
})

describe('a stream with a reader that reads nothing', () => {
  const stored = (shared: SharedStream) => (shared as unknown as { pieces: { pieces: unknown[] } }).pieces.pieces.length

  it('keeps no pieces for it: a module that ignores it, and a condition', async () => {
    const shared = new SharedStream(source(Array.from({ length: 100 }, (_, i) => i)))
    const [reads, ignores, condition] = [shared.read(), shared.read(), shared.read({ passive: true })]
    shared.seal()
    closeStream(condition)
    letIdle([ignores], { output: { sum: [1, null, 'x'] } })
    let most = 0
    for await (const _ of reads as AsyncIterable<unknown>) most = Math.max(most, stored(shared))
    expect(most).toBeLessThan(5)
    await expect((ignores as AsyncIterator<unknown>).next()).rejects.toMatchObject({ code: 'configuration' })
  })

  it('keeps them for a module whose outputs may read it later, and for one that has begun', async () => {
    for (const outputs of [{ v: source([]) }, { v: () => 1 }, { v: new Date() }, { v: { a: { b: { c: {} } } } }]) {
      const shared = new SharedStream(source(['a', 'b']))
      const [reads, later] = [shared.read(), shared.read()]
      shared.seal()
      letIdle([later, 'text', null], outputs)
      expect(await all(reads)).toEqual(['a', 'b'])
      expect(await all(later)).toEqual(['a', 'b'])
    }
    const shared = new SharedStream(['a', 'b', 'c'].values())
    const [reads, begun, late] = [shared.read(), shared.read(), shared.read()] as IterableIterator<unknown>[]
    shared.seal()
    begun!.next()
    letIdle([begun, late], { output: 1 })
    // Nothing was dropped yet.
    expect(late!.next().value).toBe('a')
    expect([...reads!]).toEqual(['a', 'b', 'c'])
    expect([...begun!]).toEqual(['b', 'c'])
  })

  it('is closed when all others have left', async () => {
    const seen: string[] = []
    const shared = new SharedStream(source(['a', 'b'], seen))
    const [reads, ignores] = [shared.read(), shared.read()]
    shared.seal()
    letIdle([ignores], {})
    for await (const _ of reads as AsyncIterable<unknown>) break
    await expect.poll(() => seen.at(-1)).toBe('closed')
    await expect(all(ignores)).rejects.toThrow('its pieces are gone')
  })
})
