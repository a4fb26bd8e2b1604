/**
 * @module
 * Starts the program in a terminal. See `npm start help`.
 */
import { fileURLToPath } from 'node:url'
import { ask, OutputClosedError } from './ask.ts'

const controller = new AbortController()
// The first Ctrl-C cancels the run; the second one ends the process at once.
process.once('SIGINT', () => controller.abort())

// The reader may close the pipe: npm start | head -3
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  controller.abort(new OutputClosedError())
})

process.exitCode = await ask(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  // npm runs scripts in the folder of the project; INIT_CWD is the folder of the user.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  project: fileURLToPath(new URL('../../..', import.meta.url)),
  signal: controller.signal,
})
