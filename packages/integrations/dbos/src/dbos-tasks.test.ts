import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { ScriptedLLM } from '@x/llm/testing'
import { durableTasksChecks } from '@x/testing/durable'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configOf, launch, silent } from '../test/launch.ts'
import { type AgentRun, agentWorkflow } from './agent-workflow.ts'
import { DbosTasks } from './dbos-tasks.ts'
import type { DbosControl } from './dbos-types.ts'

describe('the tasks of DBOS', () => {
  let database: Awaited<ReturnType<typeof launch>> | undefined
  let client: DBOSClient | undefined
  afterAll(async () => {
    await client?.destroy()
    await database?.stop()
  })
  const checks = durableTasksChecks(async (agent) => {
    const register = () => {
      agentWorkflow({ dbos: DBOS, name: 'checked', agent, streamEvents: true })
    }
    database = await launch(register)
    await DBOS.registerQueue('agents', { workerConcurrency: 20, minPollingIntervalMs: 50 })
    const tasksOf = (dbos: DbosControl) =>
      new DbosTasks({ dbos, workflow: 'checked', queue: 'agents', pollingIntervalMs: 50 })
    const stop = async () => {
      // A task that says that it waits may not have ended yet: cut there, it continues only with the next worker, and so do decisions.
      await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: 10_000 })
      client ??= await DBOSClient.create({ systemDatabaseUrl: database!.url, logger: silent })
      return tasksOf(client)
    }
    const restart = async () => {
      await DBOS.shutdown({ deregister: true })
      DBOS.setConfig(configOf(database!.url))
      register()
      await DBOS.launch()
      return tasksOf(DBOS)
    }
    const active = async () => {
      const found = await DBOS.listWorkflows({ status: ['ENQUEUED', 'PENDING', 'DELAYED'], loadInput: false })
      return found.map(({ workflowID }) => workflowID)
    }
    return { tasks: tasksOf(DBOS), restart, takesOtherCode: true, stop, active }
  })
  for (const { name, run } of checks) it(name, run)
})

