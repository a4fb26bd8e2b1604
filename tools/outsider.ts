/**
 * Refuses packages that do not work for a package outside of this repository: packs them, installs the tarballs beside a copy of
 * `examples/own-components`, checks that under `strict` with the oldest and the newest supported TypeScript, compiles it, and runs its
 * tests in plain Node. Needs built packages. The registry is asked for TypeScript alone; npm's cache serves repeated runs.
 *
 * @example npm run outsider
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBeside } from './command.ts'
import { installProject, packedIn, packWithDependencies } from './packed.ts'

/** The oldest TypeScript that the declarations of the packages are written for, and the newest one. */
const typescriptVersions = ['5.4.5', '7.0.2']
const root = join(import.meta.dirname, '..')
const example = join(root, 'examples', 'own-components')

/** Installs the tarballs and a TypeScript in a folder of their own, with a copy of the example. */
async function install(folder: string, tarballs: Record<string, string>, typescript: string): Promise<void> {
  mkdirSync(folder)
  for (const part of ['src', 'test']) cpSync(join(example, part), join(folder, part), { recursive: true })
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
  await installProject(folder, tarballs, { typescript, '@types/node': '20.19.0' })
}

/** Checks, compiles and tests the example; returns how many tests passed and failed, the compilation counting as one. */
async function trial(folder: string, typescript: string): Promise<{ passed: number; failed: number }> {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  const compiled = await runBeside(process.execPath, [tsc, '-p', 'tsconfig.json'], folder)
  if (compiled.status !== 0) console.log(`TypeScript ${typescript}:\n${compiled.output}`)
  const tests = await runBeside(process.execPath, ['--test', '--test-reporter=tap', 'out/test/'], folder)
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
  const tarballs = await packWithDependencies(example, packedIn(folder))
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
