import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { writeDocTests } from './doc-tests.ts'

/** What differs between the tests of packages. */
export interface PackageTestOptions {
  /** `npm run test:nightly` fails when the tests cover less than this percentage of the lines of `src`. */
  linesCovered: number
  /** Further Markdown files whose examples run too. */
  documents?: string[]
  /** Those whose examples need a server of `globalSetup`. They run with the tests of the system. */
  systemDocuments?: string[]
  /** Modules that are run once before the tests of the system, such as `postgres-server.ts`. */
  globalSetup?: string[]
  /**
   * Whether `npm test` runs without `eval` and `new Function`, as under a strict content security policy or in edge workers. Tests that
   * need them, such as comparisons with ajv, have the tag `system`.
   */
  withoutEval?: boolean
  /** Modules that each file of tests loads first. */
  setupFiles?: string[]
  /** Environment variables that examples read. */
  env?: Record<string, string>
  /** Milliseconds. @defaultValue a minute, for busy machines */
  testTimeout?: number
  /** Two for tests that wait for servers, processes and timers for most of their time. @defaultValue 1 beside other tasks */
  maxWorkers?: number
}

/** Tests that `npm test` leaves to `npm run test:system`. A file has the first one by a comment: `// @module-tag system`. */
const tags = [
  { name: 'system', description: 'Starts servers, browsers or other programs, or kills processes.' },
  { name: 'growth', description: 'Measures how time grows with the input.', timeout: 120_000 },
  { name: 'nightly', description: 'Takes minutes. `npm run test:nightly` runs everything, with these.' },
]

/**
 * How long `expect.poll` waits: a second, the default, is short for servers and processes on a machine with other work. In the tests of
 * units it looks again after 10 ms: thousands of polls wait for half of the default of 50 ms.
 */
const patience = (mode: string) => ({ poll: { timeout: 20_000, interval: mode === 'unit' ? 10 : 50 } })

/**
 * Node imports tests and sources, and keeps what it has compiled for all packages in the `NODE_COMPILE_CACHE` of `test.ts`. Vite would
 * transform every source again for each package and mode, which takes 2 s of processor time.
 */
const importedByNode = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--conditions=@x/source'],
}

const temporaryFolder = fileURLToPath(new URL('temporary-folder.ts', import.meta.url))

/**
 * The test settings of every package: sources instead of builds, tests beside the code, the examples of the docs, and a report to count.
 * Types are checked by `typecheck.ts`, those of `*.test-d.ts` too. `--mode unit` leaves out the tests of the system; `--mode system` runs
 * them alone, and `--mode ci` both, without those that take minutes. `--mode nightly` runs everything; so does `vitest run` without a mode.
 */
export function packageTests({
  linesCovered,
  documents = [],
  systemDocuments = [],
  globalSetup = [],
  withoutEval = false,
  env = {},
  setupFiles = [],
  testTimeout = 60_000,
  maxWorkers,
}: PackageTestOptions) {
  refuseUnknownNode()
  return defineConfig(({ mode }) => {
    const report = join('.reports', reportFolder(mode), 'vitest.json')
    // A run that ends early must not leave the report of the run before.
    rmSync(report, { force: true })
    writeDocTests(process.cwd(), mode, {
      documents: [...(mode === 'system' ? [] : documents), ...(mode === 'unit' ? [] : systemDocuments)],
      own: mode !== 'system',
    })
    return {
      resolve: { conditions: ['@x/source'] },
      ssr: { resolve: { conditions: ['@x/source'] } },
      test: {
        ...filesOf(mode),
        tags,
        allowOnly: false,
        // Four times as fast. A test that changes a global value restores it.
        isolate: false,
        // Vitest itself needs `eval` to start without Vite.
        ...(withoutEval
          ? mode === 'unit' && { execArgv: ['--disallow-code-generation-from-strings'] }
          : importedByNode),
        env,
        setupFiles,
        globalSetup: [temporaryFolder, ...(mode === 'unit' ? [] : globalSetup)],
        testTimeout,
        ...(maxWorkers !== undefined && { maxWorkers }),
        expect: patience(mode),
        // A browser or a server starts in a hook, which `retry` does not repeat.
        hookTimeout: 120_000,
        // Real servers, processes and timers, on machines with other work: one that fails twice has a fault.
        retry: 1,
        reporters: ['default', ['json', { outputFile: report }]],
        coverage: {
          provider: 'v8' as const,
          include: ['src/**/*.ts'],
          exclude: ['**/*.test.ts', '**/*.test-d.ts', '**/*.schema.ts', '**/generated/**'],
          reporter: [['text', { skipFull: true }]] as [['text', object]],
          thresholds: { lines: linesCovered },
        },
      },
    }
  })
}

/** Those of the tools, which have no documentation whose examples run; everything else is as in the packages. */
export function toolTests() {
  return defineConfig(({ mode }) => ({
    resolve: { conditions: ['@x/source'] },
    ssr: { resolve: { conditions: ['@x/source'] } },
    test: {
      ...filesOf(mode, ['**/*.test.ts']),
      isolate: false,
      tags,
      ...importedByNode,
      globalSetup: [temporaryFolder],
      // Long, for busy machines.
      testTimeout: 60_000,
      expect: patience(mode),
      hookTimeout: 120_000,
      retry: 1,
      reporters: ['default', ['json', { outputFile: `.reports/${reportFolder(mode)}/vitest.json` }]],
    },
  }))
}

/** The folder in `.reports` where `test.ts` looks for the results of a mode. */
const reportFolder = (mode: string): string => ({ unit: 'test', nightly: 'nightly' })[mode] ?? 'system'

/** Returns the files and the filter of a mode. Files without a test of the mode are not loaded. */
function filesOf(mode: string, files = ['src/**/*.test.ts', 'test/**/*.test.ts']) {
  const examples = `.doc-examples/${mode}/*.test.ts`
  if (mode === 'ci') return { include: [...files, examples], tagsFilter: ['!nightly'] }
  if (mode !== 'unit' && mode !== 'system') return { include: [...files, examples] }
  const has = (mark: RegExp) =>
    globSync(files, { exclude: ['**/node_modules'] }).filter((path) => mark.test(readFileSync(path, 'utf8')))
  if (mode === 'unit')
    return {
      include: [...files, examples],
      exclude: [...configDefaults.exclude, ...has(/@module-tag system/)],
      tagsFilter: ['!system && !growth && !nightly'],
    }
  return {
    include: [...has(/@module-tag system|tags: '(?:system|growth)'/), examples],
    tagsFilter: ['(system || growth) && !nightly'],
  }
}

/** Turbo would take results of another Node for those of this one. */
function refuseUnknownNode(): void {
  const { TURBO_HASH, X_NODE_VERSION } = process.env
  if (TURBO_HASH !== undefined && X_NODE_VERSION !== process.version)
    throw new Error(
      `Turbo was not started by this repository's commands: use \`npm test\` or \`node tools/with-toolchain.mjs turbo …\`. (X_NODE_VERSION: expected ${process.version}, received ${X_NODE_VERSION}.)`,
    )
}
