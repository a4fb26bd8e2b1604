import { defineConfig, mergeConfig } from 'vitest/config'
import { packageTests } from '../../tools/vitest.ts'

// Some tests start the program in processes of their own.
export default mergeConfig(packageTests(), defineConfig({ test: { testTimeout: 30_000 } }))
