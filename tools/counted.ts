/**
 * Runs a check and writes what it counted for `test.ts`: the numbers of its last line, `N passed, N failed`, or itself as one check.
 *
 * `started-node` is the Node that a newcomer has.
 *
 * @example node counted.ts test node sizes.ts
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnArguments } from './command.ts'

const [phase, command, ...args] = process.argv.slice(2)
const name = process.env['npm_lifecycle_event'] ?? args.at(-1)!
const program = command === 'started-node' ? (process.env['X_STARTED_WITH'] ?? process.execPath) : command!
const start = spawnArguments(program, args)
const child = spawn(start.command, start.args, { stdio: ['ignore', 'pipe', 'inherit'], shell: start.shell })
let end = ''
child.stdout.on('data', (text: Buffer) => {
  process.stdout.write(text)
  end = (end + text).slice(-1000)
})
child.on('error', (error) => {
  console.log(`${command}: ${error.message}`)
  process.exitCode = 1
})
child.on('close', (status) => {
  const found = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(end)
  const passed = found ? Number(found[1]) : status === 0 ? 1 : 0
  const failed = found ? Number(found[2]) + Number(found[3] ?? 0) : status === 0 ? 0 : 1
  const folder = join('.reports', phase!)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ passed, failed }))
  if (status !== 0 || failed > 0) process.exitCode = 1
})
