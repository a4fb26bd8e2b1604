#!/usr/bin/env node
/**
 * Writes `src/generated/` of packages from the schemas in their `*.schema.ts` files. Rejects schemas that ajv rejects in strict mode,
 * and keywords that models do not support. `--check` writes nothing, and fails if a file is not up to date.
 *
 * @example x-codegen                      (the package of this folder)
 * @example x-codegen --check packages/a packages/b
 */
import { runCommand } from './run-command.ts'

process.exitCode = await runCommand(process.argv.slice(2), console)
