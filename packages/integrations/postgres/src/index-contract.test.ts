import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { describe, it } from 'vitest'
import { newDatabase, newPythonTable, vectorDatabases } from '../test/new-database.ts'
import { PostgresKeywordRetriever } from './postgres-keyword-retriever.ts'
import { PostgresVectorRetriever } from './postgres-vector-retriever.ts'
import { pythonTable } from './python-table.ts'

describe('a keyword index in Postgres', () => {
  const create = async (options: CheckedIndexOptions) => new PostgresKeywordRetriever(await newDatabase(), options)
  for (const { name, run } of indexChecks(create, { kind: 'words', hasBm25Scores: true })) it(name, run)
})

describe('a vector index in Postgres', () => {
  const newVectorDatabase = vectorDatabases()
  const create = async (options: CheckedIndexOptions) =>
    new PostgresVectorRetriever(await newVectorDatabase(), {
      embedModel: new LetterEmbedding(),
      similarityTopK: 10,
      ...options,
    })
  for (const { name, run } of indexChecks(create, { kind: 'vectors' })) it(name, run)
})

describe('the table of PGVectorStore of LlamaIndex for Python', () => {
  const newVectorDatabase = vectorDatabases()
  const create = async (options: CheckedIndexOptions) => {
    const database = await newVectorDatabase()
    await database.query(newPythonTable(database, 'docs', 26))
    const own = { embedModel: new LetterEmbedding(), similarityTopK: 10, pythonTable: pythonTable('Docs') }
    return new PostgresVectorRetriever(database, { ...own, ...options })
  }
  for (const { name, run } of indexChecks(create, { kind: 'vectors' })) it(name, run)
})
