import { BaseOutputParser, CallbackManager, DefinedComponent } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { InputKeys } from './component.ts'
import {
  ArgPackComponent,
  FnComponent,
  InputComponent,
  KwargPackComponent,
  OutputParserComponent,
  paramKeys,
  RouterComponent,
  type Selector,
  SelectorComponent,
} from './components.ts'
import { MapComponent } from './map-component.ts'
import { QueryPipeline } from './query-pipeline.ts'

const picks = (...indices: number[]): Selector => ({ select: () => indices.map((index) => ({ index })) })
const answers = (word: string) =>
  new FnComponent({ fn: ({ query }: { query: string }) => `${word}: ${query}`, params: { required: ['query'] } })

describe('InputComponent', () => {
  it('returns its inputs, with fixed values instead of inputs of the same name', async () => {
    expect(await new InputComponent({ partial: { b: 0 } }).runComponent({ a: 1, b: 2 })).toEqual({ a: 1, b: 0 })
    expect(await new InputComponent().runComponent()).toEqual({})
  })
})

describe('ArgPackComponent', () => {
  it('packs converted values, even if the conversion is async', async () => {
    const pack = new ArgPackComponent({ convertFn: async (value: number) => value * 2, partial: { last: 5 } })
    expect(await pack.runComponent({ a: 1, b: 2 })).toEqual({ output: [2, 4, 10] })
  })

  it('packs values in the order of arrival instead of the order of keys', async () => {
    const pack = new ArgPackComponent()
    expect(await pack.runComponent({ a: 1, b: 2, c: 3 }, { order: ['c', 'missing', 'b'] })).toEqual({
      output: [3, 2, 1],
    })
  })
})

describe('KwargPackComponent', () => {
  it('packs converted values by name', async () => {
    expect(await new KwargPackComponent().runComponent({ a: 1 })).toEqual({ output: { a: 1 } })
    const pack = new KwargPackComponent({ convertFn: async (value: number) => value * 2, partial: { c: 4 } })
    expect(await pack.runComponent({ a: 1, b: 2 })).toEqual({ output: { a: 2, b: 4, c: 8 } })
  })
})

describe('paramKeys', () => {
  it('returns the keys of arrays of names and of object schemas', () => {
    expect(paramKeys({ required: ['a'] })).toEqual({ required: ['a'], optional: [] })
    expect(paramKeys({ required: ['a'], optional: ['b'] })).toEqual({ required: ['a'], optional: ['b'] })
    expect(paramKeys({ properties: { a: {}, b: {} }, required: ['b'] })).toEqual({ required: ['b'], optional: ['a'] })
    expect(paramKeys({ properties: { a: {} } })).toEqual({ required: [], optional: ['a'] })
  })
})

describe('FnComponent', () => {
  it('calls asyncFn instead of fn, and returns the output as outputKey', async () => {
    const component = new FnComponent({
      fn: () => 'sync',
      asyncFn: async () => 'async',
      params: { required: [] },
      outputKey: 'answer',
    })
    expect(await component.runComponent({})).toEqual({ answer: 'async' })
  })

  it('throws for missing and unknown inputs', async () => {
    await expect(answers('a').runComponent({})).rejects.toMatchObject({ code: 'component_input' })
    await expect(answers('a').runComponent({ query: '', more: 1 })).rejects.toMatchObject({ code: 'component_input' })
  })
})

describe('OutputParserComponent', () => {
  it('parses the text of its input', async () => {
    class Length extends BaseOutputParser<number> {
      parse(output: string): number {
        return output.length
      }
    }
    const parser = new OutputParserComponent({ outputParser: new Length() })
    expect(await parser.runComponent({ input: 'four' })).toEqual({ output: 4 })
  })
})

describe('SelectorComponent', () => {
  it('returns the selections of its selector', async () => {
    const selector: Selector = {
      select: (choices, query) =>
        choices.flatMap((choice, index) => (choice === query ? { index, reason: 'same' } : [])),
    }
    const component = new SelectorComponent({ selector })
    expect(await component.runComponent({ choices: ['x', 'y'], query: 'y' })).toEqual({
      output: [{ index: 1, reason: 'same' }],
    })
  })

  it('throws for choices that are not an array', async () => {
    const component = new SelectorComponent({ selector: picks(0) })
    for (const choices of [null, 'x', { 0: 'x' }]) {
      await expect(component.runComponent({ choices, query: 'y' })).rejects.toMatchObject({ code: 'component_input' })
    }
  })
})

