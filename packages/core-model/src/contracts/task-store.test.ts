import { expect, it } from 'vitest'
import { taskFacts } from './task-store.ts'

it.each([
  [[], {}],
  [[{ type: 'task', task: { conversation_id: 'ann', finalized: false } }], { conversationId: 'ann' }],
  [[{ type: 'task', task: { conversation_id: null, finalized: true } }], { conversationId: null, isFinished: true }],
  [[{ type: 'task', task: {} }, { type: 'finalized' }], { conversationId: null, isFinished: true }],
  [[{ type: 'step', task: { conversation_id: 'ann', finalized: true } }], {}],
  [[{ type: 'submitted', task: { task: { task_id: 't' } } }], { isActive: true }],
  [[{ type: 'waiting' }], { isActive: false }],
  [[{ type: 'waiting' }, { type: 'decided' }], { isActive: true }],
  [[{ type: 'failed' }, { type: 'finalized' }], { isFinished: true }],
  [[{ type: 'retried' }], { isFinished: false, isActive: true }],
  [[null, 5, 'task', { type: 'task' }], {}],
])('taskFacts reads %j', (entries, facts) => {
  expect(taskFacts(entries)).toEqual(facts)
})
