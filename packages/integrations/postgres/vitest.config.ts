import { fileURLToPath } from 'node:url'
import { packageTests } from '../../../tools/vitest.ts'

export default packageTests({
  linesCovered: 99,
  testTimeout: 180_000,
  globalSetup: [fileURLToPath(new URL('../../../tools/postgres-setup.ts', import.meta.url))],
})
