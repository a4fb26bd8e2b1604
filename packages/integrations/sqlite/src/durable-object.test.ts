/// <reference types="node" />

import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { ChatMessage, TextNode } from '@x/core-model'
import { LetterEmbedding } from '@x/testing/retrieval'
import { describe, expect, it } from 'vitest'
import { type ObjectStorage, objectDatabase } from './durable-object.ts'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

/** Storage with what that of a Durable Object has and lacks: no statements of transactions, no pragmas, buffers for binary values. */
function storage(): ObjectStorage {
  const database = new DatabaseSync(':memory:')
  const plain = (row: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(row)) if (value instanceof Uint8Array) row[name] = value.slice().buffer
    return row
  }
  return {
    sql: {
      exec(query, ...bindings) {
        if (/^\s*(begin|commit|rollback|pragma)/i.test(query)) throw new Error(`not authorized: ${query}`)
        if (query.includes('create table nodes')) database.exec(query)
        const rows = query.includes('create table nodes')
          ? []
          : database.prepare(query).all(...(bindings as SQLInputValue[]))
        return Object.assign(rows.map(plain), { toArray: () => rows.map(plain) })
      },
    },
    transactionSync(work) {
      database.exec('begin')
      try {
        const result = work()
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
  }
}

// The checks of all stores run in workerd: `test/durable-object.test.ts`.
describe('objectDatabase', () => {
  it('has conversations, documents, vectors and events, also for the object that starts next', async () => {
    const object = storage()
    const database = objectDatabase(object)
    new SqliteChatStore(database).addMessage('ann', new ChatMessage({ content: 'Hello' }))
    const documents = new SqliteDocumentStore(database)
    await documents.addDocuments([new TextNode({ id: 'a', text: 'ab' })])
    const embedModel = new LetterEmbedding()
    await new SqliteVectorRetriever(database, { embedModel }).add([new TextNode({ id: 'a', text: 'ab' })])
    await new SqliteEventLog(database).addEvents('t', { call: '1' })
    database.close()

    const next = objectDatabase(object)
    expect(new SqliteChatStore(next).getMessages('ann').map(String)).toEqual(['user: Hello'])
    expect(Object.keys(await new SqliteDocumentStore(next).docs())).toEqual(['a'])
    const [found] = await new SqliteVectorRetriever(next, { embedModel }).retrieve('ab')
    expect(found!.score).toBeCloseTo(1)
    expect(new SqliteEventLog(next).readEvents('t', 0)).toEqual([{ call: '1' }])
  })

  it('undoes a transaction that throws', () => {
    const database = objectDatabase(storage())
    const chats = new SqliteChatStore(database)
    const work = () =>
      database.transaction(() => {
        chats.setMessages('ann', [])
        throw new Error('It fails.')
      })
    expect(work).toThrow('It fails.')
    expect(chats.getKeys()).toEqual([])
    expect(database.run('insert into conversations (key) values (?)', 'bob')).toBe(1)
  })

  it('refuses the tables of a newer version, and what is no storage with SQL', () => {
    const object = storage()
    objectDatabase(object)
    object.sql.exec('update schema_version set version = 99')
    expect(() => objectDatabase(object)).toThrow(expect.objectContaining({ code: 'sqlite_version', received: 99 }))
    const old = { get: () => {}, put: () => {} } as unknown as ObjectStorage
    expect(() => objectDatabase(old)).toThrow(
      'objectDatabase.storage: expected the storage of a Durable Object with SQL',
    )
  })
})
