// @module-tag system
import * as restate from '@restatedev/restate-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { files, StoredFiles, steer, todo } from '@x/layers'
import { InMemoryKeyValueStore } from '@x/storage'
import { expect, it } from 'vitest'
import { type AgentRun, agentWorkflow } from '../src/index.ts'
import { useRestate } from './deployment.ts'
import { calls, scripted } from './scripted.ts'

type Made = { agent: (run: AgentRun) => FunctionCallingAgent }

const use = useRestate()

it('a workflow reads messages that are sent into it, and has files and a list', async () => {
  const values = new InMemoryKeyValueStore()
  const steering = steer(values)
  const look = FunctionTool.fromDefaults({
    name: 'look',
    schema: {},
    fn: async (_args, { task }) => {
      await steering.send(task!.taskId, 'Red ones.')
      await steering.send(task!.taskId, 'Cheap ones.')
      return 'looked'
    },
  })
  const todos = [{ content: 'Find pears', status: 'completed' }]
  const llm = scripted(
    calls(['1', 'look', {}]),
    calls(['2', 'write_file', { path: 'a.md', content: 'pears' }], ['3', 'write_todos', { todos }]),
    'Done.',
  )
  const layers = [steering, files(values), todo()]
  const agent = ({ durable, newId, now }: AgentRun) =>
    FunctionCallingAgent.fromTools({ llm, tools: [look], durable, newId, now, layers })
  const app = await use((name, made: Made) => [agentWorkflow({ restate, name, ...made })], { agent })
  expect((await app.run()) as unknown).toMatchObject({ response: 'Done.' })
  const sent = llm.calls.map(({ messages }) => messages!.map(({ content }) => String(content)))
  expect(sent[1]!.slice(-2)).toEqual(['Red ones.', 'Cheap ones.'])
  expect(await new StoredFiles(values).read('a.md')).toBe('pears')
  expect(await steering.unread('task')).toEqual([])
})
