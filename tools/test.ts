/**
 * The whole check of this repository: generated files, builds, types, lint, tests, sizes, conformance, a run without `eval`.
 * Ends with `N passed, N failed`, where every test, conformance case, budget and step counts once.
 *
 * @example npm test
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const count = { passed: 0, failed: 0 }
const failures: string[] = []

interface Step {
  name: string
  command: string
  args: string[]
  /** Its output ends with a line of counts, which are taken over. */
  counts?: boolean
}

/** Runs a step and counts it: as one check, or by the counts that it prints. */
function run({ name, command, args, counts = false }: Step): void {
  const started = performance.now()
  console.log(`\n— ${name}`)
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', counts ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (counts) process.stdout.write(stdout ?? '')
  const found = counts ? /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(stdout ?? '') : null
  const passed = found ? Number(found[1]) : status === 0 ? 1 : 0
  const failed = found ? Number(found[2]) + Number(found[3] ?? 0) : status === 0 ? 0 : 1
  count.passed += passed
  count.failed += failed || (status === 0 ? 0 : 1)
  if (failed > 0 || status !== 0) failures.push(`${name}${error ? `: ${error.message}` : ''}`)
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Adds what the test runs of the packages reported. */
function addReports(): void {
  for (const path of globSync('{tools,{packages,packages/integrations,examples}/*}/.reports/test.json', {
    cwd: root,
  })) {
    const { numPassedTests, numFailedTests, numPendingTests, success } = JSON.parse(
      readFileSync(join(root, path), 'utf8'),
    )
    const failed = numFailedTests + numPendingTests || (success ? 0 : 1)
    count.passed += numPassedTests
    count.failed += failed
    console.log(`  ${dirname(dirname(path)).padEnd(28)} ${numPassedTests} passed, ${failed} failed`)
    if (failed > 0) failures.push(`tests of ${path}`)
  }
}

const node = process.execPath
const tasks = ['codegen:check', 'build', 'typecheck', 'doc-types', 'api:check', 'test', 'test:no-eval']
run({
  name: `turbo: ${tasks.join(', ')}`,
  command: 'turbo',
  args: [
    'run',
    ...tasks,
    '--continue',
    '--output-logs=errors-only',
    '--no-update-notifier',
    `--concurrency=${Math.max(2, availableParallelism())}`,
  ],
})
addReports()
run({ name: 'biome: format and lint', command: 'biome', args: ['check', '--error-on-warnings', '--reporter=summary'] })
run({ name: 'no dead exports', command: 'knip', args: ['--no-progress', '--no-config-hints'] })
run({ name: 'circles and layers', command: node, args: ['tools/layers.ts'], counts: true })
run({ name: 'inputs of cached tests', command: node, args: ['tools/turbo-inputs.ts'], counts: true })
run({ name: 'lengths', command: node, args: ['tools/lengths.ts'], counts: true })
run({ name: 'names of the interface', command: node, args: ['tools/interface.ts'], counts: true })
run({ name: 'documentation in editors', command: node, args: ['tools/hovers.ts'], counts: true })
run({ name: 'sizes', command: node, args: ['tools/sizes.ts'], counts: true })
run({ name: 'classes that nobody imports', command: node, args: ['tools/shaking.ts'], counts: true })
run({ name: 'manifests', command: node, args: ['tools/manifests.ts'], counts: true })
run({ name: 'published form', command: node, args: ['tools/published.ts'], counts: true })
run({ name: 'oldest and newest TypeBox', command: node, args: ['tools/typebox-versions.ts'], counts: true })
run({ name: 'examples in the oldest TypeScript', command: node, args: ['tools/oldest-typescript.ts'], counts: true })
run({ name: 'built packages in a browser', command: node, args: ['tools/browser.ts'], counts: true })
run({ name: 'components of your own, from tarballs', command: node, args: ['tools/outsider.ts'], counts: true })
run({ name: '@x/docs-mcp, from tarballs', command: node, args: ['tools/docs-mcp.ts'], counts: true })
run({ name: 'release rehearsal', command: node, args: ['tools/release-rehearsal.ts'], counts: true })
const started = process.env['X_STARTED_WITH'] ?? node
run({ name: 'built packages in the Node that was started', command: started, args: ['tools/smoke.mjs'], counts: true })
run({
  name: 'the same where code from text is forbidden',
  command: started,
  args: ['--disallow-code-generation-from-strings', 'tools/smoke.mjs'],
  counts: true,
})
run({ name: 'agents that are killed', command: node, args: ['tools/kill-rounds/main.ts'], counts: true })
run({ name: 'conformance', command: node, args: ['tools/conformance/main.ts'], counts: true })
// The corpus is other people's text: it is checked where it lies beside the checkout.
const corpus = join(root, '..', 'shared', 'corpus')
if (existsSync(corpus)) run({ name: 'corpus', command: node, args: ['tools/corpus.ts', corpus], counts: true })

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 ? 0 : 1
