/**
 * Runs the checks of this repository as cached tasks: what did not change since a run is not run again. Ends with `N passed, N failed`,
 * where every test, conformance case and budget counts once, and a check without any of them as one. With `CI` set, up to three tasks that
 * failed run once more, without other work beside them; what then passes is named at the end.
 *
 * @example npm test
 * @example npm test -- postprocessors   (a package, and what depends on it)
 * @example npm run test:system
 * @example npm run test:nightly
 */
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import './code.ts'
import { runCommand } from './command.ts'

const root = join(import.meta.dirname, '..')
/** The tasks of `npm test`: what a person runs before a commit. */
const test = [
  'typecheck',
  'doc-types',
  'lint',
  'build',
  'test',
  'conformance',
  'names',
  'sizes',
  'visited',
  'hovers',
  'interface',
  'manifests',
  'skills',
]
/** The tasks of `npm run test:system`: what starts servers, browsers, registries or other programs, kills processes, or measures time. */
const system = [
  'test:system',
  'doc-types:lowest',
  'typebox-versions',
  'shaking',
  'published',
  'browser',
  'outsider',
  'ask',
  'create',
  'docs-mcp',
  'site',
  'release:rehearse',
  'smoke',
  'smoke:no-eval',
  'kill-rounds',
]
/** The tasks of `npm run test:nightly`: every test with all of its cases and rounds, with the coverage of the lines. */
const nightly = ['test:nightly', 'create:next']
const phases: Readonly<Record<string, string[]>> = { test, system, nightly }
const [kind, ...others] = process.argv.slice(2)
const phase = kind !== undefined && kind in phases ? kind : 'test'
const packages = kind === undefined || kind === phase ? others : [kind, ...others]
const tasks = phases[phase]!
/** Other people's text, checked if it is in a folder beside the checkout. */
const corpus = join(root, '..', 'shared', 'corpus')
if (phase === 'system' && existsSync(corpus)) tasks.push('corpus')

interface Task {
  taskId: string
  task: string
  command: string
  directory: string
  execution?: { exitCode: number | null; startTime: number; endTime: number }
  cache: { status: 'HIT' | 'MISS' }
}

/** The numbers of a report, by vitest or by `counted.ts`. Tests that a filter leaves out are pending; others must not be skipped. */
function countsOf(path: string): { passed: number; failed: number } {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  if (report.passed !== undefined) return report
  return { passed: report.numPassedTests, failed: report.numFailedTests || (report.success ? 0 : 1) }
}

for (const path of globSync(`{tools,{packages,packages/integrations,examples}/*}/.reports/${phase}`, { cwd: root }))
  rmSync(join(root, path), { recursive: true })
const known = new Set(
  globSync('{packages,packages/integrations}/*/package.json', { cwd: root }).map((path) => path.split(/[\\/]/).at(-2)),
)
for (const name of packages.filter((name) => !known.has(name))) {
  console.error(`There is no package ${name}. Known are: ${[...known].sort().join(', ')}.`)
  process.exit(1)
}
/** Runs tasks of turbo, and returns what happened to each of them and to those that they need. */
function run(names: readonly string[], ...options: string[]): Task[] {
  const runs = join(root, '.turbo', 'runs')
  const before = new Set(existsSync(runs) ? readdirSync(runs) : [])
  // Hundreds of programs start from the same files, which Node compiles once. Those that are killed do not keep what they have compiled.
  const compiled = mkdtempSync(join(tmpdir(), 'x-compiled-'))
  const common = ['--continue', '--summarize', '--output-logs=errors-only', '--no-update-notifier']
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  if (phase !== 'test') compileSources(env)
  runCommand('turbo', ['run', ...names, ...common, ...options], { cwd: root, env })
  rmSync(compiled, { recursive: true, force: true })
  const summary = readdirSync(runs).find((name) => !before.has(name))
  if (summary === undefined) throw new Error('turbo wrote no summary')
  const { tasks } = JSON.parse(readFileSync(join(runs, summary), 'utf8'))
  rmSync(join(runs, summary))
  return tasks
}

/** Loads all packages from their sources in one process, which keeps what it has compiled. */
function compileSources(env: NodeJS.ProcessEnv): void {
  const entries = globSync('{packages,packages/integrations}/*/src/index.ts', { cwd: root })
  const code = entries.map(
    (path) => `await import(${JSON.stringify(`./${path.replaceAll('\\', '/')}`)}).catch(() => {})`,
  )
  const args = ['--conditions=@x/source', '--input-type=module', '--eval', code.join('\n')]
  runCommand(process.execPath, args, { cwd: root, env, quiet: true })
}

const failed = ({ execution, command }: Task) => command !== '<NONEXISTENT>' && execution?.exitCode !== 0
// Tests wait for timers and servers: two more tasks keep the processors busy.
const concurrency = Math.max(2, availableParallelism()) + 2
const filters = packages.map((name) => `--filter=...@x/${name}`)
let ran = run(tasks, ...filters, `--concurrency=${concurrency}`)
const first = ran.filter(failed)
const again = process.env['CI'] && first.length <= 3 ? first.map(({ taskId }) => taskId) : []
if (again.length > 0) {
  console.log(`\nOnce more, alone:\n${again.map((name) => `  ${name}`).join('\n')}\n`)
  const second = run(again, '--concurrency=1')
  ran = ran.map((task) => second.find(({ taskId }) => again.includes(taskId) && taskId === task.taskId) ?? task)
}

const count = { passed: 0, failed: 0 }
const failures: string[] = []
for (const { taskId, task, command, directory, execution } of ran) {
  if (command === '<NONEXISTENT>') continue
  const report = join(root, directory, '.reports', phase, `${/^test(:\w+)?$/.test(task) ? 'vitest' : task}.json`)
  const ok = execution?.exitCode === 0
  const found = existsSync(report) ? countsOf(report) : { passed: ok ? 1 : 0, failed: 0 }
  count.passed += found.passed
  count.failed += ok ? found.failed : found.failed || 1
  if (!ok || found.failed > 0) failures.push(taskId)
}
const seconds = ({ execution }: Task) => Math.round(((execution?.endTime ?? 0) - (execution?.startTime ?? 0)) / 1000)
const slowest = ran.filter(({ cache }) => cache.status === 'MISS').sort((a, b) => seconds(b) - seconds(a))
const lines = slowest.slice(0, 12).map((task) => `  ${String(seconds(task)).padStart(4)} s  ${task.taskId}`)
if (lines.length > 0) console.log(`\nSlowest:\n${lines.join('\n')}`)
const passedAlone = again.filter((name) => !failures.includes(name))
if (passedAlone.length > 0)
  console.log(`\nFailed beside other work, passed alone:\n${passedAlone.map((name) => `  ${name}`).join('\n')}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1
