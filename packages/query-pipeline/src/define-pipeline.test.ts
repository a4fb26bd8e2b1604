import { CallbackManager, type StandardSchema } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { PromptTemplate } from '@x/prompts'
import { describe, expect, it } from 'vitest'
import { defineComponent, definePipeline, optional, QueryPipeline, typed } from './index.ts'

/** A schema that accepts numbers and strings of digits. */
const digits: StandardSchema<number> & { '~standard': { types?: { input: string | number; output: number } } } = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      Number.isFinite(Number(value))
        ? { value: Number(value) }
        : { issues: [{ message: `expected digits, received ${String(value)}`, path: ['at', { key: 0 }] }] },
  },
}

const words = defineComponent({
  inputs: { text: typed<string>() },
  outputs: { list: typed<string[]>(), count: typed<number>() },
  run: ({ text }) => ({ list: text.split(' '), count: text.split(' ').length }),
})
const shout = defineComponent({
  name: 'shout',
  inputs: { text: typed<string>(), mark: optional(typed<string>()) },
  outputs: { text: typed<string>() },
  run: ({ text, mark = '!' }) => ({ text: `${text}${mark}` }),
})

describe('component', () => {
  it('declares its keys and runs', async () => {
    expect([shout.inputKeys, shout.outputKeys]).toEqual([{ required: ['text'], optional: ['mark'] }, ['text']])
    expect(await shout.runComponent({ text: 'hi' })).toEqual({ text: 'hi!' })
    expect(await shout.runComponent({ text: 'hi', mark: '?' })).toEqual({ text: 'hi?' })
    await expect(shout.runComponent({} as never)).rejects.toMatchObject({ code: 'component_input', keys: ['text'] })
  })

  it('checks and converts values with a schema', async () => {
    const double = defineComponent({
      name: 'double',
      inputs: { n: digits, by: optional(digits) },
      outputs: { n: digits },
      run: ({ n, by = 2 }) => ({ n: n < 0 ? (Number.NaN as number) : n * by }),
    })
    expect(await double.runComponent({ n: '21' })).toEqual({ n: 42 })
    expect(await double.runComponent({ n: 1, by: '3' })).toEqual({ n: 3 })
    await expect(double.runComponent({ n: 'x' })).rejects.toThrow('double: input n.at.0: expected digits, received x.')
    await expect(double.runComponent({ n: -1 })).rejects.toMatchObject({
      code: 'component_output',
      message: 'double: output n.at.0: expected digits, received NaN.',
    })
  })

  it('accepts fixed inputs, and can be used in an untyped pipeline', async () => {
    const fixed = defineComponent({
      inputs: { text: typed<string>(), mark: typed<string>() },
      outputs: { text: typed<string>() },
      run: ({ text, mark }) => ({ text: text + mark }),
      partial: { mark: '.' },
    })
    expect(await new QueryPipeline({ chain: [fixed, fixed] }).run('a')).toBe('a..')
  })
})

