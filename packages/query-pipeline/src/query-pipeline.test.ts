import { CallbackManager, DefinedComponent, NodeWithScore, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { PromptTemplate } from '@x/prompts'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import type { LinkOptions } from './graph.ts'
import {
  ArgPackComponent,
  CustomQueryComponent,
  FnComponent,
  InputComponent,
  InputKeys,
  Link,
  OutputKeys,
  OutputParserComponent,
  QueryPipeline,
  RouterComponent,
  SelectorComponent,
  subQueryComponents,
} from './index.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const fn = (run: (x: never, options: { signal?: AbortSignal }) => unknown) =>
  new FnComponent({ fn: ({ x }: { x: never }, options: object) => run(x, options), params: { required: ['x'] } })
const add1 = () => fn((x: number) => x + 1)

describe('QueryPipeline', () => {
  it('accepts prompts and models without a wrapper', async () => {
    const llm = new ScriptedLLM({ answers: ['green'] })
    const pipeline = new QueryPipeline({ chain: [new PromptTemplate({ template: 'Color of {thing}?' }), llm] })
    expect(String(await pipeline.run('tea'))).toBe('green')
    expect(llm.calls[0]!.messages![0]!['content']).toBe('Color of tea?')
  })

  it('distinguishes a single value from named inputs', async () => {
    const same = new QueryPipeline({ chain: [fn((x) => x)] })
    expect(await same.run(3)).toBe(3)
    expect(await same.run({ x: 3 })).toBe(3)
    expect(await same.run({ args: [{ x: 3 }] })).toEqual({ x: 3 })
    expect(await same.run({ inputs: { x: { inputs: 1 } } })).toEqual({ inputs: 1 })
    expect(await same.run([1, 2])).toEqual([1, 2])
    await expect(same.run({ args: [1, 2] })).rejects.toMatchObject({ code: 'pipeline_input' })
  })

  it('runs modules that are ready in parallel, up to the number of workers', async () => {
    for (const maxConcurrency of [1, 2, 4]) {
      let running = 0
      let most = 0
      const slow = () =>
        fn(async (x) => {
          most = Math.max(most, ++running)
          await wait(3)
          running--
          return x
        })
      const modules = { root: add1(), a: slow(), b: slow(), c: slow(), d: slow() }
      const links = ['a', 'b', 'c', 'd'].map((key) => new Link('root', key))
      const pipeline = new QueryPipeline({ modules, links, maxConcurrency })
      await pipeline.runMulti({ root: { x: 1 } })
      expect(most).toBe(maxConcurrency)
    }
  })

  it('throws for a number of workers that is not an integer of at least 1', async () => {
    for (const maxConcurrency of [Number.NaN, 0, -1, 1.5, '4' as never])
      expect(() => new QueryPipeline({ maxConcurrency })).toThrow(
        /^QueryPipeline\.maxConcurrency: expected an integer of at least 1/,
      )
    expect(await new QueryPipeline({ chain: [add1()], maxConcurrency: Number.POSITIVE_INFINITY }).run(1)).toBe(2)
  })

  it('accepts any names of modules and inputs', async () => {
    const modules = { root: new InputComponent(), constructor: add1(), toString: add1() }
    const links = [new Link('root', 'constructor', { srcKey: 'valueOf' }), new Link('constructor', 'toString')]
    expect(await new QueryPipeline({ modules, links }).run({ valueOf: 1 })).toBe(3)
    const needy = new FnComponent({ fn: () => 1, params: { required: ['constructor'] } })
    await expect(needy.runComponent({})).rejects.toMatchObject({ keys: ['constructor'] })
  })

  it('starts modules in the order of the first link to each', async () => {
    const modules = { root: new InputComponent(), a: new ArgPackComponent(), b: add1() }
    const pipeline = new QueryPipeline({ modules })
    pipeline.addLink('root', 'a', { srcKey: 'x', destKey: 'x' })
    pipeline.addLink('root', 'b', { srcKey: 'x' })
    pipeline.addLink('root', 'a', { srcKey: 'x', destKey: 'y' })
    expect(pipeline.getStaticOrder()).toEqual(['root', 'a', 'b'])
  })

  it('packs inputs in the order of the links, regardless of their names', async () => {
    const pipeline = new QueryPipeline({
      modules: { root: new InputComponent(), pack: new ArgPackComponent({ partial: { 0: 'fixed' } }) },
    })
    pipeline.addLink('root', 'pack', { srcKey: 'x', destKey: '2' })
    pipeline.addLink('root', 'pack', { srcKey: 'y', destKey: '1' })
    expect(await pipeline.run({ x: 'x', y: 'y' })).toEqual(['x', 'y', 'fixed'])
  })

  it('returns the same result regardless of which module is slow', async () => {
    for (const [a, b] of [
      [0, 6],
      [6, 0],
    ] as const) {
      const modules = {
        root: new InputComponent(),
        a: fn(async (x) => {
          await wait(a)
          return `a${x}`
        }),
        b: fn(async (x) => {
          await wait(b)
          return `b${x}`
        }),
        pack: new ArgPackComponent(),
      }
      const pipeline = new QueryPipeline({ modules, links: [] })
      for (const key of ['a', 'b']) {
        pipeline.addLink('root', key, { srcKey: 'x' })
        pipeline.addLink(key, 'pack', { destKey: key })
      }
      expect(await pipeline.run({ x: 1 })).toEqual(['a1', 'b1'])
    }
  })

  it('rejects with the error of the failing module, aborts the running modules, and starts no further module', async () => {
    const failure = new Error('broken')
    let aborted: AbortSignal | undefined
    let started = false
    const modules = {
      root: add1(),
      bad: fn(async () => {
        await wait(2)
        throw failure
      }),
      slow: fn((_, { signal }) => {
        aborted = signal
        return wait(8)
      }),
      after: fn(() => {
        started = true
      }),
    }
    const links = [new Link('root', 'bad'), new Link('root', 'slow'), new Link('slow', 'after')]
    const pipeline = new QueryPipeline({ modules, links })
    await expect(pipeline.runMulti({ root: { x: 1 } })).rejects.toMatchObject({ module: 'bad', cause: failure })
    expect(aborted?.aborted).toBe(true)
    expect(started).toBe(false)
  })

  it('does not wait for running modules that ignore the signal when another module fails', async () => {
    const ended: string[] = []
    let end = (_: unknown) => {}
    const modules = {
      root: add1(),
      slow: fn(() => new Promise((resolve) => (end = resolve))),
      bad: fn(() => Promise.reject(new Error('broken'))),
    }
    const links = [new Link('root', 'slow'), new Link('root', 'bad')]
    const pipeline = new QueryPipeline({ modules, links })
    const run = pipeline.runMulti({ root: { x: 1 } }, { onModuleEnd: (key) => ended.push(key) })
    await expect(run).rejects.toThrow('broken')
    end(1)
    await wait(1)
    expect(ended).toEqual(['root'])
  })

  it('does not wait for a module that ignores the signal of the caller', async () => {
    const controller = new AbortController()
    let started = 0
    const never = fn(() => {
      started++
      setTimeout(() => controller.abort('enough'))
      return new Promise(() => {})
    })
    const pipeline = new QueryPipeline({ chain: [never, add1()] })
    await expect(pipeline.run(1, { signal: controller.signal })).rejects.toBe('enough')
    expect(started).toBe(1)
  })

  it('rejects with the reason of the signal when the caller aborts', async () => {
    const controller = new AbortController()
    const pipeline = new QueryPipeline({ chain: [fn(() => controller.abort('enough')), add1()] })
    await expect(pipeline.run(1, { signal: controller.signal })).rejects.toBe('enough')
    await expect(pipeline.run(1, { signal: controller.signal })).rejects.toBe('enough')
  })

  it('allows several runs at the same time', async () => {
    const pipeline = new QueryPipeline({
      chain: [
        fn(async (x: number) => {
          await wait(x)
          return x
        }),
        add1(),
      ],
    })
    expect(await Promise.all([5, 1, 3].map((x) => pipeline.run(x)))).toEqual([6, 2, 4])
  })

  it('returns the inputs and outputs of each module', async () => {
    const ended: string[] = []
    const pipeline = new QueryPipeline({ modules: { a: add1(), b: add1() }, links: [new Link('a', 'b')] })
    const [output, all] = await pipeline.runWithIntermediates(1, { onModuleEnd: (key) => ended.push(key) })
    expect(output).toBe(3)
    expect(all).toEqual({
      a: { inputs: { x: 1 }, outputs: { output: 2 } },
      b: { inputs: { x: 2 }, outputs: { output: 3 } },
    })
    expect(ended).toEqual(['a', 'b'])
  })

  it('does not change the inputs of the caller', async () => {
    const inputs = Object.freeze({ x: 1 })
    const pipeline = new QueryPipeline({ chain: [new InputComponent(), add1()] })
    expect(await pipeline.run({ inputs })).toBe(2)
  })

  it('runs a nested pipeline whose module has fixed values when a link to an optional input is not followed', async () => {
    const sum = new FnComponent({
      fn: ({ a, b, c = 0 }: { a: number; b: number; c?: number }) => a + b + c,
      params: { required: ['a', 'b'], optional: ['c'] },
      partial: { b: 2 },
    })
    const inner = new QueryPipeline({ chain: [sum] })
    const pipeline = new QueryPipeline({ modules: { root: new InputComponent(), inner } })
    pipeline.addLink('root', 'inner', { srcKey: 'x', destKey: 'a' })
    pipeline.addLink('root', 'inner', { srcKey: 'x', destKey: 'c', conditionFn: () => false })
    expect(await pipeline.run({ x: 1 })).toBe(3)
  })

  it('rejects inputs that a fixed value would override, with strictPartials', async () => {
    const component = add1()
    component.partial({ x: 5 })
    expect(await new QueryPipeline({ chain: [component] }).run({ x: 1 })).toBe(6)
    const strict = new QueryPipeline({ chain: [component], strictPartials: true })
    await expect(strict.run({ x: 1 })).rejects.toMatchObject({ code: 'component_input' })
  })

  it('emits a query event without the context of the run and without values that have no JSON form', async () => {
    const handler = new RecordingCallbackHandler()
    const pipeline = new QueryPipeline({
      chain: [new InputComponent()],
      callbackManager: new CallbackManager([handler]),
    })
    const node = new NodeWithScore({ node: new TextNode({ text: 'words' }), score: 1 })
    const context = { task: { secret: 1 }, state: 1 }
    const inputs = { ...context, when: new Date(0), node, f: () => 1, list: [1, { state: 2 }] }
    await pipeline.run({ inputs }, { context })
    const start = handler.events.find((event) => event.phase === 'start' && event.type === 'query') as unknown as {
      payload: { query_str: string }
    }
    expect(JSON.parse(start.payload.query_str)).toEqual({ when: 'Date', node: 'words', f: 'function', list: [1, {}] })
  })

  it('logs modules and reports progress', async () => {
    const lines: string[] = []
    const steps: number[][] = []
    const pipeline = new QueryPipeline({
      modules: { a: add1() },
      verbose: true,
      logger: (line) => lines.push(line),
      showProgress: true,
      onProgress: (done, all) => steps.push([done, all]),
    })
    await pipeline.run(1)
    expect(lines).toEqual(['a: {"x":1}'])
    expect(steps).toEqual([[1, 1]])
    await pipeline.run(['word'.repeat(50), 'more'])
    expect(lines[1]).toBe(`a: ${JSON.stringify({ x: `["${'word'.repeat(49)}wo…` })}`)
    pipeline.verbose = false
    await pipeline.run(1)
    expect(lines).toHaveLength(2)
  })

  it('returns its graph without functions', () => {
    const pipeline = new QueryPipeline({
      modules: { a: add1(), b: add1() },
      links: [new Link('a', 'b', { destKey: 'x', conditionFn: () => true })],
    })
    expect(pipeline.cleanDag()).toEqual({
      modules: ['a', 'b'],
      links: [{ src: 'a', dest: 'b', src_key: null, dest_key: 'x', conditional: true }],
    })
  })

  it('is built in linear time, regardless of the order of links', async () => {
    const module = new InputComponent()
    const build = (size: number) => {
      const pipeline = new QueryPipeline()
      for (let i = 0; i < size; i++) pipeline.add(`${i}`, module)
      for (let i = size - 2; i > 0; i -= 2) pipeline.addLink(`${i}`, `${i + 1}`, { destKey: 'x' })
      for (let i = size - 3; i >= 0; i -= 2) pipeline.addLink(`${i}`, `${i + 1}`, { destKey: 'x' })
    }
    build(5000)
    expect(await growthOf(build, 2000)).toBeLessThan(1.75)
  })

  it('rejects contradictory options and values that are not components or links', () => {
    expect(() => new QueryPipeline({ chain: [], modules: {} })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
    expect(() => new QueryPipeline({ links: [] })).toThrow(expect.objectContaining({ code: 'pipeline_config' }))
    expect(() => new QueryPipeline({ modules: { a: 3 as never } })).toThrow(
      expect.objectContaining({ code: 'pipeline_config' }),
    )
    expect(() => new QueryPipeline({ modules: {}, links: [{} as never] })).toThrow(
      expect.objectContaining({ code: 'pipeline_config' }),
    )
    expect(() => new QueryPipeline({ chain: ['missing'] })).toThrow(
      expect.objectContaining({ code: 'pipeline_config' }),
    )
  })

  it('chains existing modules by their keys', async () => {
    const pipeline = new QueryPipeline({ modules: { a: add1() } })
    pipeline.addChain(['a', add1(), add1()])
    expect(await pipeline.run(0)).toBe(3)
  })
})

describe('CustomQueryComponent', () => {
  it('throws for missing overrides and for wrong keys', async () => {
    class Bare extends CustomQueryComponent {}
    expect(() => new Bare().inputKeys).toThrow(expect.objectContaining({ code: 'not_supported' }))
    expect(() => new Bare().outputKeys).toThrow(expect.objectContaining({ code: 'not_supported' }))
    class Shout extends CustomQueryComponent {
      protected override get _inputKeys() {
        return ['text']
      }
      protected override get _outputKeys() {
        return ['text']
      }
      protected override _runComponent({ text }: { text?: unknown }) {
        return text === '?' ? { wrong: 1 } : { text: `${text}!` }
      }
    }
    expect(await new QueryPipeline({ chain: [new Shout(), new Shout()] }).run('hi')).toBe('hi!!')
    await expect(new Shout().runComponent({ text: '?' })).rejects.toMatchObject({ code: 'component_output' })
    await expect(new Shout().runComponent({})).rejects.toMatchObject({ code: 'component_input' })
  })
})

describe('FnComponent', () => {
  it('reads its keys from a TypeBox object schema', () => {
    const params = { type: 'object', properties: { a: {}, b: {} }, required: ['b'] }
    const { inputKeys } = new FnComponent({ fn: () => 1, params })
    expect(inputKeys).toEqual({ required: ['b'], optional: ['a'] })
  })
})

describe('the built-in components', () => {
  it('parse, select and route values in a pipeline', async () => {
    const parser = new OutputParserComponent({
      outputParser: { parse: (text) => text.length, format: (q) => q, formatMessages: (m) => m },
    })
    expect(await parser.runComponent({ input: 'four' })).toEqual({ output: 4 })
    const selector = { select: (choices: readonly string[], query: string) => [{ index: choices.indexOf(query) }] }
    const select = new SelectorComponent({ selector })
    expect(await select.runComponent({ choices: ['a', 'b'], query: 'b' })).toEqual({ output: [{ index: 1 }] })
    await expect(select.runComponent({ choices: 'a', query: 'b' })).rejects.toMatchObject({ code: 'component_input' })
    const router = new RouterComponent({
      selector,
      choices: ['up', 'down'],
      components: [fn((x: string) => x.toUpperCase()), fn(() => 'v')],
    })
    expect(subQueryComponents(router)).toHaveLength(2)
    expect(await new QueryPipeline({ chain: [router] }).run('up')).toBe('UP')
    await expect(router.runComponent({ query: 'none' })).rejects.toMatchObject({ code: 'component_output' })
    await expect(router.runComponent({})).rejects.toMatchObject({ code: 'component_input' })
    expect(() => new RouterComponent({ selector, choices: ['a'], components: [] })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
  })

  it('receive values of the context of a run by name, in nested pipelines too', async () => {
    const greet = () =>
      new FnComponent({
        fn: ({ x, who }: { x: string; who: string }) => `${x}${who}`,
        params: { required: ['x', 'who'] },
        contextKeys: ['who'],
      })
    const inner = new QueryPipeline({ modules: { one: new InputComponent(), two: greet() } })
    inner.addLink('one', 'two', { srcKey: 'x' })
    const outer = new QueryPipeline({ modules: { first: greet(), inner } })
    outer.addLink('first', 'inner', { destKey: 'x' })
    expect(await outer.run({ x: '>' }, { context: { who: 'me' } })).toBe('>meme')
  })

  it('refuse an input of `contextKeys` that somebody passes beside the context', async () => {
    const orders = new FnComponent({
      fn: ({ q, user }: { q: string; user: string }) => `${q} of ${user}`,
      params: { required: ['q', 'user'] },
      contextKeys: ['user'],
    })
    const context = { user: 'ann' }
    const body = { q: 'orders', user: 'bob' }
    const nested = new QueryPipeline({ chain: [new QueryPipeline({ chain: [orders] })] })
    for (const pipeline of [new QueryPipeline({ chain: [orders] }), nested])
      await expect(pipeline.run(body, { context })).rejects.toThrow('"user" is in contextKeys')
    expect(await nested.run({ q: 'orders' }, { context })).toBe('orders of ann')
    expect(await nested.run(body)).toBe('orders of bob')
  })

  it('receive the value of a link instead of the value of the context', async () => {
    const pipeline = new QueryPipeline({ chain: [new InputComponent(), new PromptTemplate({ template: 'Do {who}' })] })
    expect(await pipeline.run({ x: 'it' }, { context: { who: 'me' } })).toBe('Do it')
  })
})

describe('the structure of a QueryPipeline', () => {
  const two = () => new QueryPipeline({ modules: { a: new InputComponent(), b: new InputComponent() } })
  const outputs = (...keys: string[]) =>
    new DefinedComponent({
      name: 'Outputs',
      inputKeys: () => ({ required: ['x'], optional: [] }),
      outputKeys: keys,
      run: () => Object.fromEntries(keys.map((key) => [key, key])),
    })

  it('throws for duplicate keys, unknown modules, invalid components and cycles', () => {
    const codeOf = (build: () => unknown) => {
      try {
        build()
      } catch (error) {
        return (error as { code: string }).code
      }
      return null
    }
    expect(codeOf(() => new QueryPipeline({ chain: [add1()], modules: {} }))).toBe('configuration')
    expect(codeOf(() => new QueryPipeline({ links: [new Link('a', 'b')] }))).toBe('pipeline_config')
    expect(codeOf(() => two().add('a', add1()))).toBe('pipeline_config')
    expect(codeOf(() => two().add('c', {} as never))).toBe('pipeline_config')
    expect(codeOf(() => two().addLink('a', 'missing'))).toBe('pipeline_config')
    expect(codeOf(() => two().addLinks([{} as never]))).toBe('pipeline_config')
    expect(codeOf(() => two().addLink('a', 'a'))).toBe('pipeline_cycle')
    expect(
      codeOf(() => {
        const pipeline = two()
        pipeline.addLink('a', 'b', { destKey: 'x' })
        pipeline.addLink('b', 'a', { destKey: 'x' })
      }),
    ).toBe('pipeline_cycle')
  })

  it('is returned as keys and links', () => {
    const pipeline = new QueryPipeline({ modules: { a: outputs('one', 'two'), b: add1() }, partial: { x: 1 } })
    pipeline.addLink('a', 'b', { srcKey: 'one' })
    expect([pipeline.getRootKeys(), pipeline.getLeafKeys(), pipeline.getStaticOrder()]).toEqual([
      ['a'],
      ['b'],
      ['a', 'b'],
    ])
    expect(pipeline.outputKeys).toEqual(['output'])
    expect(pipeline.inputKeys.required).toEqual(['x'])
    expect(pipeline.freeReqInputKeys).toEqual([])
    expect(pipeline.subQueryComponents).toEqual([...pipeline.modules.values()])
  })

  it('requires one root and one leaf for use as a component', async () => {
    expect(() => two().outputKeys).toThrow(expect.objectContaining({ code: 'pipeline_output' }))
    expect(() => two().inputKeys).toThrow(expect.objectContaining({ code: 'pipeline_root' }))
    expect(() => new QueryPipeline().outputKeys).toThrow(expect.objectContaining({ code: 'pipeline_output' }))
    await expect(two().run(1)).rejects.toMatchObject({ code: 'pipeline_root' })
  })

  it('throws for inputs that do not match its roots', async () => {
    await expect(two().runMulti({ a: {} })).rejects.toMatchObject({ code: 'pipeline_input' })
    const none = new QueryPipeline({ chain: [new InputComponent()] })
    await expect(none.run(1)).rejects.toMatchObject({ code: 'pipeline_input' })
  })

  it('throws for a link with an ambiguous or missing output or input', async () => {
    const link = (options: LinkOptions, dest = add1()) => {
      const pipeline = new QueryPipeline({ modules: { a: outputs('one', 'two'), b: dest } })
      pipeline.addLink('a', 'b', options)
    }
    const refused = (code: string, message: RegExp) =>
      expect.objectContaining({ code, message: expect.stringMatching(message) })
    expect(() => link({})).toThrow(refused('pipeline_output', /from "a" without srcKey .* found one, two/))
    expect(() => link({ srcKey: 'three' })).toThrow(
      refused('pipeline_output', /module "a" has no output "three"; its outputs: one, two/),
    )
    const pair = new FnComponent({ fn: () => 0, params: { required: ['x', 'y'] } })
    expect(() => link({ srcKey: 'one' }, pair)).toThrow(
      refused('pipeline_input', /to "b" without destKey .* found x, y/),
    )
    expect(() => link({ srcKey: 'one', destKey: 'nope' })).toThrow(
      refused('component_input', /module "b" has no input "nope"; its inputs: x/),
    )
  })

  it('throws if run is called on a pipeline with several outputs', async () => {
    const pipeline = new QueryPipeline({ modules: { a: new InputComponent(), b: add1(), c: add1() } })
    pipeline.addLink('a', 'b', { srcKey: 'x' })
    pipeline.addLink('a', 'c', { srcKey: 'x' })
    await expect(pipeline.run({ x: 1 })).rejects.toMatchObject({ code: 'pipeline_output' })
  })
})

describe('a QueryPipeline whose conditions are all false', () => {
  const never = { conditionFn: () => false }

  it('throws when only an input component ran: the inputs are no answer', async () => {
    const pipeline = new QueryPipeline({ modules: { input: new InputComponent(), answer: add1() } })
    pipeline.addLink('input', 'answer', { srcKey: 'x', ...never })
    await expect(pipeline.run({ x: 1 })).rejects.toMatchObject({
      code: 'pipeline_output',
      message: expect.stringContaining('no condition of its links was true'),
    })
    expect(await pipeline.runMulti({ input: { x: 1 } })).toEqual({})
    const outer = new QueryPipeline({ modules: { first: new InputComponent(), pipeline } })
    outer.addLink('first', 'pipeline', { srcKey: 'x', destKey: 'x' })
    await expect(outer.run({ x: 1 })).rejects.toMatchObject({ cause: { code: 'pipeline_output' } })
  })

  it('returns the output of the last component that ran', async () => {
    const pipeline = new QueryPipeline({ modules: { input: new InputComponent(), one: add1(), two: add1() } })
    pipeline.addLink('input', 'one', { srcKey: 'x' })
    pipeline.addLink('one', 'two', never)
    expect(await pipeline.run({ x: 1 })).toBe(2)
  })
})

describe('InputKeys and OutputKeys', () => {
  it('reject missing and unknown keys', () => {
    const keys = new InputKeys(['a'], ['b'])
    keys.validate(['a'])
    keys.validate(['b', 'a'])
    expect(() => keys.validate(['b'])).toThrow(expect.objectContaining({ code: 'component_input', keys: ['a'] }))
    expect(() => keys.validate(['a', 'c'])).toThrow(expect.objectContaining({ code: 'component_input', keys: ['c'] }))
    new OutputKeys(['a']).validate(['a'])
    expect(() => new OutputKeys(['a']).validate(['a', 'b'])).toThrow(
      expect.objectContaining({ code: 'component_output' }),
    )
  })
})
