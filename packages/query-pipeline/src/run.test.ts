/// <reference types="node" />
import { getEventListeners } from 'node:events'
import { CallbackManager } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { FnComponent, InputComponent, Link, QueryPipeline, RouterComponent } from './index.ts'

const fn = (run: (inputs: never, options: { signal?: AbortSignal | undefined }) => unknown, ...required: string[]) =>
  new FnComponent({ fn: run, params: { required: required.length > 0 ? required : ['x'] } })
const same = () => fn(({ x }: { x: unknown }) => x)
const failing = (error: unknown) => fn(() => Promise.reject(error))

describe('an error', () => {
  it('contains the key of the module, and the error of the component as its cause', async () => {
    const cause = new TypeError('boom')
    const pipeline = new QueryPipeline({ modules: { a: same(), b: failing(cause) }, links: [new Link('a', 'b')] })
    await expect(pipeline.run(1)).rejects.toMatchObject({
      name: 'PipelineModuleError',
      code: 'pipeline_module',
      module: 'b',
      message: 'QueryPipeline: module "b" failed: boom',
      cause,
      retryable: false,
    })
    await expect(new QueryPipeline({ chain: [same(), failing(cause)] }).run(1)).rejects.toThrow(
      'module "chain[1]" failed: boom',
    )
  })

  it('contains the path to a module of a nested pipeline, also in a router', async () => {
    const cause = new Error('boom')
    const inner = new QueryPipeline({
      modules: { search: same(), rank: failing(cause) },
      links: [new Link('search', 'rank')],
    })
    const router = new RouterComponent({
      selector: { select: () => [{ index: 0 }] },
      choices: ['a'],
      components: [inner],
    })
    for (const module of [inner, router])
      await expect(new QueryPipeline({ modules: { outer: module } }).run('x')).rejects.toMatchObject({
        module: 'outer/rank',
        message: 'QueryPipeline: module "outer/rank" failed: boom',
        cause,
      })
  })

  it('contains the key of the module for missing inputs too', async () => {
    const pair = fn(() => 1, 'x', 'y')
    const pipeline = new QueryPipeline({ modules: { a: same(), b: pair } })
    pipeline.addLink('a', 'b', { destKey: 'x' })
    await expect(pipeline.run(1)).rejects.toMatchObject({
      module: 'b',
      message: 'QueryPipeline: module "b" failed: FnComponent: missing input y.',
      cause: { code: 'component_input', keys: ['y'] },
    })
  })

  it('contains the link whose function failed', async () => {
    const cause = new Error('boom')
    const fail = () => {
      throw cause
    }
    for (const name of ['conditionFn', 'inputFn']) {
      const pipeline = new QueryPipeline({ modules: { a: same(), b: same() } })
      pipeline.addLink('a', 'b', { [name]: fail })
      await expect(pipeline.run(1)).rejects.toMatchObject({
        module: 'a',
        message: `QueryPipeline: ${name} of the link from "a" to "b" failed: boom`,
        cause,
      })
    }
  })

  it('is retryable if the error of the component is', async () => {
    const busy = new ModelCallError('busy', { kind: 'rate_limit' })
    await expect(new QueryPipeline({ chain: [failing(busy)] }).run(1)).rejects.toMatchObject({ retryable: true })
  })

  it('is the reason of the signal after an abort, even in nested pipelines', async () => {
    const controller = new AbortController()
    const stop = fn((_: never, { signal }) => {
      controller.abort('enough')
      signal?.throwIfAborted()
    })
    const pipeline = new QueryPipeline({ chain: [new QueryPipeline({ chain: [stop] })] })
    await expect(pipeline.run(1, { signal: controller.signal })).rejects.toBe('enough')
  })
})

describe('an unknown option', () => {
  const code = expect.objectContaining({ code: 'model_validation' })

  it('throws in a pipeline, a run and a link', async () => {
    expect(() => new QueryPipeline({ maxConcurency: 3 } as never)).toThrow(
      'QueryPipeline.maxConcurency: unknown option; did you mean maxConcurrency?',
    )
    const pipeline = new QueryPipeline({ modules: { a: same(), b: same() } })
    const unknown = 'link from "a" to "b".destkey: unknown option; did you mean destKey?'
    expect(() => new Link('a', 'b', { destkey: 'x' } as never)).toThrow(unknown)
    // A link of another copy of this package.
    const link = { src: 'a', dest: 'b', options: { destkey: 'x' } }
    expect(() => pipeline.addLinks([link as never])).toThrow(unknown)
    expect(() => pipeline.addLink('a', 'b', { inputFn: 'x' as never })).toThrow(/inputFn: expected a function/)
    expect(() => new FnComponent({ fn: () => 1, params: {}, outputkey: 'x' } as never)).toThrow(
      /did you mean outputKey/,
    )
    expect(() => new RouterComponent({ selector: {}, choice: [] } as never)).toThrow(/did you mean choices/)
    expect(pipeline.cleanDag().links).toEqual([])
    const chain = new QueryPipeline({ chain: [same()] })
    await expect(chain.run(1, { signall: 1 } as never)).rejects.toEqual(code)
    await expect(chain.runMulti({ 'chain[0]': { x: 1 } }, { onModulEnd: 1 } as never)).rejects.toEqual(code)
  })
})

