import { defineConfig } from 'vitest/config'
import { packageTests } from '../../tools/vitest.ts'

/** The tests without `eval` and `new Function`, as under a strict content security policy or in edge workers. */
export default defineConfig(async (environment) => {
  const { test, ...config } = await packageTests({ linesCovered: 95 })(environment)
  return {
    ...config,
    test: {
      ...test,
      pool: 'forks',
      execArgv: ['--disallow-code-generation-from-strings'],
      reporters: ['dot'],
    },
  }
})
