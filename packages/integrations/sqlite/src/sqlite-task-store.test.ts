import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteTaskStore } from './sqlite-task-store.ts'

describe('SqliteTaskStore', () => {
  const create = async () => new SqliteTaskStore(await openDatabase(':memory:'))

  it('appends an entry at a cost that the length of the journal does not change', async () => {
    const fill = async (size: number) => {
      const store = await create()
      for (let n = 0; n < size; n++) store.append('t', [{ type: 'result', n }], n)
    }
    expect(await growthOf(fill, 200)).toBeLessThan(1.75)
  })

  it('appends all entries or none', async () => {
    const store = await create()
    expect(() => store.append('t', [{ type: 'task' }, { type: 'result', value: Number.NaN }], 0)).toThrow(
      expect.objectContaining({ code: 'serialization' }),
    )
    expect([store.load('t'), store.list()]).toEqual([null, []])
  })
})
