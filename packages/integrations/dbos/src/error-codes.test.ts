import { expect, it } from 'vitest'
import * as client from './client.ts'

it('has these error codes', () => {
  const { JournalMismatchError, TaskAbandonedError, UnknownQueueError } = client
  const errors = [new JournalMismatchError('t'), new TaskAbandonedError('t'), new UnknownQueueError('q')]
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual([
    'JournalMismatchError journal_mismatch',
    'TaskAbandonedError task_abandoned',
    'UnknownQueueError unknown_queue',
  ])
})
