import { defineConfig } from 'vitest/config'
import { filesOf, reportFolder, tags, temporaryFolder } from './vitest.ts'

/** The tools have no documentation whose examples run; everything else is as in the packages. */
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['@x/source'] },
  ssr: { resolve: { conditions: ['@x/source'] } },
  test: {
    ...filesOf(mode, ['**/*.test.ts']),
    tags,
    globalSetup: [temporaryFolder],
    // Long, for busy machines.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 1,
    reporters: ['default', ['json', { outputFile: `.reports/${reportFolder(mode)}/vitest.json` }]],
  },
}))
