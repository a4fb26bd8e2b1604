/**
 * Refuses packages that do not serve a package outside of this repository: packs them, installs the tarballs beside a copy of
 * `examples/own-components`, checks that under `strict` with the oldest and the newest supported TypeScript, compiles it, and runs its
 * tests in plain Node. Needs built packages. The registry is asked for TypeScript alone; npm's cache serves repeated runs.
 *
 * @example npm run outsider
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolders } from './packages.ts'

/** The oldest TypeScript that the declarations of the packages are written for, and the newest one. */
const typescriptVersions = ['5.4.5', '7.0.2']
const root = join(import.meta.dirname, '..')
const example = join(root, 'examples', 'own-components')
const windows = process.platform === 'win32'
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

interface Result {
  status: number | null
  output: string
}

/** Runs a program to its end. */
function run(command: string, args: readonly string[], cwd: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, shell: windows })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}

async function mustRun(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { status, output } = await run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** The tarballs of what the example depends on, directly or not, by package name. */
async function pack(target: string): Promise<Record<string, string>> {
  const folders = new Map(packageFolders().map((folder) => [read(join(folder, 'package.json')).name as string, folder]))
  const wanted = new Set<string>()
  const want = (manifest: { dependencies?: Record<string, string> }): void => {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const folder = folders.get(name)
      if (folder === undefined || wanted.has(name)) continue
      wanted.add(name)
      want(read(join(folder, 'package.json')))
    }
  }
  want(read(join(example, 'package.json')))
  const names = [...wanted]
  await Promise.all(names.map((name) => mustRun('pnpm', ['pack', '--pack-destination', target], folders.get(name)!)))
  const tarballs = readdirSync(target)
  const tarballOf = (name: string) => tarballs.find((file) => file.startsWith(`${name.slice(1).replace('/', '-')}-`))
  return Object.fromEntries(names.map((name) => [name, `file:${join(target, tarballOf(name)!)}`]))
}

/** Installs the tarballs and a TypeScript in a folder of their own, with a copy of the example. */
async function install(folder: string, tarballs: Record<string, string>, typescript: string): Promise<void> {
  mkdirSync(folder)
  for (const part of ['src', 'test']) cpSync(join(example, part), join(folder, part), { recursive: true })
  const devDependencies = { typescript, '@types/node': '20.19.0' }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'outsider', private: true, type: 'module', dependencies: tarballs, devDependencies }),
  )
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src', 'test'] }))
  await mustRun('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'], folder)
}

/** Checks, compiles and tests the example; returns how many tests passed and failed, the compilation counting as one. */
async function trial(folder: string, typescript: string): Promise<{ passed: number; failed: number }> {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  const compiled = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], folder)
  if (compiled.status !== 0) console.log(`TypeScript ${typescript}:\n${compiled.output}`)
  const tests = await run(process.execPath, ['--test', '--test-reporter=tap', 'out/test/'], folder)
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(tests.output)?.[1] ?? 0)
  const failed = count('fail') + (compiled.status === 0 ? 0 : 1)
  const passed = count('pass') + (compiled.status === 0 ? 1 : 0)
  if (count('fail') > 0 || passed < 2) console.log(`Compiled by TypeScript ${typescript}:\n${tests.output}`)
  return { passed, failed: failed || (tests.status === 0 && passed > 1 ? 0 : 1) }
}

const folder = mkdtempSync(join(tmpdir(), 'x-outsider-'))
let passed = 0
let failed = 0
try {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const tarballs = await pack(packed)
  for (const typescript of typescriptVersions) {
    const place = join(folder, `typescript-${typescript}`)
    await install(place, tarballs, typescript)
    const counts = await trial(place, typescript)
    passed += counts.passed
    failed += counts.failed
    console.log(`own components with TypeScript ${typescript}: ${counts.passed} passed, ${counts.failed} failed`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`outsider: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
