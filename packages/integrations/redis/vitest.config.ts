import { fileURLToPath } from 'node:url'
import { packageTests } from '../../../tools/vitest.ts'

export default packageTests({
  linesCovered: 99,
  globalSetup: [fileURLToPath(new URL('./test/redis-setup.ts', import.meta.url))],
})
