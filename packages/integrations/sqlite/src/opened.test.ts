import { TableEmbedding } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import * as sqlite from './index.ts'

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