describe('the callback manager', () => {
  const recorded = () => {
    const handler = new RecordingCallbackHandler()
    let count = 0
    return { handler, manager: new CallbackManager([handler], { newId: () => `e${++count}` }) }
  }
  const starts = ({ events }: RecordingCallbackHandler) =>
    events.flatMap((event) => (event.phase === 'start' ? [`${event.type} ${event.id} < ${event.parent}`] : []))

  it('receives the events of its run only if it is passed to a run', async () => {
    const llm = new ScriptedLLM({ answers: ['a', 'b', 'c'] })
    const pipeline = new QueryPipeline({ chain: [new QueryPipeline({ chain: [llm] })] })
    const [ann, bob] = [recorded(), recorded()]
    await Promise.all([
      pipeline.run('of ann', { callbackManager: ann.manager }),
      pipeline.run('of bob', { callbackManager: bob.manager }),
    ])
    await llm.chat('of nobody')
    for (const { handler } of [ann, bob])
      expect(starts(handler)).toEqual(['query e1 < root', 'query e2 < e1', 'llm e3 < e2'])
    expect(JSON.stringify(ann.handler.events)).not.toContain('of bob')
    expect([llm.callbackManager.handlers, pipeline.callbackManager.handlers]).toEqual([[], []])
  })

  it('is that of the pipeline for runs without one; models keep their own', async () => {
    const [own, model] = [recorded(), recorded()]
    const llm = new ScriptedLLM({ answers: ['a', 'b', 'c'], callbackManager: model.manager })
    const pipeline = new QueryPipeline({ chain: [llm] })
    await pipeline.run('x')
    expect(starts(model.handler)).toEqual(['llm e1 < root'])
    pipeline.setCallbackManager(own.manager)
    await pipeline.run('x')
    expect(starts(own.handler)).toEqual(['query e1 < root', 'llm e2 < e1'])
    expect(starts(model.handler)).toHaveLength(1)
    expect(llm.callbackManager).toBe(model.manager)
  })

  it('receives the parent event that the caller passes', async () => {
    const { handler, manager } = recorded()
    await new QueryPipeline({ chain: [same()] }).run(1, { callbackManager: manager, parentId: 'outer' })
    expect(starts(handler)).toEqual(['query e1 < outer'])
  })
})

it('calls onModuleStart and onModuleEnd for each module that runs', async () => {
  const seen: unknown[] = []
  const pipeline = new QueryPipeline({ modules: { a: same(), b: same(), never: same() } })
  pipeline.addLink('a', 'b')
  pipeline.addLink('a', 'never', { conditionFn: () => false })
  await pipeline.run(1, {
    onModuleStart: (key, inputs) => seen.push(['start', key, inputs]),
    onModuleEnd: (key, inputs, outputs) => seen.push(['end', key, inputs, outputs]),
  })
  expect(seen).toEqual([
    ['start', 'a', { x: 1 }],
    ['end', 'a', { x: 1 }, { output: 1 }],
    ['start', 'b', { x: 1 }],
    ['end', 'b', { x: 1 }, { output: 1 }],
  ])
})

describe('the result of a run', () => {
  it('has the leaves that ran, without modules whose outputs no link took', async () => {
    const pipeline = new QueryPipeline({ modules: { in: new InputComponent(), a: same(), b: same(), never: same() } })
    pipeline.addLink('in', 'a', { srcKey: 'x' })
    pipeline.addLink('in', 'b', { srcKey: 'x' })
    pipeline.addLink('b', 'never', { conditionFn: () => false })
    expect(await pipeline.runMulti({ in: { x: 1 } })).toEqual({ a: { output: 1 } })
  })

  it('has the modules that computed last, if no leaf ran', async () => {
    const pipeline = new QueryPipeline({ modules: { in: new InputComponent(), a: same(), b: same(), never: same() } })
    pipeline.addLink('in', 'a', { srcKey: 'x' })
    pipeline.addLink('a', 'b')
    pipeline.addLink('b', 'never', { conditionFn: () => false })
    expect(await pipeline.runMulti({ in: { x: 1 } })).toEqual({ b: { output: 1 } })
  })
})

