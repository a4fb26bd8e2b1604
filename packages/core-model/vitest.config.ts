import { packageTests } from '../../tools/vitest.ts'

export default packageTests({ linesCovered: 97, withoutEval: true })
