#!/usr/bin/env node
/**
 * Starts the program. See `--help`.
 *
 * @example migrate ./storage --to sqlite:app.db --check "How large may a request be?"
 */
import process from 'node:process'
import { run } from './program.ts'

process.exitCode = await run(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  report: (line) => process.stderr.write(`${line}\n`),
})
