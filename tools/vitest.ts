import { defineConfig } from 'vitest/config'
import { writeDocTests } from './doc-tests.ts'

interface PackageTestOptions {
  /** With `--coverage`, the run fails when the tests cover less than this percentage of the lines of `src`. */
  linesCovered: number
  /** Further Markdown files whose examples run too. */
  documents?: string[]
  /** Options of Node for the processes of the tests. */
  execArgv?: string[]
  /** Modules that are run once before all tests, such as `postgres-setup.ts`. */
  globalSetup?: string[]
}

/**
 * The test settings of every package: sources instead of builds, tests beside the code, the examples of the docs, type tests, and
 * a report to count.
 */
export function packageTests({ linesCovered, documents = [], execArgv = [], globalSetup = [] }: PackageTestOptions) {
  refuseUnknownNode()
  writeDocTests(process.cwd(), documents)
  return defineConfig({
    resolve: { conditions: ['@x/source'] },
    ssr: { resolve: { conditions: ['@x/source'] } },
    test: {
      globalSetup,
      execArgv,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts', '.doc-examples/*.test.ts'],
      typecheck: { enabled: true, include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
      // Long, for busy machines: growth tests measure time themselves.
      testTimeout: 60_000,
      reporters: ['default', ['json', { outputFile: '.reports/test.json' }]],
      coverage: {
        provider: 'v8',
        include: ['src/**/*.ts'],
        exclude: ['**/*.test.ts', '**/*.test-d.ts', '**/*.schema.ts', '**/generated/**'],
        reporter: [['text', { skipFull: true }]],
        thresholds: { lines: linesCovered },
      },
    },
  })
}

/** Turbo would take results of another Node for those of this one. */
function refuseUnknownNode(): void {
  const { TURBO_HASH, X_NODE_VERSION } = process.env
  if (TURBO_HASH !== undefined && X_NODE_VERSION !== process.version)
    throw new Error(
      `Turbo was not started by this repository's commands: use \`npm test\` or \`node tools/with-toolchain.mjs turbo …\`. (X_NODE_VERSION: expected ${process.version}, received ${X_NODE_VERSION}.)`,
    )
}
