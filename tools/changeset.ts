/**
 * Runs changesets. Before `version` it adds the packages that have to be released together with those that changed.
 *
 * @example npm run changeset
 * @example npm run changeset -- version
 */
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { addDependents } from './dependents.ts'

const args = process.argv.slice(2)
if (args[0] === 'version') addDependents()
process.exitCode = runCommand('changeset', args, { cwd: join(import.meta.dirname, '..') }).status
