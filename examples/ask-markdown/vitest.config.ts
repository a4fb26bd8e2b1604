import { defineConfig, mergeConfig } from 'vitest/config'
import { packageTests } from '../../tools/vitest.ts'

// Some tests start the program in processes of their own. The README of the repository uses several packages, as the program does.
export default mergeConfig(
  packageTests({ linesCovered: 95, documents: ['../../README.md'] }),
  defineConfig({ test: { testTimeout: 120_000 } }),
)
