import { describe, expect, it } from 'vitest'
import { FnComponent, InputComponent, Link, MapComponent, QueryPipeline, RouterComponent } from './index.ts'
import { mapInSlots } from './slots.ts'

const turns = async (count = 5) => {
  for (let turn = 0; turn < count; turn++) await null
}

/** Returns components that record how many of them run at the same time. */
function counting() {
  const seen = { running: 0, most: 0, runs: 0 }
  const slow = () =>
    new FnComponent({
      fn: async ({ x }: { x: number }) => {
        seen.runs++
        seen.most = Math.max(seen.most, ++seen.running)
        await turns(60)
        seen.running--
        return x
      },
      params: { required: ['x'] },
    })
  return { seen, slow }
}

/** Returns a pipeline that passes its input to parallel modules. */
function wide(modules: readonly ConstructorParameters<typeof MapComponent>[0]['component'][], maxConcurrency: number) {
  const named = Object.fromEntries(modules.map((module, index) => [`m${index}`, module]))
  const pack = new FnComponent({
    fn: (all: object) => Object.keys(all).length,
    params: { required: Object.keys(named) },
  })
  const links = Object.keys(named).flatMap((key) => [
    new Link('in', key, { srcKey: 'x', destKey: 'x' }),
    new Link(key, 'pack', { destKey: key }),
  ])
  return new QueryPipeline({
    modules: {
      in: new FnComponent({ fn: ({ x }: { x: number }) => x, params: { required: ['x'] }, outputKey: 'x' }),
      ...named,
      pack,
    },
    links,
    maxConcurrency,
  })
}

describe('maxConcurrency', () => {
  it.each([1, 2, 3])('limits a pipeline and its nested pipelines to %i modules in total', async (limit) => {
    const { seen, slow } = counting()
    const inner = () => wide([slow(), slow(), slow()], limit)
    const middle = () => wide([inner(), slow(), inner()], limit)
    expect(await wide([middle(), slow(), inner(), middle()], limit).run({ x: 1 })).toBe(4)
    expect(seen).toEqual({ running: 0, most: limit, runs: 7 + 1 + 3 + 7 })
  })

  it('limits a nested pipeline further if that has its own', async () => {
    const { seen, slow } = counting()
    expect(await wide([wide([slow(), slow(), slow()], 1)], 4).run({ x: 1 })).toBe(1)
    expect(seen.most).toBe(1)
  })

  it('applies to pipelines in routers and maps', async () => {
    const { seen, slow } = counting()
    const inner = wide([slow(), slow()], 9)
    const router = new RouterComponent({
      selector: { select: () => [{ index: 0 }] },
      choices: ['a'],
      components: [inner],
    })
    const map = new MapComponent({ component: wide([slow(), slow()], 9), maxConcurrency: 9 })
    const pipeline = new QueryPipeline({ modules: { in: new InputComponent(), router, map }, maxConcurrency: 2 })
    pipeline.addLink('in', 'router', { srcKey: 'q' })
    pipeline.addLink('in', 'map', { srcKey: 'items' })
    await pipeline.runMulti({ in: { q: 'x', items: [1, 2, 3, 4] } })
    expect(seen).toEqual({ running: 0, most: 2, runs: 2 + 8 })
  })

  it('releases the slots of a nested run that failed', async () => {
    const { slow } = counting()
    const failing = new FnComponent({ fn: () => Promise.reject(new Error('no')), params: { required: ['x'] } })
    const pipeline = wide([wide([failing, slow(), slow()], 2), slow()], 2)
    for (let i = 0; i < 3; i++) await expect(pipeline.run({ x: 1 })).rejects.toMatchObject({ module: 'm0/m0' })
  })
})

describe('mapInSlots', () => {
  it('returns results in the order of items, and respects the limit', async () => {
    let [running, most] = [0, 0]
    const double = async (n: number) => {
      most = Math.max(most, ++running)
      await turns(10 - n)
      running--
      return n * 2
    }
    expect(await mapInSlots([1, 2, 3, 4, 5], double, { limit: 2 })).toEqual([2, 4, 6, 8, 10])
    expect(most).toBe(2)
    expect(await mapInSlots([], double, { limit: 2 })).toEqual([])
  })

  it('rejects with the first error, and aborts the others', async () => {
    let signal: AbortSignal | undefined
    const started: number[] = []
    const run = mapInSlots(
      [1, 2, 3],
      async (n, _, own) => {
        started.push(n)
        signal = own.signal
        if (n === 1) throw new Error('one')
        await turns()
      },
      { limit: 2 },
    )
    await expect(run).rejects.toThrow('one')
    await turns(20)
    expect([started, signal?.aborted]).toEqual([[1, 2], true])
  })

  it('rejects with the reason of the signal, even if the work ignores it', async () => {
    const controller = new AbortController()
    const run = mapInSlots([1], () => new Promise(() => {}), { limit: 1, signal: controller.signal })
    controller.abort('enough')
    await expect(run).rejects.toBe('enough')
  })
})
