import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore, type Tool } from '@x/agents'
import { type Layer, type Layers, toolLoop } from '@x/agents/loop'
import { LLMMetadata } from '@x/core-model'
import { StoredTasks } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { expect, it } from 'vitest'
import { calls, model } from '../test/model.ts'
import * as everything from './index.ts'
import { toolSearch } from './tool-search.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const topics = ['invoice', 'refund', 'weather', 'flight', 'parcel']
const tools = [
  FunctionTool.fromDefaults({ name: 'help', description: 'Helps.', schema: {}, fn: () => 'helped' }),
  ...Array.from({ length: 300 }, (_, i) =>
    FunctionTool.fromDefaults({
      name: `${topics[i % 5]}Tool${i}`,
      description: `Does thing ${i} for ${topics[i % 5]}s.`,
      schema: {},
      fn: () => `result ${i}`,
    }),
  ),
]
const answers = () => [
  calls(['search_tools', { query: 'refunds, thing 101' }]),
  calls(['refundTool101', {}], ['weatherTool2', {}]),
  'Done.',
]
const offered = (llm: ScriptedLLM) =>
  llm.calls.map(({ options }) =>
    (options!['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name),
  )

it('hundreds of tools: those that were found join the requests', async () => {
  const llm = new ScriptedLLM({ metadata, answers: answers() })
  const layers = [toolSearch({ always: ['help'], limit: 3 })]
  const { sources, text } = await toolLoop({ llm, tools, layers }).run('Refund!')
  expect(text).toBe('Done.')
  const [first, second] = offered(llm)
  expect(first).toEqual(['help', 'search_tools'])
  expect(second).toHaveLength(5)
  expect(second).toContain('refundTool101')
  expect(sources[0]!.content.split('\n')[0]).toBe('refundTool101: Does thing 101 for refunds.')
  expect(sources.slice(1).map(String)).toEqual([
    'result 101',
    expect.stringContaining('There is no tool "weatherTool2"'),
  ])
})

it('a search finds five tools by default', async () => {
  const llm = new ScriptedLLM({ metadata, answers: answers() })
  await toolLoop({ llm, tools, layers: [toolSearch()] }).run('Refund!')
  expect(offered(llm).map((names) => names.length)).toEqual([1, 6, 6])
})

it('the found tools are part of a saved task of an agent', async () => {
  const taskStore = new MemoryTaskStore()
  const make = (from: number) => {
    const llm = new ScriptedLLM({ metadata, answers: answers().slice(from) })
    return {
      llm,
      agent: FunctionCallingAgent.fromTools({ llm, tools, layers: [toolSearch()], taskStore: journal(taskStore) }),
    }
  }
  const { taskId } = await make(0).agent.createTask('Refund!', { taskId: 't' })
  const first = make(0)
  await first.agent.resumeTask(taskId)
  await first.agent.runStep(taskId)
  const { llm, agent } = make(1)
  await agent.resumeTask(taskId)
  expect(String(await agent.runTask(taskId))).toBe('Done.')
  expect(offered(llm)[0]).toContain('refundTool101')
})

it('a search that finds nothing says so, and an own search may be asynchronous', async () => {
  const run = async (search?: () => Promise<string[]>) => {
    const llm = new ScriptedLLM({
      metadata,
      answers: [calls(['search_tools', { query: '?' }]), 'Done.'],
    })
    return String((await toolLoop({ llm, tools, layers: [toolSearch(search ? { search } : {})] }).run('x')).sources[0])
  }
  expect(await run()).toBe('No tool was found. Try other words.')
  expect(await run(async () => ['help', 'unknown'])).toBe('help: Helps.')
})

it.each([
  ['toolSearch.limt', { limt: 3 }],
  ['toolSearch.always', { always: 'weather' }],
])('%s is refused when the layer is made', (path, options) => {
  expect(() => toolSearch(options as never)).toThrow(
    expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(path) }),
  )
})

const store = new InMemoryKeyValueStore()
const agent = FunctionCallingAgent.fromTools({ llm: model() })
const layers: Record<string, Layers> = {
  background: [everything.background(new StoredTasks({ store: new MemoryTaskStore() }))],
  clearResults: [everything.clearResults()],
  cost: [everything.cost({})],
  files: [everything.files(store)],
  longTermMemory: [everything.longTermMemory(store)],
  offload: [everything.offload(store)],
  sandbox: [everything.sandbox(async () => ({ output: '' }))],
  skills: [everything.skills({})],
  steer: [everything.steer(store)],
  subagents: [everything.subagents({ helper: agent })],
  todo: [everything.todo()],
  toolSearch: [everything.toolSearch()],
}

/** The arguments of a tool as the README writes them. */
function argumentsOf({ metadata }: Tool): string {
  const { properties = {}, required = [] } = metadata.getParametersDict() as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return `{ ${names.join(', ')} }`
}

const toolsOf = (made: Layers) => (made.flat() as Layer[]).flatMap(({ tools = [] }) => tools)
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

it('the README has the tools of each layer with their arguments', () => {
  const rows = [...readme.matchAll(/^\| (?:`(\w+)`|one per helper[^|]*) \| `(\{[^}]*\})`/gm)]
  const listed = rows.map(([, name = 'helper', args]) => [name, args])
  const real = Object.values(layers).flatMap((made) =>
    toolsOf(made).map((tool) => [tool.metadata.getName(), argumentsOf(tool)]),
  )
  expect(listed.sort()).toEqual(real.sort())
})

it('the README quotes what tools without a result return', () => {
  const table = readme.slice(readme.indexOf('### The tools'), readme.indexOf('### Stores'))
  const quotes = [...table.matchAll(/`([A-Z][a-z ]+\.)`/g)].map(([, text]) => text!)
  const sources = readdirSync(import.meta.dirname).filter((path) => /^[\w-]+\.ts$/.test(path))
  const code = sources.map((path) => readFileSync(join(import.meta.dirname, path), 'utf8')).join('\n')
  expect(quotes).toHaveLength(3)
  for (const quote of quotes) expect(code).toContain(`'${quote}'`)
})

it('the table of layers names all layers, each with its tools', () => {
  const makers = Object.entries(everything).flatMap(([name, one]) =>
    typeof one === 'function' && /^[a-z]/.test(name) && !/Of$/.test(name) ? [name] : [],
  )
  expect(Object.keys(layers).sort()).toEqual(makers.sort())
  for (const [name, made] of Object.entries(layers)) {
    const [, , cell = ''] = new RegExp(`^\\| \`${name}\\((.*)\\| ([^|]*) \\|$`, 'm').exec(readme) ?? []
    const names = toolsOf(made).map(({ metadata }) => metadata.getName())
    if (name === 'subagents') expect(cell).toBe('one per helper')
    else expect([...cell.matchAll(/`(\w+)`/g)].map(([, tool]) => tool).sort()).toEqual(names.sort())
  }
})
