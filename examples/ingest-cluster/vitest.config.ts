import { packageTests } from '../../tools/vitest.ts'

// The workers are processes of their own, which are not counted.
export default packageTests({ linesCovered: 60 })
