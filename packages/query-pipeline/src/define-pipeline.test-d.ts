import { ScriptedLLM } from '@x/llm/testing'
import { PromptTemplate } from '@x/prompts'
import { expectTypeOf, it } from 'vitest'
import { defineComponent, definePipeline, MapComponent, optional, type QueryPipeline, typed } from './index.ts'

const words = defineComponent({
  inputs: { text: typed<string>() },
  outputs: { list: typed<string[]>(), count: typed<number>() },
  run: ({ text }) => {
    expectTypeOf(text).toEqualTypeOf<string>()
    return { list: text.split(' '), count: 1 }
  },
})
const limit = defineComponent({
  inputs: { words: typed<readonly string[]>(), most: typed<number>(), mark: optional(typed<string>()) },
  outputs: { text: typed<string>() },
  run: ({ words, most, mark }) => {
    expectTypeOf(mark).toEqualTypeOf<string | undefined>()
    return { text: words.slice(0, most).join(mark ?? ' ') }
  },
})
const inputs = { question: typed<string>(), most: typed<number>(), mark: optional(typed<string>()) }
const modules = { words, limit }

it('the result and the inputs of a pipeline have the types of the specs', () => {
  const pipeline = definePipeline({
    inputs,
    modules,
    links: {
      words: { text: 'input.question' },
      limit: { words: 'words.list', most: 'input.most', mark: 'input.mark' },
    },
    output: 'limit.text',
  })
  expectTypeOf(pipeline.run).returns.resolves.toEqualTypeOf<string>()
  expectTypeOf(pipeline.run).parameter(0).toEqualTypeOf<{ question: string; most: number; mark?: string }>()
  expectTypeOf(pipeline).toExtend<QueryPipeline>()
  // @ts-expect-error A required input is missing.
  void pipeline.run({ question: 'x' })
  // @ts-expect-error There is no such input.
  void pipeline.run({ question: 'x', most: 1, moast: 1 })
})

it('a result with several outputs has a type per output', () => {
  const pipeline = definePipeline({
    inputs,
    modules: { words },
    links: { words: { text: 'input.question' } },
    output: { all: 'words.list', size: ['input.most', 'words.count'] },
  })
  expectTypeOf(pipeline.run).returns.resolves.toEqualTypeOf<{ all: string[]; size: number }>()
})

it('conditions and conversions receive the type of the value', () => {
  definePipeline({
    inputs,
    modules,
    links: {
      words: {
        text: [
          {
            from: 'input.question',
            when: (question) => {
              expectTypeOf(question).toEqualTypeOf<string>()
              return question.length > 3
            },
          },
          { from: 'input.most', convert: (most) => most.toFixed() },
        ],
      },
      limit: { words: 'words.list', most: { from: 'words.list', convert: (list) => list.length } },
    },
    output: 'limit.text',
  })
})

it('pipelines, prompts and models can be modules', () => {
  const inner = definePipeline({
    inputs: { text: typed<string>() },
    modules: { words },
    links: { words: { text: 'input.text' } },
    output: 'words.list',
  })
  const outer = definePipeline({
    inputs: { question: typed<string>() },
    modules: {
      inner,
      prompt: new PromptTemplate({ template: 'Answer {question} with {words}' }),
      llm: new ScriptedLLM(),
      map: new MapComponent({ component: words }),
    },
    links: {
      inner: { text: 'input.question' },
      prompt: { question: 'input.question', words: 'inner.output' },
      llm: { messages: 'prompt.prompt' },
      map: { items: 'inner.output' },
    },
    output: 'inner.output',
  })
  expectTypeOf(outer.run).returns.resolves.toEqualTypeOf<string[]>()
})

it('a component whose run function does not match its specs does not compile', () => {
  defineComponent({
    inputs: { text: typed<string>() },
    outputs: { count: typed<number>() },
    // @ts-expect-error The output is a number.
    run: ({ text }) => ({ count: text }),
  })
  defineComponent({
    inputs: { text: typed<string>() },
    outputs: { count: typed<number>() },
    // @ts-expect-error There is no such input.
    run: ({ txt }) => ({ count: txt }),
  })
  // @ts-expect-error There is no such input.
  defineComponent({ inputs: { text: typed<string>() }, outputs: {}, run: () => ({}), partial: { txt: 'x' } })
  // @ts-expect-error The input is a string.
  defineComponent({ inputs: { text: typed<string>() }, outputs: {}, run: () => ({}), partial: { text: 5 } })
})

it('a link between incompatible or missing inputs and outputs does not compile', () => {
  const rest = { inputs, modules, output: 'limit.text' } as const
  const fits = { words: 'words.list', most: 'input.most' } as const
  const text = 'input.question'
  // @ts-expect-error A number is not a string.
  definePipeline({ ...rest, links: { words: { text: 'input.most' }, limit: fits } })
  // @ts-expect-error The module has no such output.
  definePipeline({ ...rest, links: { words: { text }, limit: { ...fits, words: 'words.lists' } } })
  // @ts-expect-error There is no such module.
  definePipeline({ ...rest, links: { words: { text }, limit: { ...fits, words: 'word.list' } } })
  // @ts-expect-error The module has no such input.
  definePipeline({ ...rest, links: { words: { text, txt: text }, limit: fits } })
  // @ts-expect-error There is no such target.
  definePipeline({ ...rest, links: { words: { text }, limit: fits, limits: fits } })
  // @ts-expect-error A required input has no source.
  definePipeline({ ...rest, links: { words: { text }, limit: { words: 'words.list' } } })
  // @ts-expect-error A module has no links.
  definePipeline({ ...rest, links: { words: { text } } })
  // @ts-expect-error A module cannot read itself.
  definePipeline({ ...rest, links: { words: { text }, limit: { ...fits, mark: 'limit.text' } } })
  // @ts-expect-error An optional input is not assignable to a required one.
  definePipeline({ ...rest, links: { words: { text: 'input.mark' }, limit: fits } })
  // @ts-expect-error The conversion returns a number.
  definePipeline({ ...rest, links: { words: { text: { from: text, convert: (q) => q.length } }, limit: fits } })
  // @ts-expect-error There is no such output.
  definePipeline({ ...rest, links: { words: { text }, limit: fits }, output: 'limit.words' })
  // @ts-expect-error There is no such option.
  definePipeline({ ...rest, links: { words: { text }, limit: fits }, numWorker: 2 })
  definePipeline({ ...rest, links: { words: { text }, limit: fits } })
})

it('fixed inputs need no link', () => {
  const fixed = defineComponent({
    inputs: { text: typed<string>(), most: typed<number>() },
    outputs: { text: typed<string>() },
    run: ({ text }) => ({ text }),
    partial: { most: 3 },
  })
  definePipeline({
    inputs: { text: typed<string>() },
    modules: { fixed },
    links: { fixed: { text: 'input.text' } },
    output: 'fixed.text',
  })
})
