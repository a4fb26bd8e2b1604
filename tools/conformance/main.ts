/**
 * Runs the language-neutral cases of `conformance/` against the built packages.
 *
 * @example npm run conformance
 * @example npm run conformance -- --area prompts
 * @example npm run conformance -- --case prompts/prompt.format/simple-1
 * @example npm run conformance -- path/to/more-cases
 */
import { join } from 'node:path'
import { loadArea } from './areas.ts'
import { runCommand } from './command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  defaultFolder: join(import.meta.dirname, '..', '..', 'conformance'),
  cwd: process.env['INIT_CWD'] ?? process.cwd(),
  loadArea,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
})
