import { packageTests } from '../../tools/vitest.ts'

// Some tests start the program in processes of their own.
export default packageTests({ linesCovered: 95, testTimeout: 120_000 })
