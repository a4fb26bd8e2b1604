/**
 * Refuses what the linters of this repository refuse: format, lint, circles of imports, long files and functions (Biome), dead exports
 * (knip), imports against the layers of folders, and cached tasks whose inputs are incomplete.
 *
 * @example npm run lint
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const checks: [command: string, ...args: string[]][] = [
  ['biome', 'check', '--error-on-warnings', '--reporter=summary'],
  ['knip', '--no-progress', '--no-config-hints'],
  ['node', 'tools/layers.ts'],
  ['node', 'tools/turbo-inputs.ts'],
]

/** Runs a program to its end and prints what it printed, if it failed. */
function run([command, ...args]: [string, ...string[]]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const shell = process.platform === 'win32'
  const child = spawn(command, args, { cwd: join(import.meta.dirname, '..'), shell })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  child.on('error', ({ message }) => (text += message))
  child.on('close', (status) => {
    if (status !== 0) console.log(`${command} ${args.join(' ')}\n${text}`)
    resolve(status === 0)
  })
  return promise
}

const results = await Promise.all(checks.map(run))
const passed = results.filter(Boolean).length
console.log(`lint: ${passed} passed, ${results.length - passed} failed`)
process.exitCode = passed === results.length ? 0 : 1
