import { packageTests } from '../../tools/vitest.ts'

const { test, ...config } = packageTests({ linesCovered: 95 })

/** The tests without `eval` and `new Function`, as under a strict content security policy or in edge workers. */
export default {
  ...config,
  test: {
    ...test,
    pool: 'forks',
    execArgv: ['--disallow-code-generation-from-strings'],
    // These compare with ajv, which uses `new Function`.
    exclude: ['**/check-value.test.ts', '**/model-schema.test.ts'],
    typecheck: { enabled: false },
    reporters: ['dot'],
  },
}
