/// <reference types="node" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as sqlite from './index.ts'
import { migrate, migrations } from './migrations.ts'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { connect } from './sqlite-driver.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'
import { SqliteTaskStore } from './sqlite-task-store.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  path = join(directory, 'data.db')
})
afterEach(() => rm(directory, { recursive: true }))

describe('openDatabase', () => {
  it('keeps written data for the next process, with either library', async () => {
    for (const [at, library] of (['node:sqlite', 'better-sqlite3', undefined] as const).entries()) {
      const database = await openDatabase(path, { library, durability: 'normal' })
      const store = new SqliteDocumentStore(database)
      await store.addDocuments([new TextNode({ id: `${at}` })])
      expect(Object.keys(await store.docs())).toEqual(['0', '1', '2'].slice(0, at + 1))
      database.close()
    }
  })

  it('refuses a database of a newer version, and does not change it', async () => {
    const newer = await openDatabase(path)
    newer.run('pragma user_version = 99')
    newer.close()
    await expect(openDatabase(path)).rejects.toMatchObject({ code: 'sqlite_version', received: 99, path })
    const connection = await connect(path)
    expect(connection.prepare('pragma user_version').get()).toEqual({ user_version: 99 })
    connection.close()
  })

  it('refuses files of other programs', async () => {
    await writeFile(path, 'not a database, but some other file '.repeat(100))
    await expect(openDatabase(path)).rejects.toMatchObject({ code: 'sqlite_open', path })
    const other = join(directory, 'other.db')
    const connection = await connect(other)
    connection.exec('create table t (a); pragma user_version = 1')
    connection.close()
    await expect(openDatabase(other)).rejects.toThrow('a database of a different program')
    await expect(openDatabase(join(directory, 'none', 'data.db'))).rejects.toMatchObject({ code: 'sqlite_open' })
  })

  it.each([{ busyTimeoutMs: -1 }, { durability: 'off' }, { library: 'sqlite3' }, { journal: 'wal' }])(
    'refuses the options %j',
    async (options) => {
      await expect(openDatabase(path, options as object)).rejects.toMatchObject({ code: 'model_validation' })
    },
  )
})

describe('migrate', () => {
  it('runs each step once, and all of them or none', async () => {
    const connection = await connect(path)
    const steps = [...migrations, 'create table extra (a); insert into extra values (1)']
    migrate(connection, path)
    const broken = [...steps, 'create table more (a); insert into none values (1)']
    expect(() => migrate(connection, path, broken)).toThrow('none')
    expect(connection.prepare('pragma user_version').get()).toMatchObject({ user_version: migrations.length })
    for (let i = 0; i < 2; i++) migrate(connection, path, steps)
    expect(connection.prepare('select count(*) n from extra').get()).toMatchObject({ n: 1 })
    expect(() => migrate(connection, path)).toThrow(expect.objectContaining({ code: 'sqlite_version' }))
    connection.close()
  })

  it('migrations run once when several processes open a new database', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(path)))
    for (const database of databases) database.close()
  })
})

describe('a transaction', () => {
  it('that SQLite has ended itself rejects with the original error', async () => {
    const database = await openDatabase(path)
    const stop = new Error('stop')
    const failing = () =>
      database.transaction(() => {
        database.run('rollback')
        throw stop
      })
    expect(failing).toThrow(stop)
    expect(database.transaction(() => 1)).toBe(1)
    database.close()
  })
})

