#!/usr/bin/env node
/**
 * Starts the program. See `--help`.
 *
 * @example ask docs/ "How large may a request be?"
 */
import process from 'node:process'
import { run } from './program.ts'

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())

const { argv, stdin, stdout, stderr, env, platform } = process
process.exitCode = await run(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  platform,
  // npm runs scripts in the folder of the project; INIT_CWD is the folder of the user.
  cwd: env['INIT_CWD'] ?? process.cwd(),
  standard: process.cwd(),
  signal: controller.signal,
})
// A prompt may have left the standard input open.
stdin.destroy()
