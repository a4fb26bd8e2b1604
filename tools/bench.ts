/**
 * Runs benchmarks against their peers, which are installed into `benchmarks/` on first use. Without a name, runs all of them.
 * They run on the pinned Node. With `--write`, suites that compare with peers write their figures, from which
 * `docs/benchmarks.md` and its pictures are made.
 *
 * @example npm run bench
 * @example npm run bench -- node-parser
 * @example npm run bench -- agents --write
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { readFigures, renderFigures, WRITE } from './figures.ts'

const folder = join(import.meta.dirname, '..', 'benchmarks')
const known = readFigures().map(({ suite }) => suite)
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

let failed = 0
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n${name}`)
  const args = ['--conditions=@x/source', join(folder, `${name}.ts`), ...data]
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed += 1
}
if (values.write) renderFigures()
process.exitCode = failed === 0 ? 0 : 1
