/**
 * Writes to a database until it is killed, and reports each operation that was acknowledged as a line with its number.
 *
 * @example node --conditions=@x/source test/kill-worker.ts postgresql://… 1000
 */
import { writeSync } from 'node:fs'
import { ChatMessage, TextNode } from '@x/core-model'
import pg from 'pg'
import { openDatabase, PostgresChatStore, PostgresDocumentStore, PostgresTaskStore } from '../src/index.ts'

const [connectionString = '', first = '0'] = process.argv.slice(2)
const database = await openDatabase(new pg.Pool({ connectionString, application_name: 'kill-worker' }))
const store = new PostgresDocumentStore(database)
const chats = new PostgresChatStore(database)
const tasks = new PostgresTaskStore(database)

/** Two nodes of a source, whose texts name the operation that wrote them. */
const nodesOf = (source: string, text: string) =>
  ['a', 'b'].map((part) => new TextNode({ id: `${source}/${part}`, text, relationships: { 1: { nodeId: source } } }))

for (let n = Number(first); ; n++) {
  const source = `d${n - (n % 4)}`
  if (n % 4 === 0) await store.addDocuments(nodesOf(source, `${n}`))
  else if (n % 4 === 1) await store.upsert(nodesOf(source, `${n}`))
  else if (n % 4 === 2) await chats.addMessage('all', new ChatMessage({ content: `${n}` }), -1)
  else
    await tasks.append(
      source,
      [
        { type: 'task', task: {} },
        { type: 'finalized', n },
      ],
      0,
    )
  writeSync(1, `${n}\n`)
}
