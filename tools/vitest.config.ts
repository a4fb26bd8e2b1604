import { defineConfig } from 'vitest/config'

/** The tools have no documentation whose examples run; everything else is as in the packages. */
export default defineConfig({
  resolve: { conditions: ['@x/source'] },
  ssr: { resolve: { conditions: ['@x/source'] } },
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.reports/test.json' }]],
  },
})
