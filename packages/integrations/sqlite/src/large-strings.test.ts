/// <reference types="node" />

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { StoredTasks, type TaskEvents, type TaskRun, validEvents } from '@x/durable'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'
import { SqliteTaskStore } from './sqlite-task-store.ts'

const call = { id: 'a', name: 'read', arguments: '{}' }
const reads = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

/** Tasks whose tool returns a string. */
function tasksIn(database: SqliteDatabase, page: string, answers: ScriptedAnswer[]): StoredTasks {
  const read = FunctionTool.fromDefaults({ name: 'read', schema: {}, fn: () => page })
  const llm = new ScriptedLLM({ answers, metadata })
  const agent = ({ taskStore }: TaskRun) => FunctionCallingAgent.fromTools({ llm, tools: [read], taskStore })
  return new StoredTasks({ store: new SqliteTaskStore(database), agent, events: new SqliteEventLog(database) })
}

const blobsIn = (database: SqliteDatabase) => database.all('select content from task_blobs').length

it('a large result of a tool is written once: journal, events and answer refer to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'large-'))
  const database = await openDatabase(join(folder, 'tasks.db'))
  const page = `${'a "page" \\ '.repeat(200_000)}.`
  const tasks = tasksIn(database, page, [reads, 'Read.'])
  await tasks.start()
  const taskId = await tasks.submit('Read!')
  const { sources } = await tasks.answer(taskId)
  expect(sources[0]).toMatchObject({ content: page, raw_output: page })
  const records: TaskEvents[] = []
  for await (const record of tasks.events(taskId)) records.push(record)
  const result = validEvents(records).find(({ type }) => type === 'tool_result')
  expect(result).toMatchObject({ content: page })
  await tasks.stop()
  expect(blobsIn(database)).toBe(1)
  await tasks.delete(taskId)
  expect(blobsIn(database)).toBe(0)
  database.close()
  expect((await stat(join(folder, 'tasks.db'))).size).toBeLessThan(1.3 * JSON.stringify(page).length)
  await rm(folder, { recursive: true })
}, 30_000)

it('entries with large strings are read as they were written, and circular ones are refused', async () => {
  const store = new SqliteTaskStore(await openDatabase(':memory:'))
  const large = 'x'.repeat(70_000)
  const entry = {
    type: 'result',
    large,
    key: { a: [large, 1] },
    end: 'a\\',
    quotes: '"'.repeat(40_000),
    big: 2n ** 80n,
    escape: '\u001b \ud800',
  }
  store.append('t', [entry], 0)
  expect(store.load('t')).toEqual([entry])
  const circular: Record<string, unknown> = { large }
  Object.assign(circular, { one: circular, two: circular })
  expect(() => store.append('t', [circular], 1)).toThrow(expect.objectContaining({ code: 'serialization' }))
})

it('a string that is too long to be stored is refused, and the task fails', async () => {
  const database = await openDatabase(':memory:')
  const tasks = tasksIn(database, 'x'.repeat(32_000_000), [reads])
  await tasks.start()
  const taskId = await tasks.submit('Read!')
  await expect(tasks.answer(taskId)).rejects.toMatchObject({
    code: 'serialization',
    message: expect.stringMatching(/at most 32 million/),
  })
  await tasks.stop()
}, 30_000)
