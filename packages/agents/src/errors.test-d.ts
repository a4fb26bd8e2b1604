import { isToolkitError } from '@x/core-model'
import { expectTypeOf, it } from 'vitest'
import type { MaxIterationsError } from './index.ts'

declare const error: unknown

it('the codes of this package narrow to its classes', () => {
  if (isToolkitError(error, 'max_iterations')) expectTypeOf(error).toEqualTypeOf<MaxIterationsError>()
})
