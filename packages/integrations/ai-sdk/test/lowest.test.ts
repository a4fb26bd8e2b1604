// @module-tag system
import { expect, it } from 'vitest'
import { runWithVersions } from '../../../../tools/run-with-versions.ts'

it.each([
  ['7', '7.0.0 v4\n'],
  ['6', '6.0.0 v3\n'],
  ['5', '5.0.0 v2\n'],
])('works with the lowest version of ai %s and of its providers', async (major, printed) => {
  const program = new URL('./lowest-main.ts', import.meta.url)
  const versions = { ai: `ai-${major}-lowest`, '@ai-sdk/openai-compatible': `@ai-sdk/openai-compatible-for-${major}` }
  expect(await runWithVersions(program, versions)).toBe(printed)
})
