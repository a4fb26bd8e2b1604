import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { toolLoop } from '@x/agents/loop'
import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { calls } from '../test/model.ts'
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
