import { expect, it } from 'vitest'
import { runWithVersions } from '../../../../tools/run-with-versions.ts'

it('works with the lowest supported version of the SDK', async () => {
  const program = new URL('./lowest-main.ts', import.meta.url)
  const versions = { '@restatedev/restate-sdk': '@restatedev/restate-sdk-lowest' }
  expect(await runWithVersions(program, versions)).toBe('1.17.0: Done. Done. Hello.\n')
})
