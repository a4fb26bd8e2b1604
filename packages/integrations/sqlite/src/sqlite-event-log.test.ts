import type { TaskEventLog } from '@x/durable'
import { expect, it } from 'vitest'
import { openDatabase } from './sqlite-database.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'

it('an event log keeps the records of each task in order, for readers that continue', async () => {
  const database = await openDatabase(':memory:')
  const [log, other]: TaskEventLog[] = [new SqliteEventLog(database), new SqliteEventLog(database)] as const
  const record = (call: string, delta = '') => {
    const event = { type: 'text_delta' as const, taskId: 't', stepId: call, delta }
    return { call, attempt: 'a', events: [event] }
  }
  await log!.addEvents('t', record('step/1', 'a\u0000b'))
  await log!.addEvents('u', record('step/9'))
  await other!.addEvents('t', record('step/2'))
  expect(await other!.readEvents('t', 0)).toEqual([record('step/1', 'a\u0000b'), record('step/2')])
  expect(await log!.readEvents('t', 1)).toEqual([record('step/2')])
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? log! : other!).addEvents('many', record(`step/${n}`))),
  )
  expect(await log!.readEvents('many', 0)).toHaveLength(20)
  await log!.deleteEvents!('t')
  expect(await log!.readEvents('t', 0)).toEqual([])
  expect(await log!.readEvents('u', 0)).toHaveLength(1)
})
