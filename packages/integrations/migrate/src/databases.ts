/**
 * @module
 * Opens databases of SQLite and Postgres. Their packages are loaded when they are used.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { EmbeddingModel } from '@x/core-model'
import { type PythonLine, type PythonLineName, pythonLine } from '@x/core-model/python'
import type { PostgresDatabase } from '@x/postgres'
import type { Content, IndexInfo, WriteOptions } from './content.ts'
import { DatabaseContent, type DatabaseStores, writeDatabase } from './database-content.ts'
import { MigrateError } from './errors.ts'

/** Nodes come with their vectors, so no model is asked. */
const refuse = async (): Promise<never> => {
  throw new MigrateError('No vector is computed')
}
const noModel: EmbeddingModel = {
  getQueryEmbedding: refuse,
  getTextEmbedding: refuse,
  getTextEmbeddingBatch: refuse,
}

/** Opens the content of a SQLite database. @throws {MigrateError} if the file does not exist. */
export async function readSqlite(path: string): Promise<Content> {
  if (!existsSync(path)) throw new MigrateError(`${path}: the file does not exist`)
  return DatabaseContent.of(`sqlite:${path}`, await sqliteStores(path))
}

/**
 * Writes a new SQLite database, with a vector index. The file appears under its name when it is complete and proved.
 * @throws {MigrateError} if the file exists.
 */
export async function writeSqlite(
  content: Content,
  path: string,
  line: PythonLineName,
  options: WriteOptions,
): Promise<void> {
  if (existsSync(path)) throw new MigrateError(`${path}: expected the name of a new file, received a file that exists`)
  const temporary = `${path}.migrating`
  const clean = () => Promise.all(['', '-wal', '-shm'].map((end) => rm(temporary + end, { force: true })))
  await clean()
  const stores = await sqliteStores(temporary, pythonLine(line))
  try {
    await writeDatabase(content, pythonLine(line), stores, `sqlite:${path}`, options).finally(() => stores.close())
    await rename(temporary, path)
  } finally {
    await clean()
  }
}

async function sqliteStores(path: string, line?: PythonLine): Promise<DatabaseStores> {
  const { openDatabase, SqliteChatStore, SqliteDocumentStore, SqliteVectorRetriever } = await import('@x/sqlite')
  const database = await openDatabase(path)
  const index = new SqliteVectorRetriever(database, { embedModel: noModel, line })
  return {
    documents: new SqliteDocumentStore(database, { line }),
    chats: new SqliteChatStore(database),
    index: (nodes) => index.add(nodes),
    readLine: async () => {
      const row = database.get('select value from settings where name = ?', LINE)
      return row && String(row['value'])
    },
    writeLine: async (name) => void database.run('insert into settings values (?, ?)', LINE, name),
    readIndexes: async () => {
      const row = database.get('select value from settings where name = ?', INDEXES)
      return row ? (JSON.parse(String(row['value'])) as IndexInfo[]) : []
    },
    writeIndexes: async (indexes) =>
      void database.run('insert into settings values (?, ?)', INDEXES, JSON.stringify(indexes)),
    close: async () => database.close(),
  }
}

/** The name under which a database stores the line that it was migrated from. */
const LINE = 'python_line'
/** The name under which a database stores the indexes of the folder that it was migrated from. */
const INDEXES = 'python_indexes'

/** Opens the content of a Postgres database. */
export async function readPostgres(url: string): Promise<Content> {
  const { database, end } = await openPostgres(url)
  return DatabaseContent.of(nameOf(url), { ...(await postgresStores(database)), close: end })
}

/**
 * Writes content into the empty tables of a Postgres database, in one transaction.
 * @throws {MigrateError} if the tables contain nodes or conversations.
 */
export async function writePostgres(
  content: Content,
  url: string,
  line: PythonLineName,
  options: WriteOptions,
): Promise<void> {
  const { database, end } = await openPostgres(url)
  try {
    await database.transaction(async (inside) => {
      const stores = await postgresStores(inside, pythonLine(line))
      for await (const { id } of stores.documents.nodes())
        throw new MigrateError(`${nameOf(url)}: expected empty tables, received a node "${id}"; use another schema`)
      const [key] = await stores.chats.getKeys()
      if (key !== undefined)
        throw new MigrateError(
          `${nameOf(url)}: expected empty tables, received a conversation "${key}"; use another schema`,
        )
      await writeDatabase(content, pythonLine(line), stores, nameOf(url), options)
    })
  } finally {
    await end()
  }
}

/** Returns the address without user and password. */
export function nameOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `postgres://${host}${pathname}`
}

async function openPostgres(url: string): Promise<{ database: PostgresDatabase; end: () => Promise<void> }> {
  const [{ openDatabase }, { default: pg }] = await Promise.all([import('@x/postgres'), import('pg')])
  const address = new URL(url)
  // The schema is ours, not the server's.
  const schema = address.searchParams.get('schema') ?? undefined
  address.searchParams.delete('schema')
  const pool = new pg.Pool({ connectionString: address.href })
  // A connection that is lost while nobody uses it is reported by the next statement.
  pool.on('error', () => {})
  try {
    return { database: await openDatabase(pool, { schema }), end: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function postgresStores(database: PostgresDatabase, line?: PythonLine): Promise<DatabaseStores> {
  const { PostgresChatStore, PostgresDocumentStore, PostgresKeyValueStore } = await import('@x/postgres')
  const values = new PostgresKeyValueStore(database)
  return {
    documents: new PostgresDocumentStore(database, { line }),
    chats: new PostgresChatStore(database),
    index: async () => {},
    readLine: async () => {
      const stored = await values.get(LINE, 'migrate')
      return stored && String(stored['name'])
    },
    writeLine: (name) => values.put(LINE, { name }, 'migrate'),
    readIndexes: async () => ((await values.get(INDEXES, 'migrate'))?.['indexes'] ?? []) as IndexInfo[],
    writeIndexes: (indexes) => values.put(INDEXES, { indexes: [...indexes] }, 'migrate'),
    close: async () => {},
  }
}