it('reports after each module how many have ended, those that were skipped included', async () => {
  const steps: unknown[] = []
  const onProgress = (...numbers: number[]) => steps.push(numbers)
  const modules = { a: same(), b: same(), never: same() }
  const pipeline = new QueryPipeline({ modules, showProgress: true, onProgress })
  pipeline.addLink('a', 'b')
  pipeline.addLink('a', 'never', { conditionFn: () => false })
  await pipeline.run(1)
  expect(steps).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

describe('inputs', () => {
  const pair = () => fn((inputs: { x: unknown; y?: unknown }) => Object.entries(inputs).join(), 'x', 'y')

  it('arrive in the order of the modules that deliver them, and the last of an input counts', async () => {
    const modules = { in: new InputComponent(), a: same(), b: same(), c: same(), end: pair() }
    const pipeline = new QueryPipeline({ modules })
    for (const [key, srcKey] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'three'],
    ] as const)
      pipeline.addLink('in', key, { srcKey })
    pipeline.addLink('c', 'end', { destKey: 'x' })
    pipeline.addLink('b', 'end', { destKey: 'y' })
    pipeline.addLink('a', 'end', { destKey: 'x' })
    expect(await pipeline.runMulti({ in: { one: 1, two: 2, three: 3 } })).toEqual({ end: { output: 'x,3,y,2' } })
  })

  it('may be missing if a condition was false, unless they are required and not in the context', async () => {
    const skipped = () => {
      const pipeline = new QueryPipeline({ modules: { in: new InputComponent(), end: pair() } })
      pipeline.addLink('in', 'end', { srcKey: 'x', destKey: 'x' })
      pipeline.addLink('in', 'end', { srcKey: 'x', destKey: 'y', conditionFn: () => false })
      return pipeline
    }
    expect(await skipped().runMulti({ in: { x: 1 } })).toEqual({})
    expect(await skipped().runMulti({ in: { x: 1 } }, { context: { y: 2 } })).toMatchObject({ end: {} })
  })

  it('pass through the function of their link', async () => {
    const pipeline = new QueryPipeline({ modules: { a: same(), b: same() } })
    pipeline.addLink('a', 'b', { inputFn: async (value: number) => value + 1 })
    expect(await pipeline.run(1)).toBe(2)
  })
})

describe('streams', () => {
  /** A stream of two items that says when it is closed. */
  const stream = (closed: string[], name = 'stream') =>
    (async function* () {
      try {
        yield 1
        yield 2
      } finally {
        closed.push(name)
      }
    })()
  const started = async (source: AsyncGenerator<number>) => {
    await source.next()
    return source
  }
  const all = async (source: AsyncIterable<unknown>) => {
    const items: unknown[] = []
    for await (const item of source) items.push(item)
    return items
  }

  it('reach a module with all items after a condition has read them', async () => {
    const modules = { a: fn(() => stream([])), b: fn(({ x }: { x: AsyncIterable<unknown> }) => all(x)) }
    const pipeline = new QueryPipeline({ modules })
    const conditionFn = async (value: AsyncIterable<number>) => {
      for await (const item of value) return item === 1
      return false
    }
    pipeline.addLink('a', 'b', { conditionFn })
    expect(await pipeline.run(0)).toEqual([1, 2])
  })

  it('are read by several modules', async () => {
    const reads = () => fn(({ x }: { x: AsyncIterable<unknown> }) => all(x))
    const pipeline = new QueryPipeline({ modules: { a: fn(() => stream([])), b: reads(), c: reads() } })
    pipeline.addLink('a', 'b')
    pipeline.addLink('a', 'c')
    const end = { output: [1, 2] }
    expect(await pipeline.runMulti({ a: { x: 0 } })).toEqual({ b: end, c: end })
  })

  it('that are not in the result are closed at the end', async () => {
    const closed: string[] = []
    const modules = { in: new InputComponent(), a: same(), b: fn(() => started(stream(closed))), never: same() }
    const pipeline = new QueryPipeline({ modules })
    pipeline.addLink('in', 'a', { srcKey: 'x' })
    pipeline.addLink('in', 'b', { srcKey: 'x' })
    pipeline.addLink('b', 'never', { conditionFn: () => false })
    expect(await pipeline.runMulti({ in: { x: 1 } })).toEqual({ a: { output: 1 } })
    await expect.poll(() => closed).toEqual(['stream'])
  })

  it('that wait for a module are closed if the run fails', async () => {
    const closed: string[] = []
    const broken = fn(() => Promise.reject(new Error('broken')))
    const modules = {
      in: new InputComponent(),
      a: fn(() => started(stream(closed))),
      b: broken,
      end: fn(() => 1, 'x', 'y'),
    }
    const pipeline = new QueryPipeline({ modules })
    for (const key of ['a', 'b']) pipeline.addLink('in', key, { srcKey: 'x' })
    pipeline.addLink('a', 'end', { destKey: 'x' })
    pipeline.addLink('b', 'end', { destKey: 'y' })
    await expect(pipeline.runMulti({ in: { x: 1 } })).rejects.toThrow('broken')
    await expect.poll(() => closed).toEqual(['stream'])
  })

  it('that a skipped module would have received are closed', async () => {
    const closed: string[] = []
    const modules = {
      in: new InputComponent(),
      a: fn(() => started(stream(closed))),
      b: same(),
      end: fn(() => 1, 'x', 'y'),
    }
    const pipeline = new QueryPipeline({ modules })
    for (const key of ['a', 'b']) pipeline.addLink('in', key, { srcKey: 'x' })
    pipeline.addLink('a', 'end', { destKey: 'x' })
    pipeline.addLink('b', 'end', { destKey: 'y', conditionFn: () => false })
    expect(await pipeline.runMulti({ in: { x: 1 } })).toEqual({ b: { output: 1 } })
    await expect.poll(() => closed).toEqual(['stream'])
  })

  it('of a module that ends after an abort are closed', async () => {
    const closed: string[] = []
    const controller = new AbortController()
    const late = fn(async () => {
      controller.abort('enough')
      return started(stream(closed))
    })
    const pipeline = new QueryPipeline({ chain: [late, same()] })
    await expect(pipeline.run(1, { signal: controller.signal })).rejects.toBe('enough')
    await expect.poll(() => closed).toEqual(['stream'])
  })
})

