/// <reference types="node" />

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionTool, journal, ReActAgent } from '@x/agents'
import type { TaskStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { killChecks, taskStoreChecks } from '@x/testing/agents'
import { storedTasksChecks } from '@x/testing/durable'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { openDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { SqliteTaskStore } from './sqlite-task-store.ts'

describe.each(['node:sqlite', 'better-sqlite3'] as const)('a task store over %s', (library) => {
  let folder: string
  const open = async () => new SqliteTaskStore(await openDatabase(join(folder, 'tasks.db'), { library }))
  const create = async (): Promise<TaskStore> => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-'))
    return open()
  }
  afterEach(() => rm(folder, { recursive: true }))
  const kills = library === 'node:sqlite' ? killChecks(create, open, { levels: [1], points: 3 }) : []
  const damage = async (_: TaskStore, taskId: string) =>
    (await openDatabase(join(folder, 'tasks.db'), { library })).run(
      `update task_entries set entry = substr(entry, 1, 40) where position = 0 and task = (select seq from tasks where id = ?)`,
      taskId,
    )
  const checks = [...taskStoreChecks(create, open, damage), ...kills]
  for (const { name, run } of checks) it(name, run)
})

describe('tasks in a database', () => {
  let folder: string
  const databases: SqliteDatabase[] = []
  const open = async () => {
    const database = await openDatabase(join(folder, 'tasks.db'))
    databases.push(database)
    return new SqliteTaskStore(database)
  }
  const create = async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-'))
    return open()
  }
  afterAll(async () => {
    for (const database of databases) database.close()
    await rm(folder, { recursive: true })
  })
  for (const { name, run } of storedTasksChecks(create, open)) it(name, run)
})

describe('SqliteTaskStore', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tasks-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('lets another process continue a task, without a second call of its tools', async () => {
    const payments: number[] = []
    const fn = ({ amount }: { amount: number }) => {
      payments.push(amount)
      return 'paid'
    }
    const schema = {
      type: 'object',
      properties: { amount: { type: 'number' } },
      required: ['amount'],
      additionalProperties: false,
    } as const
    const tools = [FunctionTool.fromDefaults({ name: 'pay', schema, fn })]
    const agentOf = async (answers: (string | Error)[]) => {
      const database = await openDatabase(join(directory, 'tasks.db'))
      const taskStore = new SqliteTaskStore(database)
      return {
        agent: ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools, taskStore: journal(taskStore) }),
        taskStore,
        database,
      }
    }
    const action = 'Thought: pay\nAction: pay\nAction Input: {"amount": 5}'
    const first = await agentOf([action, new Error('power cut')])
    const { taskId } = await first.agent.createTask('Pay five.')
    await expect(first.agent.runTask(taskId)).rejects.toThrow('power cut')
    first.database.close()

    const second = await agentOf(['Thought: done\nAnswer: Paid.'])
    const unfinished = second.taskStore.list({ unfinished: true })
    expect(unfinished.map((task) => task.taskId)).toEqual([taskId])
    await second.agent.resumeTask(taskId)
    expect(String(await second.agent.runTask(taskId))).toBe('Paid.')
    expect([payments, second.taskStore.list({ unfinished: true })]).toEqual([[5], []])
    second.database.close()
  })

  it('refuses a second runner of the same task', async () => {
    const path = join(directory, 'tasks.db')
    const agents = await Promise.all(
      [1, 2].map(async () => {
        const taskStore = new SqliteTaskStore(await openDatabase(path))
        return ReActAgent.fromTools({
          llm: new ScriptedLLM({ answers: ['Answer: done'] }),
          taskStore: journal(taskStore),
        })
      }),
    )
    const { taskId } = await agents[0]!.createTask('Go!')
    await agents[1]!.resumeTask(taskId)
    const results = await Promise.allSettled(agents.map((agent) => agent.runTask(taskId)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find((result) => result.status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'task_claimed' } })
  })

  it('the cost of appending an entry does not depend on the length of the journal', { tags: 'growth' }, async () => {
    const fill = async (size: number) => {
      const store = new SqliteTaskStore(await openDatabase(':memory:'))
      for (let n = 0; n < size; n++) store.append('t', [{ type: 'result', n }], n)
    }
    expect(await growthOf(fill, 200)).toBeLessThan(1.75)
  })

  it('appends all entries or none', async () => {
    const store = new SqliteTaskStore(await openDatabase(':memory:'))
    expect(() => store.append('t', [{ type: 'task' }, { type: 'result', value: Number.NaN }], 0)).toThrow(
      expect.objectContaining({ code: 'serialization' }),
    )
    expect([store.load('t'), store.list()]).toEqual([null, []])
  })
})
