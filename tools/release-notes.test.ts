import { expect, it } from 'vitest'
import { releaseNotes } from './release-notes.ts'

const changelog = `# @x/prompts

## 1.10.0

### Minor Changes

- Reads \`.prompt\` files.

  ## Not a version

## 1.1.0

### Patch Changes

- Uses @x/core 1.1.0.
`

it('are what the changelog says about the version', () => {
  expect(releaseNotes(changelog, '1.10.0')).toBe('### Minor Changes\n\n- Reads `.prompt` files.\n\n  ## Not a version')
  expect(releaseNotes(changelog, '1.1.0')).toBe('### Patch Changes\n\n- Uses @x/core 1.1.0.')
})

it('are refused without a part about the version', () => {
  expect(() => releaseNotes(changelog, '1.1')).toThrow('no part about 1.1.')
})
