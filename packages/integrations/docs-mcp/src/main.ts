#!/usr/bin/env node
/**
 * Starts the program. See `--help`.
 *
 * @example docs-mcp docs/
 */
import process from 'node:process'
import { run } from './program.ts'

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())

const { argv, stdin, stdout, stderr, env, platform } = process
const cwd = process.cwd()
process.exitCode = await run(argv.slice(2), { stdin, stdout, stderr, env, platform, cwd, signal: controller.signal })
