import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageTests } from '../../tools/vitest.ts'

export default packageTests({
  linesCovered: 0,
  documents: globSync('../../docs/guides/*.md'),
  globalSetup: [fileURLToPath(new URL('../../tools/postgres-setup.ts', import.meta.url))],
})
