import { defineConfig } from 'vitest/config'

/** The test settings of every package: sources instead of builds, tests beside the code, type tests, a report to count. */
export function packageTests() {
  return defineConfig({
    resolve: { conditions: ['@x/source'] },
    ssr: { resolve: { conditions: ['@x/source'] } },
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      typecheck: { enabled: true, include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
      reporters: ['default', ['json', { outputFile: '.reports/test.json' }]],
    },
  })
}
