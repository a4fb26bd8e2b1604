import { packageTests } from '../../tools/vitest.ts'

export default packageTests({ linesCovered: 98, withoutEval: true })
