import { DBOS } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import pg from 'pg'
import { expect, it } from 'vitest'
import { agentWorkflow } from '../src/agent-workflow.ts'
import { DbosTasks } from '../src/dbos-tasks.ts'
import { WorkerReaper } from '../src/worker-reaper.ts'
import { launch } from './launch.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const call = new ChatMessage({
  role: 'assistant',
  content: null,
  additionalKwargs: { tool_calls: [{ id: 'a', name: 'act', arguments: '{}' }] },
})
const act = FunctionTool.fromDefaults({
  name: 'act',
  schema: { type: 'object', properties: {} },
  fn: async () => {
    await pause(5)
    return 'done'
  },
})

it('a worker has at most the connections of its pool, ten unless configured, and one of its reaper', async () => {
  const { url, stop } = await launch(() => {
    agentWorkflow({
      dbos: DBOS,
      name: 'agent',
      agent: ({ durable, newId }) => {
        const llm = new ScriptedLLM({ answers: [call, call, 'Done.'], metadata })
        return FunctionCallingAgent.fromTools({ llm, tools: [act], durable, newId })
      },
    })
  })
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const options = { dbos: DBOS, pool, application: 'tests', executorID: 'this', intervalMs: 20, deadAfterMs: 600_000 }
  const reaper = new WorkerReaper(options)
  await reaper.start()
  await DBOS.registerQueue('agents', { minPollingIntervalMs: 50 })
  const observer = new pg.Client(url)
  await observer.connect()
  const tasks = new DbosTasks({ dbos: DBOS, workflow: 'agent', queue: 'agents', pollingIntervalMs: 20 })
  const ids = Array.from({ length: 60 }, (_, i) => `task-${i}`)
  for (const taskId of ids) await tasks.submit('Go!', { taskId })
  let isRunning = true
  const answers = Promise.all(ids.map((id) => tasks.answer(id))).finally(() => {
    isRunning = false
  })
  let most = 0
  const counting =
    "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
  while (isRunning) {
    const { rows } = await observer.query(counting)
    most = Math.max(most, rows[0].n)
    await pause(5)
  }
  expect((await answers).map(({ response }) => response)).toEqual(ids.map(() => 'Done.'))
  expect(most).toBeGreaterThan(3)
  expect(most).toBeLessThanOrEqual(11)
  await observer.end()
  await reaper.stop()
  await pool.end()
  await stop()
}, 120_000)
