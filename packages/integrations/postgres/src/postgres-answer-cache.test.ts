import { withCache } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { newDatabase } from '../test/new-database.ts'
import { PostgresAnswerCache } from './postgres-answer-cache.ts'

it('a cache of answers serves several processes', async () => {
  const database = await newDatabase()
  const ask = async (answers: string[]) =>
    String(await withCache(new ScriptedLLM({ answers }), new PostgresAnswerCache(database)).complete('Summarize.'))
  expect(await ask(['a\u0000b'])).toBe('a\u0000b')
  expect(await ask([])).toBe('a\u0000b')
})

it('a cache of answers deletes old answers', async () => {
  const database = await newDatabase()
  const cache = new PostgresAnswerCache(database)
  await cache.set('old', '1')
  await cache.set('k\u0000', '1')
  await database.query(`update ${database.tables.answers} set created_at = created_at - interval '1 day'`)
  await cache.set('k\u0000', '\u0000 2')
  expect(await cache.deleteBefore(new Date(Date.now() - 3_600_000))).toBe(1)
  expect([await cache.get('old'), await cache.get('k\u0000')]).toEqual([null, '\u0000 2'])
})
