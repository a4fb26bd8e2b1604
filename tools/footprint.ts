/**
 * Prints the import time of each built package above that of an empty process, and for each package what an install of it brings, and
 * its disk space. Budgets are in docs/decisions/0003-size-budgets.md.
 *
 * @example npm run footprint
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mustRun } from './command.ts'
import { tarballOf } from './packed.ts'

const root = join(import.meta.dirname, '..')
/** The libraries. Commands are not imported, and may need a newer Node. */
const packages = globSync('*/package.json', { cwd: join(root, 'packages') })
  .filter((path) => !JSON.parse(readFileSync(join(root, 'packages', path), 'utf8')).bin)
  .map((path) => dirname(path))
  .sort()
const started = process.env['X_STARTED_WITH'] ?? process.execPath

/** Returns the milliseconds that a process takes to run a line of code. */
function time(code: string): number {
  const start = performance.now()
  const { status } = spawnSync(started, ['--input-type=module', '-e', code], { cwd: import.meta.dirname })
  if (status !== 0) throw new Error(`does not run: ${code}`)
  return performance.now() - start
}

/** Returns the median time of each line of code. Runs are interleaved, so that a busy machine slows down all of them. */
function medianTimes(codes: readonly string[], runs = 21): number[] {
  const rounds = Array.from({ length: runs }, () => codes.map(time))
  return codes.map((_, index) => {
    const times = rounds.map((round) => round[index]!).sort((a, b) => a - b)
    return times[Math.floor(runs / 2)]!
  })
}

const [empty, ...times] = medianTimes(['', ...packages.map((name) => `await import('@x/${name}')`)]) as [
  number,
  ...number[],
]
console.log(
  `import, beyond an empty process (${empty.toFixed(0)} ms), Node ${execFileSync(started, ['--version'], { encoding: 'utf8' }).trim()}`,
)
for (const [index, name] of packages.entries())
  console.log(`  @x/${name.padEnd(16)} ${(times[index]! - empty).toFixed(1).padStart(6)} ms`)

function sizeOf(folder: string): number {
  return globSync('**/*', { cwd: folder })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
}

/** Returns a package and all that it needs: dependencies, and peers that are not optional. */
function neededBy(modules: string, name: string, found: string[] = []): string[] {
  if (found.includes(name)) return found
  found.push(name)
  const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
  for (const next of [...Object.keys(dependencies), ...peers]) neededBy(modules, next, found)
  return found
}

const folder = mkdtempSync(join(tmpdir(), 'footprint-'))
try {
  const tarballs: Record<string, string> = {}
  for (const name of packages) {
    await mustRun('pnpm', ['pack', '--pack-destination', folder], join(root, 'packages', name))
    tarballs[`@x/${name}`] = tarballOf(folder, `@x/${name}`)
  }
  // The packed packages depend on each other by versions that only the tarballs have.
  const manifest = { private: true, dependencies: tarballs, overrides: tarballs }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await mustRun(
    'npm',
    ['install', '--omit=optional', '--omit=peer', '--no-audit', '--no-fund', '--loglevel=error'],
    folder,
  )
  const modules = join(folder, 'node_modules')
  console.log('install of a package with what it needs: packages, size, names')
  for (const name of packages) {
    const needed = neededBy(modules, `@x/${name}`)
    const size = needed.reduce((sum, one) => sum + sizeOf(join(modules, one)), 0)
    const others = needed.slice(1).map((one) => one.replace('@x/', ''))
    console.log(
      `  @x/${name.padEnd(16)} ${String(needed.length).padStart(3)} ${(size / 2 ** 20).toFixed(2).padStart(6)} MB  ${others.join(', ')}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
