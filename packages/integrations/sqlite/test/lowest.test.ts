// @module-tag system
import { expect, it } from 'vitest'
import { runWithVersions } from '../../../../tools/run-with-versions.ts'

it('works with the lowest supported versions of better-sqlite3 that need no compiler, and of sqlite-vec', async () => {
  const versions = { 'better-sqlite3': 'better-sqlite3-lowest', 'sqlite-vec': 'sqlite-vec-lowest' }
  const program = new URL('./lowest-main.ts', import.meta.url)
  expect(await runWithVersions(program, versions)).toBe('13.0.0 v0.1.5\n')
})
