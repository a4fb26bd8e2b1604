// @module-tag system
import { expect, it } from 'vitest'
import { runWithVersions } from '../../../../tools/run-with-versions.ts'

it('works with the lowest supported version of @langchain/core', async () => {
  const program = new URL('./lowest-main.ts', import.meta.url)
  expect(await runWithVersions(program, { '@langchain/core': '@langchain/core-lowest' })).toBe('1.0.0\n')
})
