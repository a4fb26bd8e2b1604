import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FunctionCallingAgent, FunctionTool, MemoryTaskStore } from '@x/agents'
import type { Layers } from '@x/agents/loop'
import { StoredTasks } from '@x/durable'
import { InMemoryKeyValueStore } from '@x/storage'
import { layerChecks } from '@x/testing/agents'
import { describe, expect, it } from 'vitest'
import { model } from '../test/model.ts'
import { byBm25 } from './bm25.ts'
import {
  background,
  clearResults,
  cost,
  files,
  longTermMemory,
  offload,
  sandbox,
  skills,
  steer,
  subagents,
  todo,
  toolSearch,
} from './index.ts'

const store = () => new InMemoryKeyValueStore()
const text = '---\nname: pdf\ndescription: Fills forms.\n---\nRead me.'

const layers: Record<string, () => Layers> = {
  background: () => [background(new StoredTasks({ store: new MemoryTaskStore() }))],
  steer: () => [steer(store())],
  clearResults: () => [clearResults({ keep: 0, above: 0 })],
  offload: () => [offload(store(), { above: 1 })],
  files: () => [files(store())],
  todo: () => [todo()],
  skills: () => [skills({ 'pdf/SKILL.md': text })],
  longTermMemory: () => [longTermMemory(store(), { user: () => 'ann', rank: byBm25 })],
  subagents: () => [subagents({ helper: FunctionCallingAgent.fromTools({ llm: model('Done.') }) })],
  cost: () => [cost({ scripted: { input: 1, output: 2 } })],
  sandbox: () => [sandbox(async () => ({ output: '4' }))],
  toolSearch: () => [toolSearch({ always: ['look_up'] })],
}

describe.each(Object.entries(layers))('%s', (_name, make) => {
  it.each(layerChecks(make).map((check) => [check.name, check] as const))('%s', async (_check, { run }) => run())

  it('its tools are offered beside retrieved ones, whose names must differ', async () => {
    const named = (name: string) => FunctionTool.fromDefaults({ name, schema: {}, fn: () => 'found' })
    const offered = async (options: { tools: FunctionTool[] } | { toolRetriever: { retrieve(): FunctionTool[] } }) => {
      const llm = model('Done.')
      const agent = FunctionCallingAgent.fromTools({ ...options, llm, layers: make() })
      await agent.chat('Rain?', { chatHistory: [], context: { user: 'ann' } })
      const { tools = [] } = llm.calls[0]!.options as { tools?: { function: { name: string } }[] }
      return tools.map(({ function: { name } }) => name)
    }
    const tools = [named('look_up')]
    const names = await offered({ tools })
    expect(names[0]).toBe('look_up')
    expect(await offered({ toolRetriever: { retrieve: () => tools } })).toEqual(names)
    for (const name of names.slice(1))
      await expect(offered({ toolRetriever: { retrieve: () => [named(name)] } })).rejects.toMatchObject({
        code: 'configuration',
        message: `toolRetriever: two tools have the name "${name}"; rename one, or pass it once.`,
      })
  })
})

it('the guide shows the agent that is killed in tests', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')
  const [guide, source] = await Promise.all([
    read('../../../docs/guides/work-for-hours.md'),
    read('../test/long-work.ts'),
  ])
  expect(guide).toContain(source.slice(source.indexOf('export function openWork')).replace('export ', ''))
})
