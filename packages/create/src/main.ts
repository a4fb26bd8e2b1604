#!/usr/bin/env node
/**
 * Starts the program. See `--help`.
 *
 * @example npm create @x my-app -- --template chat
 */
import process from 'node:process'
import { createProject } from './program.ts'

const { argv, stdin, stdout, stderr, env } = process
process.exitCode = await createProject(argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() })
