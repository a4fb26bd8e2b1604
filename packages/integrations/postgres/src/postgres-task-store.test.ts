import { FunctionTool, journal, ReActAgent } from '@x/agents'
import { journalEntries } from '@x/agents/store'
import type { TaskStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { killChecks, taskStoreChecks } from '@x/testing/agents'
import { storedTasksChecks } from '@x/testing/durable'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { isFull } from '../../../../tools/extent.ts'
import { newDatabase, newSchema, serverUrl } from '../test/new-database.ts'
import { openDatabase } from './open-database.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { PostgresTaskStore } from './postgres-task-store.ts'
import { storedKey } from './stored-key.ts'

const task = (id: string, conversation: string | null = null) => ({
  type: 'task' as const,
  n: 0,
  task: { task_id: id, conversation_id: conversation } as never,
})
const entry = (n: number) => ({ type: 'result', n })

/** Sets the claims of all tasks to an earlier time. */
const age = (database: PostgresDatabase) =>
  database.query(`update ${database.tables.tasks} set leased_until = leased_until - interval '1 day'`)

describe('a task store in Postgres', () => {
  let database: PostgresDatabase
  const open = (): TaskStore => new PostgresTaskStore(database)
  const create = async (): Promise<TaskStore> => {
    database = await newDatabase()
    return open()
  }
  const damage = (_: TaskStore, taskId: string) => {
    const { tasks, taskEntries } = database.tables
    const sql = `update ${taskEntries} set entry = left(entry, 40) where position = 0 and task = (select seq from ${tasks} where id = $1)`
    return database.query(sql, [storedKey(taskId)])
  }
  const kills = killChecks(create, open, { levels: isFull ? [1, 3] : [1], points: 4 })
  const checks = [...taskStoreChecks(create, open, damage), ...kills]
  for (const { name, run } of checks) it(name, run)
})

describe('tasks in Postgres', () => {
  const pool = new pg.Pool({ connectionString: serverUrl() })
  afterAll(() => pool.end())
  const create = async () => new PostgresTaskStore(await openDatabase(pool, { schema: newSchema() }))
  for (const { name, run } of storedTasksChecks(create)) it(name, run)
})

describe('PostgresTaskStore', () => {
  it('stores a string above 64 kB once for all tasks, and not in their journals', async () => {
    const database = await newDatabase()
    const text = 'a long result '.repeat(10_000)
    const tools = [FunctionTool.fromDefaults({ name: 'read', schema: {}, fn: () => text })]
    const answers = ['Thought: read\nAction: read\nAction Input: {}', 'Thought: done\nAnswer: Done.']
    const taskStore = new PostgresTaskStore(database)
    for (const taskId of ['one', 'two']) {
      const llm = new ScriptedLLM({ answers })
      await ReActAgent.fromTools({ llm, tools, taskStore: journal(taskStore), maxToolOutputTokens: null }).chat(
        'Read!',
        { taskId },
      )
    }
    const { tasks, taskEntries, taskBlobs } = database.tables
    const { rows } = await database.query(`select (select max(length(entry)) from ${taskEntries}) as longest,
      (select count(*)::int from ${taskBlobs}) as blobs, (select count(*)::int from ${tasks}) as tasks`)
    expect(rows[0]).toMatchObject({ tasks: 2 })
    expect(rows[0].longest).toBeLessThan(10_000)
    // The result, and the observation that contains it.
    expect(rows[0].blobs).toBeLessThanOrEqual(2)
    expect(JSON.stringify(await journalEntries(taskStore, 'two'))).toContain(text)
  })

  it('keeps the blob of a task that is put while another task with it is deleted', async () => {
    const database = await newDatabase()
    const [one, two] = [new PostgresTaskStore(database), new PostgresTaskStore(database)]
    const blobs = new Map([
      ['a'.repeat(64), '"a"'],
      ['b'.repeat(64), '"b"'],
    ])
    for (let round = 0; round < 30; round++) {
      await one.blobs.put('one', blobs)
      await Promise.all([one.delete('one'), two.blobs.put('two', blobs)])
      expect(await two.blobs.get('two', [...blobs.keys()])).toEqual(blobs)
      await two.delete('two')
    }
    const { rows } = await database.query(`select from ${database.tables.taskBlobs}`)
    expect(rows).toEqual([])
  })

  it('lets another process continue a task, without a second call of its tools', async () => {
    const payments: number[] = []
    const fn = ({ amount }: { amount: number }) => {
      payments.push(amount)
      return 'paid'
    }
    const schema = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as const
    const tools = [FunctionTool.fromDefaults({ name: 'pay', schema, fn })]
    const database = await newDatabase()
    const agentOf = (answers: (string | Error)[], taskStore: TaskStore) =>
      ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools, taskStore: journal(taskStore) })
    const action = 'Thought: pay\nAction: pay\nAction Input: {"amount": 5}'
    const first = agentOf([action, new Error('power cut')], new PostgresTaskStore(database))
    const { taskId } = await first.createTask('Pay five.')
    await expect(first.runTask(taskId)).rejects.toThrow('power cut')

    const taskStore = new PostgresTaskStore(database)
    const second = agentOf(['Thought: done\nAnswer: Paid.'], taskStore)
    const unfinished = await taskStore.list({ unfinished: true })
    expect(unfinished.map((each) => each.taskId)).toEqual([taskId])
    await second.resumeTask(taskId)
    expect(String(await second.runTask(taskId))).toBe('Paid.')
    expect([payments, await taskStore.list({ unfinished: true })]).toEqual([[5], []])
  })

  it('refuses a second runner of the same task', async () => {
    const database = await newDatabase()
    const agents = [1, 2].map(() =>
      ReActAgent.fromTools({
        llm: new ScriptedLLM({ answers: ['Answer: done'] }),
        taskStore: journal(new PostgresTaskStore(database)),
      }),
    )
    const { taskId } = await agents[0]!.createTask('Go!')
    await agents[1]!.resumeTask(taskId)
    const results = await Promise.allSettled(agents.map((agent) => agent.runTask(taskId)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'task_claimed' } })
  })

  it('appends all entries or none', async () => {
    const store = new PostgresTaskStore(await newDatabase())
    const appending = store.append('t', [task('t'), { type: 'result', value: Number.NaN }], 0)
    await expect(appending).rejects.toMatchObject({ code: 'serialization' })
    expect([await store.load('t'), await store.list()]).toEqual([null, []])
  })

  it('distinguishes ids with any characters', async () => {
    const store = new PostgresTaskStore(await newDatabase())
    for (const id of ['a\0', 'a', '\ud800', '\ud801']) await store.append(id, [task(id, `of ${id}`)], 0)
    expect(await store.list({ conversationId: 'of a\0' })).toEqual([
      { taskId: 'a\0', conversationId: 'of a\0', isFinished: false, revision: 1 },
    ])
    expect(await store.load('\ud801')).toEqual([task('\ud801', 'of \ud801')])
  })
})

