import { expectTypeOf, it } from 'vitest'
import { isToolkitError, type MissingVariableError, type ToolkitError } from './index.ts'

declare const error: unknown

it('a code narrows to its class', () => {
  if (isToolkitError(error, 'missing_variable')) {
    expectTypeOf(error).toEqualTypeOf<MissingVariableError>()
    expectTypeOf(error.variables).toEqualTypeOf<readonly string[]>()
  }
  if (isToolkitError(error)) expectTypeOf(error).toEqualTypeOf<ToolkitError>()
})

it('a misspelt code does not compile', () => {
  // @ts-expect-error There is no such code.
  isToolkitError(error, 'mising_variable')
})
