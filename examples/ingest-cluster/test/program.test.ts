import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { someOf } from '../../../tools/extent.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const start = (...args: string[]) =>
  spawn(process.execPath, ['--conditions=@x/source', main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

describe('the program', () => {
  const refused: [args: string[], message: string][] = [
    [['--documents', '0'], '--documents: expected an integer from 1 to 1000000, received 0.'],
    [['--documents', '1e9'], '--documents: expected an integer from 1 to 1000000, received 1e9.'],
    [['--workers', '51'], '--workers: expected an integer from 1 to 50, received 51.'],
    [['--rate', 'fast'], '--rate: expected an integer from 1 to 1000000, received fast.'],
    [['--engine', 'toString'], '--engine: expected dbos or restate, received toString.'],
    [['--workers', '1'], '--workers: expected at least 2, received 1: the last worker that is killed is not replaced.'],
    [['--nothing'], "Unknown option '--nothing'"],
  ]
  it.each(someOf(refused, 3))('refuses %j', async (args, message) => {
    const program = start(...args)
    const [stderr] = await Promise.all([text(program.stderr), once(program, 'exit')])
    expect(stderr).toBe(`ingest-cluster: ${message}\n`)
    expect(program.exitCode).toBe(1)
  })

  it.each(someOf(['restate', 'dbos'], 1))(
    'takes its workers along when it is killed (%s)',
    async (engine) => {
      // They have work for five seconds at least, and are killed as soon as they show progress.
      const program = start('--documents', '500', '--workers', '2', '--engine', engine)
      // Also after a time-out: otherwise the program would slow down the next attempt.
      onTestFinished(() => void program.kill('SIGKILL'))
      // The workers have the same standard error: it ends with the last of them.
      const closed = once(program.stderr.resume(), 'close')
      await once(program.stdout, 'data')
      program.kill('SIGKILL')
      await closed
    },
    120_000,
  )
})
