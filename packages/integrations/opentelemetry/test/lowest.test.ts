// @module-tag system
import { expect, it } from 'vitest'
import { runWithVersions } from '../../../../tools/run-with-versions.ts'

it('works with the lowest supported version of @opentelemetry/api', async () => {
  const program = new URL('./lowest-main.ts', import.meta.url)
  expect(await runWithVersions(program, { '@opentelemetry/api': '@opentelemetry/api-lowest' })).toBe('1.3.0\n')
})
