import { testsWithoutEval } from '../../tools/vitest.ts'

export default testsWithoutEval()
