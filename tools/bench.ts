/**
 * Runs benchmarks beside their peers, which are installed on first use into `benchmarks/`; without a name, runs all.
 *
 * @example npm run bench
 * @example npm run bench -- node-parser
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'benchmarks')
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(`${unknown}: no such benchmark. There are: ${known.join(', ')}.`)
  process.exit(2)
}

if (!existsSync(join(folder, 'node_modules', '.modules.yaml'))) {
  console.log('Installing the peers (once) …')
  const { status } = spawnSync('pnpm', ['install', '--frozen-lockfile'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

let failed = 0
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, ['--conditions=@x/source', join(folder, `${name}.ts`)], {
    stdio: 'inherit',
  })
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
