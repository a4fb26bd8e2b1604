import { packageTests } from '../../tools/vitest.ts'

// The tests start the command in processes of their own, whose lines are not measured.
export default packageTests({ linesCovered: 0 })
