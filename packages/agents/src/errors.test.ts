import { ModelCallError } from '@x/llm'
import { expect, it } from 'vitest'
import {
  ConversationBusyError,
  DeadlineExceededError,
  MaxIterationsError,
  TaskBusyError,
  TaskClaimedError,
  ToolExecutionError,
  ToolTimeoutError,
} from './errors.ts'

it('an error is retryable if the same operation may succeed later', () => {
  const busy = new ModelCallError('busy', { kind: 'overloaded' })
  for (const error of [
    new TaskBusyError('t'),
    new ConversationBusyError(),
    new DeadlineExceededError('The run', 5),
    new ToolTimeoutError('search', 5),
    new ToolExecutionError('search', 'busy', { cause: busy }),
  ])
    expect(error.retryable).toBe(true)
  for (const error of [
    new TaskClaimedError('t'),
    new MaxIterationsError('t', '20 model calls', null),
    new ToolExecutionError('search', 'broken', { cause: new Error('broken') }),
  ])
    expect(error.retryable).toBe(false)
})
