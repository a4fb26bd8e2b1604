import { expectTypeOf, it } from 'vitest'
import { isToolkitError, type SerializationError, type ToolkitError } from './index.ts'

declare const error: unknown

it('a code narrows to its class', () => {
  if (isToolkitError(error, 'serialization')) {
    expectTypeOf(error).toEqualTypeOf<SerializationError>()
    expectTypeOf(error.field).toEqualTypeOf<string>()
  }
  if (isToolkitError(error)) expectTypeOf(error).toEqualTypeOf<ToolkitError>()
})

it('a misspelt code does not compile', () => {
  // @ts-expect-error There is no such code.
  isToolkitError(error, 'serialisation')
})
