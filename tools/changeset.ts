/**
 * Runs changesets. Before `version` it adds the packages that have to be released together with those that changed.
 *
 * @example npm run changeset
 * @example npm run changeset -- version
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { addDependents } from './dependents.ts'

const args = process.argv.slice(2)
if (args[0] === 'version') addDependents()
const { status } = spawnSync('changeset', args, {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
