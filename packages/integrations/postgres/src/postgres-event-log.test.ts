import type { TaskEventLog } from '@x/durable'
import { expect, it } from 'vitest'
import { newDatabase } from '../test/new-database.ts'
import { PostgresEventLog } from './postgres-event-log.ts'

it('an event log keeps the records of each task in order, for readers that continue', async () => {
  const database = await newDatabase()
  const [log, other]: TaskEventLog[] = [new PostgresEventLog(database), new PostgresEventLog(database)] as const
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

/** Ids that a comparison by beginning, by pattern or without case would take for each other. */
const SIGNS = [
  '1',
  '2',
  '-',
  '.',
  '/',
  '"',
  "'",
  ',',
  '\\',
  '%',
  '_',
  ' ',
  'A',
  'a',
  'é',
  'e\u0301',
  '漢',
  '__proto__',
  ':',
]

it('the events of a task are those of its id alone', async () => {
  const log: TaskEventLog = new PostgresEventLog(await newDatabase())
  const ids = SIGNS.flatMap((one) => ['', '1', '%'].map((two) => `u${one}${two}`))
  const record = (id: string) => {
    const event = { type: 'text_delta' as const, taskId: id, stepId: 's', delta: id }
    return { call: 'step/1', attempt: 'a', events: [event] }
  }
  for (const id of ids) await log.addEvents(id, record(id))
  for (const id of ids) expect(await log.readEvents(id, 0)).toEqual([record(id)])
  await log.deleteEvents!(ids[0]!)
  for (const id of ids.slice(1)) expect(await log.readEvents(id, 0)).toHaveLength(1)
})
