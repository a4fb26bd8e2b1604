import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { describe, it } from 'vitest'
import { openDatabase } from './sqlite-database.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

describe.each(['node:sqlite', 'better-sqlite3'] as const)('an index over %s', (library) => {
  const words = async (options: CheckedIndexOptions) =>
    new SqliteKeywordRetriever(await openDatabase(':memory:', { library }), options)
  for (const { name, run } of indexChecks(words, { kind: 'words', hasBm25Scores: true })) it(`of words ${name}`, run)

  const vectors = async (options: CheckedIndexOptions) =>
    new SqliteVectorRetriever(await openDatabase(':memory:', { library }), {
      embedModel: new LetterEmbedding(),
      similarityTopK: 10,
      ...options,
    })
  for (const { name, run } of indexChecks(vectors, { kind: 'vectors' })) it(`of vectors ${name}`, run)
})
