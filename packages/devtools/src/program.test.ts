import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDatabase } from '@x/sqlite'
import { afterAll, expect, it } from 'vitest'
import { runDevtools } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-devtools-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the program, and ends it once it has printed an address. */
async function run(...argv: string[]) {
  const ended = new AbortController()
  let [printed, problem] = ['', '']
  const stdout = {
    write(text: string) {
      printed += text
      if (text.startsWith('http')) ended.abort()
    },
  }
  const stderr = { write: (text: string) => (problem += text) }
  const code = await runDevtools(argv, { stdout, stderr, cwd: folder, signal: ended.signal })
  return { code, printed, problem }
}

it('opens a file of SQLite and a folder, with and without an agent', async () => {
  ;(await openDatabase(join(folder, 'tasks.db'))).close()
  writeFileSync(join(folder, 'agent.mjs'), 'export const agentOf = () => ({})')
  for (const argv of [['tasks.db'], ['.'], ['tasks.db', 'agent.mjs']]) {
    const { code, printed, problem } = await run(...argv, '--port', '0')
    expect([code, problem]).toEqual([0, ''])
    expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/)
  }
})

it('shows help, and says what is wrong', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, printed: expect.stringContaining('Usage: devtools STORE') })
  writeFileSync(join(folder, 'empty.mjs'), 'export const other = 1')
  for (const [argv, code, message] of [
    [[], 2, 'Expected a store'],
    [['a', 'b', 'c'], 2, 'received a b c'],
    [['a', '--prt', '1'], 2, "'--prt'"],
    [['a', '--port', 'x'], 2, '--port: expected a number'],
    [['none.db'], 1, 'none.db: there is no file'],
    [['.', 'none.mjs'], 1, 'none.mjs'],
    [['.', 'empty.mjs'], 1, 'agentOf(run), found other'],
    [['empty.mjs'], 1, ''],
  ] as const)
    expect(await run(...argv)).toMatchObject({ code, problem: expect.stringContaining(message) })
})

it('is a page of less than 8 kB', () => {
  expect(gzipSync(readFileSync(new URL('../page/index.html', import.meta.url))).length).toBeLessThan(8000)
})
