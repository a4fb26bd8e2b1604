import { isToolkitError } from '@x/core-model'
import { expectTypeOf, it } from 'vitest'
import type { McpListError } from './tool-list.ts'

it('knows the code of its error', () => {
  const error: unknown = null
  if (isToolkitError(error, 'mcp_list')) expectTypeOf(error).toEqualTypeOf<McpListError>()
})
