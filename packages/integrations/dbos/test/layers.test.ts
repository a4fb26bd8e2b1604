// @module-tag system
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { background, files, StoredFiles, steer, todo } from '@x/layers'
import { ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DbosTasks } from '../src/client.ts'
import { type AgentRun, agentWorkflow } from '../src/index.ts'
import { launch } from './launch.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const call = (id: string, name: string, args: object) => {
  const tool_calls = [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }]
  return new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
}

const values = new InMemoryKeyValueStore()
const steering = steer(values)
const models = new Map<string, ScriptedLLM>()
/** A model that makes these calls, and is done when the end of the task in the background is there. */
const script = (taskId: string, ...calls: ChatMessage[]) => {
  const answers = (messages: readonly ChatMessage[]) => {
    const next = calls[messages.filter(({ role }) => role === 'assistant').length]
    return next ?? (String(messages.at(-1)?.content).endsWith('has ended:\nFound.') ? 'Done.' : 'Wait.')
  }
  const llm = new ScriptedLLM({ metadata, answers })
  models.set(taskId, llm)
  return llm
}
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: {},
  fn: async (_args, { task }) => {
    await steering.send(task!.taskId, 'Red ones.')
    await steering.send(task!.taskId, 'Cheap ones.')
    return 'looked'
  },
})
let tasks: DbosTasks
let inBackground: DbosTasks
const agent = ({ taskId, durable, newId }: AgentRun) =>
  FunctionCallingAgent.fromTools({
    llm: models.get(taskId) ?? new ScriptedLLM({ metadata, answers: ['Found.'] }),
    tools: [look],
    durable,
    newId,
    layers: [steering, files(values), todo(), background(inBackground, { wait: true })],
  })

let client: DBOSClient
let database: Awaited<ReturnType<typeof launch>>
beforeAll(async () => {
  database = await launch(() => void agentWorkflow({ dbos: DBOS, name: 'agent', agent }))
  // A task that waits keeps its place in its queue.
  await DBOS.registerQueue('agents', { minPollingIntervalMs: 50, workerConcurrency: 1 })
  await DBOS.registerQueue('background', { minPollingIntervalMs: 50, workerConcurrency: 1 })
  // A step of a workflow, such as the call of a tool, cannot enqueue with `DBOS`.
  client = await DBOSClient.create({ systemDatabaseUrl: database.url })
  const options = { dbos: client, workflow: 'agent', pollingIntervalMs: 50 }
  tasks = new DbosTasks({ ...options, queue: 'agents' })
  inBackground = new DbosTasks({ ...options, queue: 'background' })
}, 120_000)
afterAll(async () => {
  await client?.destroy()
  await database?.stop()
})

it('a workflow reads messages that are sent into it, and has files, a list and work in the background', async () => {
  const llm = script(
    'one',
    call('1', 'look', {}),
    call('2', 'write_file', { path: 'a.md', content: 'pears' }),
    call('3', 'start_background_task', { task: 'Find.' }),
  )
  await tasks.submit('Pears?', { taskId: 'one' })
  const { response } = await tasks.answer('one')
  expect(response).toBe('Done.')
  const sent = llm.calls.map(({ messages }) => messages!.map(({ content }) => String(content)))
  expect(sent[1]!.slice(-2)).toEqual(['Red ones.', 'Cheap ones.'])
  expect(await new StoredFiles(values).read('a.md')).toBe('pears')
  expect(await steering.unread('one')).toEqual([])
})