describe('RouterComponent', () => {
  const router = (selector: Selector) =>
    new RouterComponent({ selector, choices: ['facts', 'jokes'], components: [answers('fact'), answers('joke')] })

  it('passes the query to the component that was picked', async () => {
    expect(await router(picks(1)).runComponent({ query: 'Why?' })).toEqual({ output: 'joke: Why?' })
  })

  it('throws if the selector picks no, several or unknown components', async () => {
    for (const selector of [picks(), picks(0, 1), picks(2)]) {
      await expect(router(selector).runComponent({ query: '' })).rejects.toMatchObject({ code: 'component_output' })
    }
  })

  it('throws for inputs other than the query', async () => {
    await expect(router(picks(0)).runComponent({})).rejects.toMatchObject({ code: 'component_input' })
    await expect(router(picks(0)).runComponent({ query: '', more: 1 })).rejects.toMatchObject({
      code: 'component_input',
    })
  })

  it('throws for components that do not have exactly one free required input', () => {
    const selector = picks(0)
    const two = new FnComponent({ fn: () => 0, params: { required: ['a', 'b'] } })
    const make = (component: unknown, choices = ['facts']) =>
      new RouterComponent({ selector, choices, components: [component as FnComponent] })
    expect(() => make(two)).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(() => make({})).toThrow(expect.objectContaining({ code: 'pipeline_config' }))
    expect(() => make(answers('a'), ['one', 'two'])).toThrow(expect.objectContaining({ code: 'configuration' }))
  })

  it('passes its callback manager to its components', () => {
    const managers: CallbackManager[] = []
    const listening = new DefinedComponent({
      name: 'Listening',
      inputKeys: () => ({ required: ['query'], optional: [] }),
      outputKeys: ['output'],
      run: (inputs) => inputs,
      setCallbackManager: (manager) => managers.push(manager),
    })
    const component = new RouterComponent({ selector: picks(0), choices: ['any'], components: [listening] })
    const manager = new CallbackManager()
    component.setCallbackManager(manager)
    expect(managers).toEqual([manager])
  })
})

describe('Options of components', () => {
  const code = 'model_validation'
  const message = (part: string) => expect.objectContaining({ code, message: expect.stringContaining(part) })

  it.each<[string, () => unknown]>([
    ['FnComponent.params', () => new FnComponent({ fn: () => 1 } as never)],
    ['FnComponent.params', () => new FnComponent({ fn: () => 1, params: { required: 'query' } } as never)],
    ['FnComponent.params', () => new FnComponent({ fn: () => 1, params: { required: [], optional: [1] } } as never)],
    ['FnComponent.fn', () => new FnComponent({ params: { required: [] } } as never)],
    ['SelectorComponent.selector', () => new SelectorComponent({} as never)],
    ['SelectorComponent.choice', () => new SelectorComponent({ selector: picks(0), choice: [] } as never)],
    ['OutputParserComponent.outputParser', () => new OutputParserComponent({ outputParser: {} } as never)],
    ['RouterComponent.selector', () => new RouterComponent({ choices: [], components: [] } as never)],
    ['RouterComponent.choices', () => new RouterComponent({ selector: picks(0), components: [] } as never)],
    ['RouterComponent.components', () => new RouterComponent({ selector: picks(0), choices: [] } as never)],
    ['MapComponent', () => new MapComponent(undefined as never)],
    ['ArgPackComponent.partial', () => new ArgPackComponent({ partial: 'text' } as never)],
    ['InputKeys.optional', () => new InputKeys([], null as never)],
    ['QueryPipeline.callbackManager', () => new QueryPipeline({ callbackManager: {} } as never)],
    ['QueryPipeline.modules', () => new QueryPipeline({ modules: [] } as never)],
    ['QueryPipeline.addModules.modules', () => new QueryPipeline().addModules(null as never)],
    ['QueryPipeline.addChain.chain', () => new QueryPipeline().addChain(null as never)],
    ['QueryPipeline.addLinks.links', () => new QueryPipeline().addLinks({} as never)],
  ])('are checked: %s', (name, make) => {
    expect(make).toThrow(message(name))
  })

  it('may be an async function alone, and a schema', async () => {
    const params = { properties: { a: { type: 'integer' } }, required: ['a'] }
    const fn = new FnComponent({ asyncFn: async ({ a }: { a: number }) => a + 1, params } as never)
    expect(await fn.runComponent({ a: 1 })).toEqual({ output: 2 })
  })
})

it.each([ArgPackComponent, KwargPackComponent, QueryPipeline])('new %o(null) throws an error with a code', (Made) => {
  expect(() => new Made(null as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
})