describe('several connections', () => {
  it('refuse a transaction that returns a promise, and write nothing', async () => {
    const database = await openDatabase(':memory:')
    const store = new SqliteDocumentStore(database)
    const work = async () => {
      await store.addDocuments([new TextNode({ id: 'a' })])
      throw new Error('too late')
    }
    const refused = expect.objectContaining({
      code: 'model_validation',
      message: expect.stringContaining('work: expected a function that does not return a promise'),
    })
    // @ts-expect-error The function returns a promise.
    expect(() => database.transaction(work)).toThrow(refused)
    // @ts-expect-error The function returns a promise.
    const inner = () => database.transaction(() => void database.transaction(() => store.addDocuments([])))
    expect(inner).toThrow(refused)
    expect(await store.docs()).toEqual({})
    expect(database.transaction(() => 1)).toBe(1)
    database.close()
  })

  it.each(['node:sqlite', 'better-sqlite3'] as const)(
    'read while one writes, and a second writer gets an error (%s)',
    async (library) => {
      const options = { library, busyTimeoutMs: 20 }
      const [writer, reader] = [await openDatabase(path, options), await openDatabase(path, options)]
      const [writing, reading] = [new SqliteDocumentStore(writer), new SqliteDocumentStore(reader)]
      await writing.addDocuments([new TextNode({ id: 'a' })])
      writer.transaction(() => {
        void writing.addDocuments([new TextNode({ id: 'b' })])
        expect(reader.all('select id from nodes').map(({ id }) => id)).toEqual(['a'])
        expect(() => reader.transaction(() => {})).toThrow(
          expect.objectContaining({ code: 'sqlite_busy', retryable: true, path }),
        )
      })
      expect(Object.keys(await reading.docs())).toEqual(['a', 'b'])
      await reading.addDocuments([new TextNode({ id: 'c' })])
      expect(Object.keys(await writing.docs())).toEqual(['a', 'b', 'c'])
      writer.close()
      reader.close()
    },
  )
})

describe('a file that another connection locks', () => {
  it('does not block the thread: tasks, events and turns are written in their order when it is free', async () => {
    const [own, other] = await Promise.all([openDatabase(path), openDatabase(path)])
    const [tasks, events, chats] = [new SqliteTaskStore(own), new SqliteEventLog(own), new SqliteChatStore(own)]
    other.run('begin immediate')
    const message = new ChatMessage({ content: 'Hello' })
    const writes = [
      tasks.append('t', [{ type: 'task', n: 0 }], 0),
      tasks.append('t', [{ type: 'result', n: 1 }], 1),
      tasks.append('t', [{ type: 'result', n: 1 }], 1),
      events.addEvents('t', { n: 1 }),
      events.addEvents('t', { n: 2 }),
      chats.turns.append!('ann', { id: 'a', task: 'a', state: 'open', messages: [message] }, (marks) => marks),
    ]
    expect(writes.every((write) => write instanceof Promise)).toBe(true)
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await expect.poll(() => ticks).toBeGreaterThan(5)
    other.run('commit')
    expect(await Promise.all(writes)).toEqual([true, true, false, undefined, undefined, undefined])
    clearInterval(timer)
    expect([tasks.load('t')?.length, events.readEvents('t', 0)]).toEqual([2, [{ n: 1 }, { n: 2 }]])
    expect(chats.getMessages('ann').map(String)).toEqual(['user: Hello'])
    // Nobody waits any more.
    expect(tasks.append('t', [{ type: 'result', n: 2 }], 2)).toBe(true)
    own.close()
    other.close()
  })

  it('throws sqlite_busy after the time of the option, and any other error at once', async () => {
    const [own, other] = await Promise.all([openDatabase(path, { busyTimeoutMs: 30 }), openDatabase(path)])
    const tasks = new SqliteTaskStore(own)
    other.run('begin immediate')
    await expect(tasks.append('t', [{ type: 'task', n: 0 }], 0)).rejects.toMatchObject({ code: 'sqlite_busy' })
    other.run('rollback')
    own.close()
    const closed = expect.objectContaining({
      code: 'sqlite_open',
      message: expect.stringContaining('closed; open it again'),
    })
    expect(() => tasks.append('t', [{ type: 'task', n: 0 }], 0)).toThrow(closed)
    other.close()
  })
})

const embedModel = new TableEmbedding({ texts: {}, queries: {} })

