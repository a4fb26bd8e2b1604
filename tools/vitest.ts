import { defineConfig } from 'vitest/config'
import { writeDocExamples } from './doc-examples.ts'

/**
 * The test settings of every package: sources instead of builds, tests beside the code, the examples of the docs, type tests, and
 * a report to count. `documents` are further Markdown files whose examples run too.
 */
export function packageTests({ documents = [] }: { documents?: string[] } = {}) {
  writeDocExamples(process.cwd(), documents)
  return defineConfig({
    resolve: { conditions: ['@x/source'] },
    ssr: { resolve: { conditions: ['@x/source'] } },
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts', '.doc-examples/*.test.ts'],
      typecheck: { enabled: true, include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
      // Whatever else the machine does: how time grows is measured in the tests themselves.
      testTimeout: 60_000,
      reporters: ['default', ['json', { outputFile: '.reports/test.json' }]],
    },
  })
}
