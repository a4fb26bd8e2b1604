/**
 * Runs benchmarks against their peers, which are installed into `benchmarks/` on first use. Without a name, runs all of them.
 * Benchmarks that depend on the version of Node run on the pinned Node, on Node 22, which is installed with the peers (Linux and macOS),
 * and on the Node that started the command. With `--write`, suites that compare with peers write their figures, from which
 * `docs/benchmarks.md` and its pictures are made.
 *
 * @example npm run bench
 * @example npm run bench -- node-parser
 * @example npm run bench -- agents --write
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { runCommand } from './command.ts'
import { renderFigures, WRITE } from './figures.ts'

const folder = join(import.meta.dirname, '..', 'benchmarks')
const known = readdirSync(join(folder, 'figures')).map((name) => name.slice(0, -'.json'.length))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rerank: { type: 'string' }, write: { type: 'boolean' } },
})
const wanted = positionals.filter((argument) => !argument.includes('/'))
/** Paths of data and the model, for the benchmarks that take some. */
const data = positionals.filter((argument) => argument.includes('/'))
if (values.rerank !== undefined) data.push('--rerank', values.rerank)
if (values.write) process.env[WRITE] = '1'
const unknown = wanted.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(`${unknown}: no such benchmark. There are: ${known.join(', ')}.`)
  process.exit(2)
}

const modules = join(folder, 'node_modules')
if (!existsSync(join(modules, '.modules.yaml'))) console.log('Installing the peers (once) …')
const install = ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn']
const { status } = runCommand('pnpm', install, { cwd: folder })
if (status !== 0) process.exit(status)

/** Chains of promises are slower where async contexts are implemented by hooks, as in Node 20 and 22. */
const perNode = ['agents']
const nodes = new Map<string, string>()
const withPeers = readdirSync(modules).flatMap((name) =>
  name.startsWith('node-') ? [join(modules, name, 'bin', 'node')] : [],
)
for (const node of [process.execPath, ...withPeers, process.env['X_STARTED_WITH'] ?? process.execPath]) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  if (version && !nodes.has(version)) nodes.set(version, node)
}
let failed = 0

function run(version: string, args: string[]): void {
  console.log(`Node ${version}`)
  // The figures are those of the pinned Node.
  const { [WRITE]: write, ...others } = process.env
  const env = version === process.version ? process.env : others
  if (spawnSync(nodes.get(version)!, args, { stdio: 'inherit', env }).status !== 0) failed += 1
}

for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n${name}`)
  const source = join(folder, `${name}.ts`)
  run(process.version, ['--conditions=@x/source', source, ...data])
  if (!perNode.includes(name)) continue
  // An older Node cannot read TypeScript.
  const outfile = join(folder, `${name}.bundle.mjs`)
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    conditions: ['@x/source'],
    external: ['llamaindex', 'ai'],
    // Some peers are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  for (const version of nodes.keys()) if (version !== process.version) run(version, [outfile])
  rmSync(outfile)
}
if (values.write) renderFigures()
process.exitCode = failed === 0 ? 0 : 1
