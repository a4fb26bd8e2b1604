import { streamOf } from '@x/core-model/async'
import { describe, expect, it } from 'vitest'
import { FnComponent, InputComponent, MapComponent, QueryPipeline } from './index.ts'

const fn = (run: (inputs: never, options: { signal?: AbortSignal | undefined }) => unknown, ...required: string[]) =>
  new FnComponent({ fn: run, params: { required } })
const add = () => fn(({ n, by }: { n: number; by: number }) => n + by, 'n', 'by')

describe('MapComponent', () => {
  it('runs a component per item, with the other inputs, and keeps the order', async () => {
    const map = new MapComponent({ component: add(), itemKey: 'n', maxConcurrency: 2 })
    expect(map.inputKeys).toEqual({ required: ['items', 'by'], optional: [] })
    expect(map.freeReqInputKeys).toEqual(['items', 'by'])
    expect(await map.runComponent({ items: [3, 1, 2], by: 10 })).toEqual({ output: [13, 11, 12] })
    expect(await map.runComponent({ items: [], by: 1 })).toEqual({ output: [] })
  })

  it('takes any iterable, and streams', async () => {
    const map = new MapComponent({ component: fn(({ n }: { n: number }) => n * 2, 'n') })
    async function* stream() {
      yield 1
      yield Promise.resolve(2)
    }
    const web = new ReadableStream({
      start(controller) {
        for (const n of [1, 2]) controller.enqueue(n)
        controller.close()
      },
    })
    for (const items of [new Set([1, 2]), new Set([1, 2]).values(), stream(), web])
      expect(await map.runComponent({ items })).toEqual({ output: [2, 4] })
    for (const items of [undefined, null, 5, 'text', { length: 1 }])
      await expect(map.runComponent({ items })).rejects.toMatchObject({ code: 'component_input' })
  })

  describe.each(['a generator', 'a stream', 'a web stream'])('reads %s', (kind) => {
    const source = (count: number) => {
      const seen = { read: 0, closed: false }
      const sync = function* () {
        try {
          for (; seen.read < count; seen.read++) yield seen.read
        } finally {
          seen.closed = true
        }
      }
      const stream = async function* () {
        yield* sync()
      }
      const items =
        kind === 'a generator' ? sync() : kind === 'a stream' ? stream() : streamOf(stream(), { highWaterMark: 0 })
      return { items, seen }
    }
    const map = (run: (inputs: { n: number }) => unknown) =>
      new MapComponent({ component: fn(run as never, 'n'), maxConcurrency: 2 })

    it('as far as its items can start', async () => {
      const { items, seen } = source(50)
      const ahead: number[] = []
      let done = 0
      const component = map(async ({ n }) => {
        ahead.push(seen.read - done)
        await Promise.resolve()
        done++
        return n
      })
      expect((await component.runComponent({ items }))['output']).toEqual(Array.from({ length: 50 }, (_, n) => n))
      expect(Math.max(...ahead)).toBeLessThanOrEqual(2)
    })

    it('until an item fails, and closes it', async () => {
      const { items, seen } = source(1e5)
      const component = map(({ n }) => {
        if (n === 3) throw new Error('no')
        return n
      })
      await expect(component.runComponent({ items })).rejects.toMatchObject({ module: 'items[3]' })
      await expect.poll(() => seen.closed).toBe(true)
      expect(seen.read).toBeLessThan(10)
    })

    it('until the signal aborts, and closes it', async () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort('enough'))
      const { items, seen } = source(1e6)
      await expect(map(({ n }) => n).runComponent({ items }, { signal: controller.signal })).rejects.toBe('enough')
      await expect.poll(() => seen.closed).toBe(true)
    })
  })

  it('rejects with the reason of the signal while a stream is silent, and closes it', async () => {
    const controller = new AbortController()
    let closed: unknown
    const items = new ReadableStream({ cancel: (reason) => void (closed = reason ?? true) })
    const run = new MapComponent({ component: fn(({ n }: { n: number }) => n, 'n') }).runComponent(
      { items },
      { signal: controller.signal },
    )
    setTimeout(() => controller.abort('enough'))
    await expect(run).rejects.toBe('enough')
    expect(closed).toBe(true)
  })

  it('rejects with the error of the stream', async () => {
    async function* items() {
      yield 1
      throw new Error('cut')
    }
    const map = new MapComponent({ component: fn(({ n }: { n: number }) => n, 'n') })
    await expect(map.runComponent({ items: items() })).rejects.toThrow('cut')
    await expect(map.runComponent({ items: [Promise.reject(new Error('cut'))].values() })).rejects.toThrow('cut')
  })

  it('passes the item to the only free input, even of a pipeline with fixed values', async () => {
    const component = add()
    component.partial({ by: 5 })
    const map = new MapComponent({ component: new QueryPipeline({ chain: [component] }) })
    expect(map.freeReqInputKeys).toEqual(['items'])
    expect(await new QueryPipeline({ chain: [map] }).run([1, 2])).toEqual([6, 7])
  })

  it('passes all pieces of a stream to the run of each item', async () => {
    const component = fn(
      async ({ n, text }: { n: number; text: AsyncIterable<string> }) => {
        let found = `${n}:`
        for await (const piece of text) found += piece
        return found
      },
      'n',
      'text',
    )
    async function* text() {
      yield 'a'
      yield 'b'
    }
    const map = new MapComponent({ component, itemKey: 'n' })
    expect(await map.runComponent({ items: [1, 2], text: text() })).toEqual({ output: ['1:ab', '2:ab'] })
  })

  it('receives the context of a run', async () => {
    const component = new FnComponent({
      fn: ({ n, who }: { n: number; who: string }) => `${n}${who}`,
      params: { required: ['n', 'who'] },
      contextKeys: ['who'],
    })
    const map = new MapComponent({ component, itemKey: 'n' })
    const pipeline = new QueryPipeline({ chain: [fn(({ x }: { x: number[] }) => x, 'x'), map] })
    expect(await pipeline.run([1, 2], { context: { who: '!' } })).toEqual(['1!', '2!'])
  })

  it('throws an error with the index of the item that failed, and aborts the others', async () => {
    let other: AbortSignal | undefined
    const component = fn(async ({ n }: { n: number }, { signal }) => {
      if (n !== 2) {
        other = signal
        return new Promise(() => {})
      }
      throw new TypeError('bad item')
    }, 'n')
    const pipeline = new QueryPipeline({ modules: { all: new MapComponent({ component }) } })
    await expect(pipeline.run([1, 2, 3])).rejects.toMatchObject({
      code: 'pipeline_module',
      module: 'all/items[1]',
      message: 'QueryPipeline: module "all/items[1]" failed: bad item',
      cause: expect.any(TypeError),
    })
    expect(other?.aborted).toBe(true)
  })

  it('rejects with the reason of the signal', async () => {
    const controller = new AbortController()
    const map = new MapComponent({ component: fn(() => new Promise(() => {}), 'n') })
    const run = map.runComponent({ items: [1] }, { signal: controller.signal })
    controller.abort('enough')
    await expect(run).rejects.toBe('enough')
  })

  it('throws for components without exactly one free input and one output, and for invalid options and items', async () => {
    const code = (code: string) => expect.objectContaining({ code })
    expect(() => new MapComponent({ component: add() })).toThrow(/found n, by; set itemKey/)
    expect(() => new MapComponent({ component: new InputComponent(), itemKey: 'x' })).toThrow(code('configuration'))
    expect(() => new MapComponent({ component: {} as never })).toThrow(code('pipeline_config'))
    expect(() => new MapComponent({ component: fn(() => 1, 'n'), maxConcurrency: 0 })).toThrow(code('model_validation'))
    const map = new MapComponent({ component: fn(() => 1, 'n') })
    await expect(map.runComponent({ items: 'text' })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['items'],
    })
  })
})
