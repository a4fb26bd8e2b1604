#!/usr/bin/env node
/**
 * Starts the program. See `--help`.
 *
 * @example npx @x/devtools tasks.db agent.ts
 */
import process from 'node:process'
import { runDevtools } from './program.ts'

const ended = new AbortController()
process.once('SIGINT', () => ended.abort())
process.once('SIGTERM', () => ended.abort())
const { argv, stdout, stderr } = process
process.exitCode = await runDevtools(argv.slice(2), { stdout, stderr, cwd: process.cwd(), signal: ended.signal })
