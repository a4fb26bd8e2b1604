/** What happens to durable tasks in PostgreSQL: the database restarts, and clocks change. */
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { StoredTasks, type TaskRun } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockGoesBack } from '../../../../tools/clock.ts'
import { type PostgresServer, startPostgres } from '../../../../tools/postgres-server.ts'
import { openDatabase } from './open-database.ts'
import { PostgresTaskStore } from './postgres-task-store.ts'

let server: PostgresServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres({ keepsCommits: true })
  pool = new pg.Pool({ connectionString: server.connectionString })
  pool.on('error', () => {})
}, 60_000)
afterAll(async () => {
  await pool.end()
  await server.stop()
})

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

/** Runs a task with a call of `note`, during which something happens once, and one of `pay`, which needs an approval. */
async function start(taskId: string, during: () => unknown) {
  const ran: string[] = []
  const llm = new ScriptedLLM({ answers: next, metadata })
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      schema: {},
      needsApproval,
      fn: async (_, { idempotencyKey }) => {
        ran.push(`${name} ${idempotencyKey}`)
        if (ran.length === 1) await during()
        return name
      },
    })
  const agent = ({ durable, newId, now, taskStore }: TaskRun) =>
    FunctionCallingAgent.fromTools({
      llm,
      tools: [tool('note', false), tool('pay', true)],
      durable,
      newId,
      now,
      taskStore,
    })
  const store = new PostgresTaskStore(await openDatabase(pool, { schema: 'tasks' }))
  const tasks = new StoredTasks({ store, agent, pollingIntervalMs: 50, leaseMs: 1000 })
  await tasks.start()
  await tasks.submit('Go!', { taskId })
  const waits = async () => {
    for (let status = ''; status !== 'waiting'; await pause(20)) status = await tasks.status(taskId).catch(() => '')
  }
  const approved = async () => {
    await waits()
    await tasks.decide(taskId, { callId: 'pay', type: 'approve' })
    const { response } = await tasks.answer(taskId)
    await tasks.stop()
    return response
  }
  return { ran, waits, approved }
}

it('goes on when the database restarts, while it runs and while it waits', async () => {
  const { ran, waits, approved } = await start('restarted', () => server.restart())
  await waits()
  await server.restart()
  expect(await approved()).toBe('Done.')
  // A connection that ended unnoticed may have lost the result of a call, which is then repeated.
  expect(new Set(ran)).toEqual(new Set(['note restarted/1/0', 'pay restarted/2/0']))
})

it('goes on when the database is away at the end of a call', async () => {
  let back = Promise.resolve()
  const { ran, waits, approved } = await start('away', () => {
    back = server.restart()
  })
  await waits()
  await back
  expect(await approved()).toBe('Done.')
  expect(new Set(ran)).toEqual(new Set(['note away/1/0', 'pay away/2/0']))
})

it('goes on when the clock of its machine goes back', async () => {
  let restore = () => {}
  const { ran, approved } = await start('earlier', () => {
    restore = clockGoesBack(3_600_000)
  })
  try {
    expect(await approved()).toBe('Done.')
  } finally {
    restore()
  }
  expect(ran).toEqual(['note earlier/1/0', 'pay earlier/2/0'])
})
