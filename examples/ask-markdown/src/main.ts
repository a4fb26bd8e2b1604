/**
 * @module
 * Starts the program in a terminal. `--help` says how to use it.
 */
import { fileURLToPath } from 'node:url'
import { ask } from './ask.ts'

const controller = new AbortController()
// The first Ctrl-C lets the run end in order, the second ends it at once.
process.once('SIGINT', () => controller.abort())

// Who reads may stop reading: npm start | head -3
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

process.exitCode = await ask(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  // npm runs scripts in the folder of the project; INIT_CWD is where the user stands.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  project: fileURLToPath(new URL('../../..', import.meta.url)),
  signal: controller.signal,
})