describe('tasks that wait', () => {
  const OPEN = 200
  let database: Awaited<ReturnType<typeof launch>>
  let pool: pg.Pool
  let idle: number
  const ids = Array.from({ length: OPEN }, (_, i) => `open-${i}`)
  const tasksOf = (queue: string) => new DbosTasks({ dbos: DBOS, workflow: 'paying', queue, pollingIntervalMs: 50 })
  const waits = async (taskId: string) => {
    while ((await tasksOf('few').status(taskId)) !== 'waiting') await pause(50)
  }

  beforeAll(async () => {
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
    const tool_calls = [{ id: 'rent', name: 'pay', arguments: '{}' }]
    const call = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const models = new Map<string, ScriptedLLM>()
    const agent = ({ taskId, durable, newId }: AgentRun) => {
      const llm = models.get(taskId) ?? new ScriptedLLM({ answers: [call, 'Paid.'], metadata })
      models.set(taskId, llm)
      return FunctionCallingAgent.fromTools({ llm, tools: [pay], durable, newId })
    }
    database = await launch(() => {
      agentWorkflow({ dbos: DBOS, name: 'paying', agent })
    })
    await DBOS.registerQueue('few', { workerConcurrency: 2, minPollingIntervalMs: 50 })
    await DBOS.registerQueue('users', { partitionConcurrency: 1, minPollingIntervalMs: 50 })
    await DBOS.registerQueue('many', { workerConcurrency: 50, minPollingIntervalMs: 50 })
    pool = new pg.Pool({ connectionString: database.url, max: 1 })
    idle = await transactionsPerSecond()
    await Promise.all(ids.map((taskId) => tasksOf('many').submit('Pay!', { taskId })))
    for (const taskId of ids) await waits(taskId)
  })
  afterAll(async () => {
    await pool.end()
    await database.stop()
  })

  /** Returns the transactions of the database per second, which are those of the worker. */
  async function transactionsPerSecond(): Promise<number> {
    const count = async () => {
      // The server publishes its counters with a delay.
      await pause(1500)
      const { rows } = await pool.query(
        'select sum(xact_commit) as n from pg_stat_database where datname = current_database()',
      )
      return Number(rows[0].n)
    }
    const first = await count()
    await pause(3000)
    return ((await count()) - first) / 4.5
  }

  /** Approves the call of a task as a client that ends before it continues the task. */
  async function approveAndEnd(taskId: string): Promise<void> {
    const rewindWorkflow = () => Promise.reject(new Error('power cut'))
    const dbos: DbosControl = Object.assign(Object.create(DBOS), { rewindWorkflow })
    const tasks = new DbosTasks({ dbos, workflow: 'paying', queue: 'many', pollingIntervalMs: 50 })
    await expect(tasks.decide(taskId, { callId: 'rent', type: 'approve' })).rejects.toThrow('power cut')
  }

  it('are rows: no worker looks at them', async () => {
    const { rows } = await pool.query(
      "select status, count(*)::int as n from dbos.workflow_status where name = 'paying' group by status",
    )
    expect(rows).toEqual([{ status: 'SUCCESS', n: OPEN }])
    // A look at each task per second would add 200. The polls of the queues vary by half with the load of the machine, and the server
    // counts the transactions that made the tasks wait late.
    const limit = idle + OPEN / 2
    let open = await transactionsPerSecond()
    for (let i = 0; i < 5 && open > limit; i++) open = await transactionsPerSecond()
    expect(open).toBeLessThan(limit)
  })

  it('occupy no place in their queue, and continue with a decision', async () => {
    const tasks = tasksOf('few')
    const others = ['a', 'b', 'c', 'd', 'e']
    for (const taskId of others) await tasks.submit('Pay!', { taskId })
    await Promise.all(others.map(waits))
    for (const taskId of others) await tasks.decide(taskId, { callId: 'rent', type: 'approve' })
    for (const taskId of others) expect((await tasks.answer(taskId)).response).toBe('Paid.')
    await expect(tasks.decide('a', { callId: 'rent', type: 'approve' })).rejects.toMatchObject({ code: 'approval' })
  })

  it('continue in their partition', async () => {
    const tasks = tasksOf('users')
    await tasks.submit('Pay!', { taskId: 'of ann', partition: 'ann' })
    await waits('of ann')
    await tasks.cancel('of ann')
    await tasks.retry('of ann')
    await tasks.decide('of ann', { callId: 'rent', type: 'approve' })
    expect((await tasks.answer('of ann')).response).toBe('Paid.')
  })

  it('continue in a queue of their own, so that new tasks are not behind them', async () => {
    await DBOS.registerQueue('decided', { workerConcurrency: 1, minPollingIntervalMs: 50 })
    const tasks = new DbosTasks({
      dbos: DBOS,
      workflow: 'paying',
      queue: 'few',
      decidedQueue: 'decided',
      pollingIntervalMs: 50,
    })
    const [, , , , taskId = ''] = ids
    const queueOf = async (id: string) => (await DBOS.retrieveWorkflow(id).getStatus())?.queueName
    expect(await queueOf(taskId)).toBe('many')
    await tasks.decide(taskId, { callId: 'rent', type: 'approve' })
    expect(await queueOf(taskId)).toBe('decided')
    expect((await tasks.answer(taskId)).response).toBe('Paid.')
    expect(() => new DbosTasks({ dbos: DBOS, workflow: 'paying', queue: 'few', decidedQueue: 5 as never })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })

  it('are continued once by decisions that come at the same time', async () => {
    const [taskId = ''] = ids
    const decisions = Array.from({ length: 5 }, () =>
      tasksOf('many').decide(taskId, { callId: 'rent', type: 'approve' }),
    )
    await Promise.allSettled(decisions)
    const { sources } = await tasksOf('many').answer(taskId)
    expect(sources.map(({ content }) => content)).toEqual(['paid'])
    const { rows } = await pool.query(
      "select count(*)::int as n from dbos.operation_outputs where workflow_uuid = $1 and function_name like '%/tool-0'",
      [taskId],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it('receive a decision of a client that ended before it continued them', async () => {
    const [, taskId = ''] = ids
    await approveAndEnd(taskId)
    expect(await tasksOf('many').status(taskId)).toBe('queued')
    expect((await tasksOf('many').answer(taskId)).response).toBe('Paid.')
  })

  it('say which version they wait for', async () => {
    const tasks = tasksOf('many')
    const [, , taskId = ''] = ids
    await tasks.submit('Pay!', { taskId: 'of another version', version: 'two' })
    expect([await tasks.version(taskId), await tasks.version('of another version')]).toEqual(['one', 'two'])
    expect(await tasks.status('of another version')).toBe('queued')
    await expect(tasks.version('unknown')).rejects.toMatchObject({ code: 'task_not_found' })
  })

  it('leave no decision behind that counts for them after a retry, or for another task with their id', async () => {
    const tasks = tasksOf('many')
    const [, , , taskId = ''] = ids
    await approveAndEnd(taskId)
    await tasks.cancel(taskId)
    await tasks.retry(taskId)
    await waits(taskId)
    await tasks.decide(taskId, { callId: 'rent', type: 'reject' })
    expect((await tasks.answer(taskId)).sources).toHaveLength(1)
    await tasks.delete(taskId)
    const left = `select workflow_uuid from dbos.workflow_status where workflow_uuid like '%' || $1`
    expect((await pool.query(left, [taskId])).rows).toEqual([])
  })
})
