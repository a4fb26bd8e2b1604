import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FunctionCallingAgent, MemoryTaskStore, type Tool } from '@x/agents'
import type { Layer, Layers } from '@x/agents/loop'
import { StoredTasks } from '@x/durable'
import { InMemoryKeyValueStore } from '@x/storage'
import { expect, it } from 'vitest'
import { model } from '../test/model.ts'
import * as everything from './index.ts'

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
