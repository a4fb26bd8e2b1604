import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@lancedb/lancedb'
import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { LanceKeywordRetriever } from './lance-keyword-retriever.ts'
import { LanceVectorRetriever } from './lance-vector-retriever.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lance-'))
})
afterAll(() => rm(folder, { recursive: true }))
let tables = 0
const open = () => connect(folder)
const embedModel = new LetterEmbedding()

describe('an index of words', () => {
  const create = async (options: CheckedIndexOptions) =>
    new LanceKeywordRetriever(await open(), { table: `words-${tables++}`, ...options })
  for (const { name, run } of indexChecks(create, { kind: 'words', hasBm25Scores: true })) it(name, run)
})

describe('an index of vectors', () => {
  const create = async (options: CheckedIndexOptions) =>
    new LanceVectorRetriever(await open(), { embedModel, similarityTopK: 10, table: `vectors-${tables++}`, ...options })
  for (const { name, run } of indexChecks(create, { kind: 'vectors' })) it(name, run)
})