describe('definePipeline', () => {
  const echo = () =>
    definePipeline({
      inputs: { question: typed<string>(), mark: optional(typed<string>()) },
      modules: { words, shout },
      links: { words: { text: 'input.question' }, shout: { text: 'input.question', mark: 'input.mark' } },
      output: { loud: 'shout.text', count: 'words.count' },
    })

  it('returns outputs by name, and accepts optional inputs', async () => {
    expect(await echo().run({ question: 'a b' })).toEqual({ loud: 'a b!', count: 2 })
    expect(await echo().run({ question: 'a b', mark: '?' })).toEqual({ loud: 'a b?', count: 2 })
  })

  it('runs the branch whose condition is true, and converts values', async () => {
    const branch = definePipeline({
      inputs: { question: typed<string>() },
      modules: { words, long: shout, short: shout },
      links: {
        words: { text: 'input.question' },
        long: { text: { from: 'words.list', when: (list) => list.length > 2, convert: (list) => list.join('-') } },
        short: { text: { from: 'input.question', when: (question) => question.split(' ').length <= 2 } },
      },
      output: { answer: ['short.text', 'long.text'] },
    })
    expect(await branch.run({ question: 'one two' })).toEqual({ answer: 'one two!' })
    expect(await branch.run({ question: 'one two three' })).toEqual({ answer: 'one-two-three!' })
  })

  it('can be used as a component of other pipelines', async () => {
    const outer = definePipeline({
      inputs: { text: typed<string>() },
      modules: { echo: echo(), last: shout },
      links: { echo: { question: 'input.text' }, last: { text: 'echo.loud' } },
      output: 'last.text',
    })
    expect(await outer.run({ text: 'hi' })).toBe('hi!!')
    expect([outer.inputKeys, outer.outputKeys, outer.freeReqInputKeys, outer.contextKeys]).toEqual([
      { required: ['text'], optional: [] },
      ['output'],
      ['text'],
      [],
    ])
    expect(await new QueryPipeline({ chain: [outer, shout] }).run('hi')).toBe('hi!!!')
  })

  it('accepts prompts and models', async () => {
    const llm = new ScriptedLLM({ answers: ['Green.'] })
    const ask = definePipeline({
      inputs: { thing: typed<string>() },
      modules: { prompt: new PromptTemplate({ template: 'Color of {thing}?' }), llm },
      links: { prompt: { thing: 'input.thing' }, llm: { messages: 'prompt.prompt' } },
      output: 'llm.output',
    })
    expect(String(await ask.run({ thing: 'tea' }))).toBe('Green.')
    expect(llm.calls[0]!.messages).toMatchObject([{ content: 'Color of tea?' }])
  })

  it('emits a query event, calls onModuleEnd and has a flowchart like other pipelines', async () => {
    const handler = new RecordingCallbackHandler()
    const ended: string[] = []
    await echo().run(
      { question: 'a' },
      { callbackManager: new CallbackManager([handler]), onModuleEnd: (key) => ended.push(key) },
    )
    expect(handler.events[1]).toMatchObject({
      type: 'query',
      payload: { query_str: '{"question":"a"}' },
    })
    expect(ended).toEqual(['input', 'words', 'shout', 'output'])
    expect(echo().toMermaid()).toContain('m0 -.->|"mark"|')
  })

  it('validates the inputs of a run', async () => {
    const checked = definePipeline({
      inputs: { n: digits },
      modules: {},
      links: {},
      output: 'input.n',
    })
    expect(await checked.run({ n: '5' })).toBe(5)
    await expect(checked.run({ n: 'x' })).rejects.toMatchObject({
      code: 'pipeline_input',
      message: 'QueryPipeline: input n.at.0: expected digits, received x.',
    })
    await expect(checked.run({} as never)).rejects.toMatchObject({ code: 'pipeline_input' })
    await expect(checked.run({ n: 1, m: 2 } as never)).rejects.toMatchObject({
      code: 'pipeline_input',
      message: 'QueryPipeline: run: unknown input m; it takes n.',
    })
    await expect(checked.run({ n: 1 }, { signall: 1 } as never)).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('rejects if no module delivered the result', async () => {
    const never = definePipeline({
      inputs: { text: typed<string>() },
      modules: { shout },
      links: { shout: { text: { from: 'input.text', when: () => false } } },
      output: 'shout.text',
    })
    await expect(never.run({ text: 'x' })).rejects.toMatchObject({
      code: 'pipeline_output',
      message: 'QueryPipeline: no module delivered the output output.',
    })
  })

  it('throws for definitions that the compiler rejects', () => {
    const define = (links: object, more: object = {}) =>
      definePipeline({
        inputs: { q: typed<string>() },
        modules: { shout },
        links,
        output: 'shout.text',
        ...more,
      } as never)
    const config = (message: string) =>
      expect.objectContaining({ code: 'pipeline_config', message: `QueryPipeline: ${message}.` })
    expect(() => define(null as never)).toThrow('definePipeline.links: expected an object, received null')
    expect(() => define({})).toThrow(config('module "shout": no link leads to its input text'))
    expect(() => define({ shout: { text: 'q' } })).toThrow(
      config('input "text" of module "shout": expected module.output, received q'),
    )
    expect(() => define({ shout: { text: 'input.p' } })).toThrow(
      config('input "text" of module "shout": the pipeline has no input "p"'),
    )
    expect(() => define({ shout: { text: 'other.text' } })).toThrow(config('module "other" does not exist'))
    expect(() => define({ shout: { text: 'input.q' }, other: { x: 'input.q' } })).toThrow(
      config('module "other" does not exist'),
    )
    expect(() => define({ shout: { text: 'input.q' } }, { modules: { input: shout } })).toThrow(
      config('module "input" already exists'),
    )
    expect(() => define({}, { modules: { 'a.b': shout } })).toThrow(
      config('module "a.b": the key must not contain a dot'),
    )
    expect(() => define({ shout: { text: 'input.q' } }, { numWorker: 1 })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })
})
