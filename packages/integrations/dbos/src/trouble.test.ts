/** What happens to tasks around DBOS: its database restarts, clocks change, and calls take long. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { ScriptedLLM } from '@x/llm/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockGoesBack } from '../../../../tools/clock.ts'
import { launch } from '../test/launch.ts'
import { type AgentRun, agentWorkflow } from './agent-workflow.ts'
import { DbosTasks } from './dbos-tasks.ts'
import { type Takeover, WorkerReaper } from './worker-reaper.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const calls = (name: string) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: { tool_calls: [{ id: name, name, arguments: '{}' }] },
  })

/** The reply to a conversation, also if it is asked for again. */
function next(messages: readonly ChatMessage[]): ChatMessage | string {
  const results = messages.filter(({ role }) => role === 'tool').length
  return results === 0 ? calls('note') : results === 1 ? calls('pay') : 'Done.'
}

/** What happens in the tool `note` of a task, by its id. */
const during = new Map<string, () => Promise<unknown>>()
/** The calls of tools. */
const ran: string[] = []

function agent({ taskId, durable, newId }: AgentRun) {
  const llm = new ScriptedLLM({ answers: next, metadata })
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      schema: {},
      needsApproval,
      fn: async (_, { idempotencyKey }) => {
        ran.push(`${name} ${idempotencyKey}`)
        if (name === 'note') await during.get(taskId)?.()
        return name
      },
    })
  return FunctionCallingAgent.fromTools({ llm, tools: [tool('note', false), tool('pay', true)], durable, newId })
}

let database: Awaited<ReturnType<typeof launch>>
let tasks: DbosTasks
beforeAll(async () => {
  const register = () => {
    agentWorkflow({ dbos: DBOS, name: 'troubled', agent })
  }
  database = await launch(register, { keepsCommits: true })
  await DBOS.registerQueue('agents', { workerConcurrency: 5, minPollingIntervalMs: 50 })
  tasks = new DbosTasks({ dbos: DBOS, workflow: 'troubled', queue: 'agents', pollingIntervalMs: 50 })
}, 60_000)
afterAll(() => database.stop())

const ranBy = (taskId: string) => ran.filter((call) => call.includes(` ${taskId}/`))
const once = (taskId: string) => [`note ${taskId}/1/0`, `pay ${taskId}/2/0`]

async function waits(taskId: string): Promise<void> {
  while ((await tasks.status(taskId)) !== 'waiting') await pause(20)
}

async function approved(taskId: string): Promise<string> {
  await tasks.decide(taskId, { callId: 'pay', type: 'approve' })
  return (await tasks.answer(taskId)).response
}

it('a task goes on when its database restarts, while it runs and while it waits', async () => {
  during.set('restarted', () => database.restart())
  await tasks.submit('Go!', { taskId: 'restarted' })
  await waits('restarted')
  await database.restart()
  expect(await approved('restarted')).toBe('Done.')
  expect(new Set(ranBy('restarted'))).toEqual(new Set(once('restarted')))
})

it('a task goes on when the clock of its machine goes back', async () => {
  let restore = () => {}
  during.set('earlier', async () => {
    restore = clockGoesBack(1500)
  })
  try {
    await tasks.submit('Go!', { taskId: 'earlier' })
    await waits('earlier')
    expect(await approved('earlier')).toBe('Done.')
  } finally {
    restore()
  }
  expect(ranBy('earlier')).toEqual(once('earlier'))
})

it('a call that takes longer than the limit for dead workers stays with its worker', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const takeovers: Takeover[] = []
  const options = { dbos: DBOS, pool, application: 'tests', intervalMs: 20, deadAfterMs: 4000 }
  const onTakeover = (some: readonly Takeover[]) => takeovers.push(...some)
  const reapers = ['this', 'other'].map((executorID) => new WorkerReaper({ ...options, executorID, onTakeover }))
  for (const reaper of reapers) await reaper.start()
  during.set('slow', () => pause(6000))
  await tasks.submit('Go!', { taskId: 'slow' })
  await waits('slow')
  expect(await approved('slow')).toBe('Done.')
  expect(takeovers).toEqual([])
  expect(ranBy('slow')).toEqual(once('slow'))
  for (const reaper of reapers) await reaper.stop()
  await pool.end()
})