describe('a store that is made without a database', () => {
  it.each([
    ['SqliteChatStore', (database: never) => new sqlite.SqliteChatStore(database)],
    ['SqliteDocumentStore', (database: never) => new sqlite.SqliteDocumentStore(database)],
    ['SqliteTaskStore', (database: never) => new sqlite.SqliteTaskStore(database)],
    ['SqliteKeywordRetriever', (database: never) => new sqlite.SqliteKeywordRetriever(database)],
    ['SqliteVectorRetriever', (database: never) => new sqlite.SqliteVectorRetriever(database, { embedModel })],
  ])('is refused where it is made: %s', async (name, make) => {
    const database = await sqlite.openDatabase(':memory:')
    for (const [wrong, received] of [
      [{ database }, 'an object'],
      [undefined, 'undefined'],
      [null, 'null'],
      ['chats.db', 'a string'],
      [sqlite.openDatabase(':memory:'), 'an instance of Promise'],
    ])
      expect(() => make(wrong as never)).toThrow(
        expect.objectContaining({
          code: 'model_validation',
          message: `${name}.database: expected a database of openDatabase, received ${received}.`,
        }),
      )
    make(database as never)
  })
})

describe('a wrong argument of a method is refused as in memory', () => {
  const message = new ChatMessage()
  const calls: Record<string, (stores: Stores, wrong: never) => unknown> = {
    'addMessage.key': ({ chats }, wrong) => chats.addMessage(wrong, message),
    'addMessage.message': ({ chats }, wrong) => chats.addMessage('c', wrong),
    'setMessages.messages': ({ chats }, wrong) => chats.setMessages('c', wrong),
    'getMessages.key': ({ chats }, wrong) => chats.getMessages(wrong),
    'addDocuments.nodes': ({ documents }, wrong) => documents.addDocuments(wrong),
    'upsert.nodes': ({ documents }, wrong) => documents.upsert(wrong),
    'append.taskId': ({ tasks }, wrong) => tasks.append(wrong, [], 0),
    'taskFacts.entries': ({ tasks }, wrong) => tasks.append('t', wrong, 0),
  }
  interface Stores {
    chats: SqliteChatStore
    documents: SqliteDocumentStore
    tasks: SqliteTaskStore
  }

  it.each(Object.entries(calls))('%s', async (place, call) => {
    const database = await openDatabase(':memory:')
    const stores = {
      chats: new SqliteChatStore(database),
      documents: new SqliteDocumentStore(database),
      tasks: new SqliteTaskStore(database),
    }
    for (const wrong of [undefined, null, 5, {}])
      await expect((async () => call(stores, wrong as never))()).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringMatching(`^${place}: expected `),
      })
    expect(stores.chats.getKeys()).toEqual([])
  })

  it('hashes and counts', async () => {
    const database = await openDatabase(':memory:')
    const refused = { code: 'model_validation' }
    for (const wrong of [undefined, null, 'a'] as never[]) {
      await expect(new SqliteDocumentStore(database).setDocumentHashes(wrong)).rejects.toMatchObject(refused)
      await expect(async () => new SqliteChatStore(database).getLast('c', wrong)).rejects.toMatchObject(refused)
    }
  })

  it.each(['node:sqlite', 'better-sqlite3'] as const)('an id that is left out, in %s', async (library) => {
    const database = await openDatabase(':memory:', { library })
    const documents = new SqliteDocumentStore(database)
    for (const call of [
      () => documents.getNode(undefined as never),
      () => documents.documentExists(['a'] as never),
      () => documents.deleteRefDoc(undefined as never),
      () => new SqliteTaskStore(database).load(undefined as never),
      () => new SqliteTaskStore(database).delete({} as never),
      () => new SqliteChatStore(database).deleteLastMessage(undefined as never),
    ])
      await expect((async () => call())()).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringMatching('^SqliteDatabase.value: expected a string, a number, bytes or null, received '),
      })
  })
})
