import { isToolkitError } from '@x/core-model'
import { expectTypeOf, it } from 'vitest'
import type { ConversationBusyError, MaxIterationsError, TaskClaimedError } from './errors.ts'

declare const error: unknown

it('the codes of this package narrow to its classes', () => {
  if (isToolkitError(error, 'max_iterations')) expectTypeOf(error).toEqualTypeOf<MaxIterationsError>()
  if (isToolkitError(error, 'task_claimed')) expectTypeOf(error).toEqualTypeOf<TaskClaimedError>()
  if (isToolkitError(error, 'conversation_busy')) expectTypeOf(error).toEqualTypeOf<ConversationBusyError>()
})