it('writes a line for each module that runs, if it is verbose', async () => {
  const lines: string[] = []
  const logger = (line: string) => lines.push(line)
  const modules = { a: same(), b: same(), never: same() }
  const pipeline = new QueryPipeline({ modules, verbose: true, logger })
  pipeline.addLink('a', 'b', { inputFn: () => 'pear' })
  pipeline.addLink('a', 'never', { conditionFn: () => false })
  await pipeline.run(1)
  expect(lines).toEqual([expect.stringMatching(/^a: .*1/), expect.stringMatching(/^b: .*pear/)])
})

it('refuses inputs that fixed values would override, with strictPartials', async () => {
  const b = new FnComponent({ fn: () => 1, params: { required: ['x'] }, partial: { x: 1 } })
  const strict = new QueryPipeline({ modules: { a: same(), b }, strictPartials: true })
  strict.addLink('a', 'b', { destKey: 'x' })
  await expect(strict.run(1)).rejects.toMatchObject({ code: 'component_input', keys: ['x'] })
})

it('leaves no listener at the signal', async () => {
  const { signal } = new AbortController()
  await new QueryPipeline({ chain: [same()] }).run(1, { signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('uses the index in the chain as the key of a module', () => {
  const pipeline = new QueryPipeline({ chain: [same(), same()] })
  pipeline.addChain(['chain[1]', same()])
  expect([...pipeline.modules.keys()]).toEqual(['chain[0]', 'chain[1]', 'chain2[1]'])
})

it('runs chains of 4,000 modules in linear time, even if all of them are nested', async () => {
  const chain = (length: number) => new QueryPipeline({ chain: Array.from({ length }, same) })
  expect(await chain(4000).run(7)).toBe(7)
  let nested = new QueryPipeline({ chain: [same()] })
  for (let depth = 0; depth < 300; depth++) nested = new QueryPipeline({ chain: [nested], maxConcurrency: 1 })
  expect(await nested.run(7)).toBe(7)
  expect(await growthOf((size) => chain(size).run(1), 250)).toBeLessThan(1.75)
})

it('runs 4,000 parallel modules in linear time', async () => {
  const wide = (size: number) => {
    const pipeline = new QueryPipeline({ modules: { in: new InputComponent() } })
    for (let i = 0; i < size; i++) {
      pipeline.add(`${i}`, same())
      pipeline.addLink('in', `${i}`, { srcKey: 'x' })
    }
    return pipeline.runMulti({ in: { x: 1 } })
  }
  expect(Object.keys(await wide(4000))).toHaveLength(4000)
  expect(await growthOf(wide, 250)).toBeLessThan(1.75)
})