describe('a claim', () => {
  const setUp = async () => {
    const database = await newDatabase()
    const [one, two] = [new PostgresTaskStore(database), new PostgresTaskStore(database)]
    for (const id of ['a', 'b']) await one.append(id, [task(id)], 0)
    return { database, one, two, expire: () => age(database) }
  }

  it('goes to exactly one of several workers', async () => {
    const { database } = await setUp()
    const workers = Array.from({ length: 6 }, () => new PostgresTaskStore(database))
    const claimed = await Promise.all(workers.map((store) => store.claim()))
    expect(claimed.flatMap((each) => each?.taskId ?? []).sort()).toEqual(['a', 'b'])
  })

  it('prevents other stores from continuing the task until it has expired', async () => {
    const { one, two, expire } = await setUp()
    expect(await one.claim()).toEqual({ taskId: 'a', conversationId: null, isFinished: false, revision: 1 })
    expect(await two.append('a', [entry(1)], 1)).toBe(false)
    expect(await two.claim({ taskId: 'a' })).toBeNull()
    expect(await one.append('a', [entry(1)], 1)).toBe(true)
    await expire()
    // No other worker has claimed it: its worker continues and extends the claim.
    expect(await one.append('a', [entry(2)], 2)).toBe(true)
    expect(await two.claim({ taskId: 'a' })).toBeNull()
    await expire()
    expect(await two.claim({ taskId: 'a' })).toMatchObject({ taskId: 'a', revision: 3 })
    expect(await one.append('a', [entry(3)], 3)).toBe(false)
    expect(await one.claim({ taskId: 'a' })).toBeNull()
    expect(await two.append('a', [entry(3), { type: 'finalized', n: 4 }], 3)).toBe(true)
    expect(await two.load('a')).toHaveLength(5)
  })

  it('of a runner makes a second runner throw task_claimed', async () => {
    const { one, two } = await setUp()
    const agentOf = (taskStore: TaskStore) =>
      ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: done'] }), taskStore: journal(taskStore) })
    const { taskId } = await agentOf(one).createTask('Go!')
    await one.claim({ taskId })
    const other = agentOf(two)
    await other.resumeTask(taskId)
    await expect(other.runTask(taskId)).rejects.toMatchObject({ code: 'task_claimed' })
    const agent = agentOf(one)
    await agent.resumeTask(taskId)
    expect(String(await agent.runTask(taskId))).toBe('done')
  })

  it('ends when it is released, at once or after a pause', async () => {
    const { one, two, expire } = await setUp()
    await one.claim({ taskId: 'a' })
    await two.release('a')
    expect(await two.append('a', [entry(1)], 1)).toBe(false)
    await one.release('a')
    expect(await two.append('a', [entry(1)], 1)).toBe(true)
    await two.claim({ taskId: 'a' })
    await two.release('a', { pauseMs: 60_000 })
    expect([(await one.claim())?.taskId, await one.claim()]).toEqual(['b', null])
    // An entry, such as an approval, ends the pause.
    expect(await one.append('a', [entry(2)], 2)).toBe(true)
    expect((await two.claim())?.taskId).toBe('a')
    await two.release('a', { pauseMs: 60_000 })
    expect((await one.claim({ taskId: 'a' }))?.taskId).toBe('a')
    await one.release('a', { pauseMs: 60_000 })
    expect(await two.claim()).toBeNull()
    await expire()
    expect([(await two.claim())?.taskId, (await two.claim())?.taskId].sort()).toEqual(['a', 'b'])
  })

  it('goes to the task that was waiting longest, and not to finished ones', async () => {
    const { one, two, expire } = await setUp()
    await one.claim()
    await one.release('a')
    await expire()
    expect((await two.claim())?.taskId).toBe('b')
    await one.append('a', [{ type: 'finalized', n: 1 }], 1)
    expect(await one.claim()).toBeNull()
    expect(await one.claim({ taskId: 'a' })).toBeNull()
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5'])('does not last %s milliseconds', async (time) => {
    const { one } = await setUp()
    const refused = { code: 'model_validation' }
    await expect(one.claim({ leaseMs: time as number })).rejects.toMatchObject(refused)
    if (time !== 0) await expect(one.release('a', { pauseMs: time as number })).rejects.toMatchObject(refused)
  })
})
