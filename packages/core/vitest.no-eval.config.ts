import { testsWithoutEval } from '../../tools/vitest.ts'

export default testsWithoutEval(['**/check-value.test.ts', '**/model-schema.test.ts'])
