/// <reference types="node" />
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionTool, ReActAgent } from '@x/agents'
import { ChatMessage, isToolkitError, type TaskStore, TextNode } from '@x/core-model'
import { memoryForTurn, StoredChatMemory } from '@x/core-model/memory'
import { listTasks, StoredTasks, settled, type TaskRun } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { FileTaskStore } from '@x/storage/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { connect } from './sqlite-driver.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteTaskStore } from './sqlite-task-store.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  path = join(directory, 'data 1.db')
})
afterEach(() => rm(directory, { recursive: true }))

const nodes = (count: number) =>
  Array.from({ length: count }, (_, i) => new TextNode({ id: `n${i}`, text: `pear number ${i}` }))

async function filled(count = 3, at = path): Promise<void> {
  const database = await openDatabase(at)
  await new SqliteDocumentStore(database).addDocuments(nodes(count))
  await new SqliteKeywordRetriever(database).add(nodes(count))
  database.close()
}

describe('openDatabase with readOnly', () => {
  it.each(['node:sqlite', 'better-sqlite3'] as const)('reads, and writes nothing (%s)', async (library) => {
    await filled()
    const database = await openDatabase(path, { readOnly: true, library })
    const store = new SqliteDocumentStore(database)
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1', 'n2'])
    expect((await new SqliteKeywordRetriever(database).retrieve('pear')).length).toBe(3)
    const readOnly = { code: 'sqlite_readonly', path }
    await expect(store.addDocuments(nodes(1))).rejects.toMatchObject(readOnly)
    await expect(store.setDocumentHash('a', 'b')).rejects.toMatchObject(readOnly)
    expect(() => database.run('delete from nodes')).toThrow(expect.objectContaining(readOnly))
    database.close()
  })

  it('reads a file beside which nothing can be written', async () => {
    await filled()
    // SQLite cannot open its shared memory there, as in a folder that is read-only.
    await mkdir(`${path}-shm`)
    const database = await openDatabase(path, { readOnly: true })
    expect(Object.keys(await new SqliteDocumentStore(database).docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
  })

  it('refuses files that are missing, empty, of other programs, or of another version', async () => {
    const failing = async (code: string, message: string) =>
      expect(openDatabase(path, { readOnly: true })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      })
    await failing('sqlite_open', 'cannot be opened')
    expect(await readdir(directory)).toEqual([])
    await writeFile(path, '')
    await failing('sqlite_open', 'not a database of this package')
    await writeFile(path, 'some other file '.repeat(100))
    await failing('sqlite_open', 'not a database')
    await rm(path)
    await filled()
    for (const [version, advice] of [
      [99, 'use a newer @x/sqlite'],
      [-1, 'open it once without readOnly'],
    ] as const) {
      const connection = await connect(path)
      connection.exec(`pragma user_version = ${version}`)
      connection.close()
      await failing('sqlite_version', advice)
    }
  })
})

describe('a file that is closed', () => {
  it('can be copied without others, also while another connection is open', async () => {
    const reader = await openDatabase(path)
    await filled()
    const copy = join(directory, 'copy.db')
    await copyFile(path, copy)
    const database = await openDatabase(copy, { readOnly: true })
    expect(Object.keys(await new SqliteDocumentStore(database).docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
    reader.close()
    expect((await readdir(directory)).filter((name) => name.startsWith('data'))).toEqual(['data 1.db'])
  })
})

/** Opens the tasks of a folder: files, or a database. */
const taskStores = {
  files: async (at: string) => new FileTaskStore(at),
  sqlite: async (at: string) => new SqliteTaskStore(await openDatabase(join(at, 'tasks.db'))),
}
const inFile = (name: string, change: (text: string) => string | Promise<string>) => async (at: string) => {
  const file = join(at, name.replace('/', '%002f'))
  await writeFile(file, await change(await readFile(file, 'latin1')), 'latin1')
}
const cutAt = (text: string, index: number) => text.slice(0, index) + text.slice(text.indexOf('\n'))
const inRows = (sql: string, id: string) => async (at: string) => {
  const database = await openDatabase(join(at, 'tasks.db'))
  database.run('pragma foreign_keys = off')
  database.run(sql, id)
  database.close()
}
const OF = 'where task = (select seq from tasks where id = ?)'
const damages = ['b', 'submitted/b'].flatMap((id): ['files' | 'sqlite', string, (at: string) => Promise<void>][] => [
  ['files', `${id}: first line cut`, inFile(`${id}.jsonl`, (text) => cutAt(text, 40))],
  ['files', `${id}: not UTF-8`, inFile(`${id}.jsonl`, (text) => text.replace('Pay', 'P\xff'))],
  ['files', `${id}: zeros`, inFile(`${id}.jsonl`, (text) => '\0'.repeat(text.length))],
  ['files', `${id}: a line is missing`, inFile(`${id}.jsonl`, (text) => text.replace(/\n.*\n/, '\n'))],
  ['files', `${id}: last line cut`, inFile(`${id}.jsonl`, (text) => text.slice(0, -5))],
  [
    'files',
    `${id}: another task`,
    inFile(`${id}.jsonl`, async (text) => text.replaceAll('"task_id":"', '"task_id":"c')),
  ],
  ['files', `${id}: empty`, inFile(`${id}.jsonl`, () => '')],
  [
    'files',
    `${id}: a folder`,
    async (at) => {
      const file = join(at, `${id.replace('/', '%002f')}.jsonl`)
      await rm(file)
      await mkdir(join(file, 'x'), { recursive: true })
    },
  ],
  ['sqlite', `${id}: cut`, inRows(`update task_entries set entry = substr(entry, 1, 40) ${OF}`, id)],
  ['sqlite', `${id}: empty`, inRows(`update task_entries set entry = '' ${OF}`, id)],
  ['sqlite', `${id}: bytes`, inRows(`update task_entries set entry = cast(x'7bff7d' as text) ${OF}`, id)],
  ['sqlite', `${id}: no last entry`, inRows(`delete from task_entries ${OF} and position > 0`, id)],
  ['sqlite', `${id}: no first entry`, inRows(`delete from task_entries ${OF} and position = 0`, id)],
  ['sqlite', `${id}: no entries`, inRows(`delete from task_entries ${OF}`, id)],
])

describe('a damaged task', () => {
  it.each(damages)(
    'in %s stops no other one, and can be deleted (%s)',
    { timeout: 60_000 },
    async (kind, _, damage) => {
      const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
      const paying = 'Thought: pay\nAction: pay\nAction Input: {}'
      const answers = (messages: readonly ChatMessage[]) => (messages.length > 2 ? 'Answer: Done.' : paying)
      const errors: unknown[] = []
      const open = async () => {
        const store: TaskStore = await taskStores[kind](directory)
        const agent = ({ taskStore }: TaskRun) =>
          ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [pay], taskStore })
        const tasks = new StoredTasks({ store, agent, pollingIntervalMs: 20, onError: (error) => errors.push(error) })
        await tasks.start()
        return { store, tasks }
      }
      const before = await open()
      for (const taskId of ['a', 'b', 'c']) {
        await before.tasks.submit('Pay!', { taskId })
        await settled(before.tasks, taskId)
      }
      await before.tasks.stop()
      await damage(directory)
      const { store, tasks } = await open()
      await tasks.decide('c', { callId: (await tasks.waiting('c'))[0]!.id, type: 'approve' })
      expect((await tasks.answer('c')).response).toBe('Done.')
      await tasks.submit('Pay!', { taskId: 'd' })
      await settled(tasks, 'd')
      const statuses = { a: 'waiting', d: 'waiting' }
      const statusOf = (listed: readonly { taskId: string; status: string }[]) =>
        Object.fromEntries(listed.map(({ taskId, status }) => [taskId, status]))
      expect(statusOf(await tasks.list())).toMatchObject(statuses)
      expect(statusOf(await listTasks(store))).toMatchObject({ ...statuses, c: 'finished' })
      for (const operation of ['cancel', 'delete', 'answer'] as const) {
        const error: unknown = await tasks[operation]('b').then(
          () => undefined,
          (thrown) => thrown,
        )
        if (error !== undefined) expect(isToolkitError(error), String(error)).toBe(true)
      }
      await store.delete('b')
      await store.delete('submitted/b')
      expect((await listTasks(store)).map(({ taskId }) => taskId).sort()).toEqual(['a', 'c', 'd'])
      await tasks.stop()
      expect(errors.filter((error) => !isToolkitError(error))).toEqual([])
    },
  )
})

describe('a file with a problem', () => {
  it('reports a full disk', async () => {
    await filled()
    const database = await openDatabase(path)
    database.run('pragma max_page_count = 1')
    const store = new SqliteDocumentStore(database)
    await expect(store.addDocuments(nodes(2000))).rejects.toMatchObject({ code: 'sqlite_full', retryable: true, path })
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
  })

  it('reports damaged pages', async () => {
    await filled(500)
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(size - 8192, 0x5a), 0, size - 8192, 8192)
    await file.close()
    const damaged = { code: 'sqlite_damaged', path }
    const read = async () => {
      const database = await openDatabase(path)
      try {
        return await new SqliteDocumentStore(database).docs()
      } finally {
        database.close()
      }
    }
    await expect(read()).rejects.toMatchObject(damaged)
  })

  it('names the node of a damaged record and the file, and leaves it out on request', async () => {
    await filled()
    const database = await openDatabase(path)
    database.run(`update nodes set record = substr(record, 1, 40) where id = 'n1'`)
    database.run(`update indexed set record = substr(record, 1, 40) where id = 'n1'`)
    const store = new SqliteDocumentStore(database)
    const message = expect.stringContaining(`${path}: the record of the node "n1" cannot be read: `)
    const error = { code: 'store_read', path, nodeId: 'n1', message }
    await expect(store.docs()).rejects.toMatchObject(error)
    await expect(store.getNode('n1')).rejects.toMatchObject(error)
    await expect(new SqliteKeywordRetriever(database).retrieve('pear')).rejects.toMatchObject(error)
    expect(Object.keys(await store.docs({ onUnreadable: 'skip' }))).toEqual(['n0', 'n2'])
    const errors: unknown[] = []
    for await (const node of store.nodes({ onUnreadable: (one) => errors.push(one) })) expect(node.id).not.toBe('n1')
    expect(errors).toEqual([expect.objectContaining(error)])
    database.close()
  })

  it('names the conversation of a damaged message or turn, reads the others, and deletes it', async () => {
    const database = await openDatabase(path)
    const store = new SqliteChatStore(database)
    const memory = (conversationId: string) => new StoredChatMemory({ chatStore: store, conversationId })
    for (const key of ['ann', 'bob', 'cem']) {
      const turn = memoryForTurn(memory(key), 't1')!
      await turn.begin(new ChatMessage({ content: `I am ${key}.` }))
      store.addMessage(`${key}/old`, new ChatMessage({ content: 'Hello' }))
      store.addMessage(`${key}/old`, new ChatMessage({ content: 'Bye' }))
    }
    const of = (key: string) => `(select seq from conversations where key = '${key}')`
    database.run(`update messages set message = substr(message, 1, 20) where conversation = ${of('ann')}`)
    database.run(`update messages set message = '{"role":5}' where position = 0 and conversation = ${of('ann/old')}`)
    database.run(`update turns set marks = '{"task":' where conversation = ${of('bob')}`)
    const again = new SqliteChatStore(await openDatabase(path))
    const { turns } = again
    const damaged = (key: string) => ({
      code: 'store_read',
      path,
      key,
      message: expect.stringContaining(`the key "${key}"`),
    })
    const error = async (work: () => unknown) =>
      Promise.resolve()
        .then(work)
        .catch((thrown: unknown) => thrown)
    for (const key of ['ann', 'ann/old']) {
      expect(await error(() => again.getMessages(key))).toMatchObject(damaged(key))
      expect(await error(() => again.getLast(key, 5))).toMatchObject(damaged(key))
    }
    for (const key of ['ann', 'bob']) {
      expect(await error(() => turns.read(key))).toMatchObject(damaged(key))
      expect(await error(() => turns.before!(key, 't1', 9))).toMatchObject(damaged(key))
    }
    expect(await error(() => turns.begin('bob', 'm', (all) => all))).toMatchObject(damaged('bob'))
    expect(await error(() => memoryForTurn(memory('ann'), 't2')!.get())).toMatchObject(damaged('ann'))
    expect((await memory('cem').getAll()).map(String)).toEqual(['user: I am cem.'])
    expect((await turns.read('cem')).length).toBe(1)
    expect(again.deleteMessage('ann/old', 0)).toBe(null)
    expect(again.getMessages('ann/old').map(String)).toEqual(['user: Bye'])
    for (const key of ['ann', 'bob']) again.deleteMessages(key)
    expect(again.getKeys()).toEqual(['ann/old', 'bob/old', 'cem', 'cem/old'])
    database.close()
  })

  it('names the task of a damaged event or string, reads the others, and deletes it', async () => {
    const database = await openDatabase(path)
    const log = new SqliteEventLog(database)
    const tasks = new SqliteTaskStore(database)
    const large = 'x'.repeat(100_000)
    for (const task of ['a', 'b', 'c']) {
      log.addEvents(task, { call: 'end', attempt: 'a', events: [] })
      await tasks.append(task, [{ type: 'task', n: 0, text: large + task }], 0)
    }
    database.run(`update task_events set record = substr(record, 1, 9) where task = 'b'`)
    database.run('pragma foreign_keys = off')
    database.run(`delete from task_blobs where hash in (select hash from task_blob_uses where task = 'c')`)
    expect(() => log.readEvents('b', 0)).toThrow(expect.objectContaining({ code: 'store_read', path, taskId: 'b' }))
    const missing = {
      code: 'store_read',
      taskId: 'c',
      message: expect.stringMatching(/the string [0-9a-f]{64} is missing/),
    }
    expect(() => tasks.load('c')).toThrow(expect.objectContaining(missing))
    expect([log.readEvents('a', 0).length, tasks.load('a')?.length, tasks.list().length]).toEqual([1, 1, 3])
    await log.deleteEvents('b')
    await tasks.delete('c')
    expect([log.readEvents('b', 0), tasks.load('c')]).toEqual([[], null])
    database.close()
  })

  it('finds an altered record by its checksum', async () => {
    const database = await openDatabase(path)
    const store = new SqliteDocumentStore(database, { checksums: true })
    await store.addDocuments(nodes(2))
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1'])
    database.run(`update nodes set record = replace(record, 'number 1', 'number 7')`)
    await expect(store.docs()).rejects.toMatchObject({ code: 'store_read', nodeId: 'n1' })
    database.close()
  })
})
