import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mustRun, runBeside, runCommand, spawnArguments } from './command.ts'

it('starts a command of a package through a shell on Windows, and a path without one', () => {
  expect(spawnArguments('turbo', ['run', 'a b', 'say "hi"'], 'win32')).toEqual({
    command: 'turbo',
    args: ['run', '"a b"', '"say \\"hi\\""'],
    shell: true,
  })
  expect(spawnArguments('C:\\node.exe', ['a b'], 'win32')).toMatchObject({ args: ['a b'], shell: false })
  expect(spawnArguments('turbo', ['a b'], 'linux')).toMatchObject({ args: ['a b'], shell: false })
})

it('returns what a program prints and how it ends', async () => {
  const code = "console.log('out'); console.error('err'); process.exitCode = 3"
  expect(runCommand(process.execPath, ['-e', code], { quiet: true })).toEqual({
    status: 3,
    stdout: 'out\n',
    output: 'out\nerr\n',
  })
  expect(await runBeside(process.execPath, ['-e', code], '.')).toMatchObject({ status: 3 })
  await expect(mustRun(process.execPath, ['-e', code], '.')).rejects.toThrow('err')
})

it('says why a program does not start, and counts that as a failure', async () => {
  const missing = 'there-is-no-such-program'
  expect(runCommand(missing, [], { quiet: true })).toMatchObject({
    status: 1,
    output: expect.stringContaining(missing),
  })
  expect(await runBeside(missing, [], '.')).toMatchObject({ status: 1, output: expect.stringContaining(missing) })
})

it('is the only way in which a tool starts a program by its name', () => {
  const byName = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*(?:'(?!git|tar)[^'/]+'|command\b)/
  const found = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (path) =>
      !/^command(\.test)?\.ts$/.test(path) && byName.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
  )
  expect(found).toEqual([])
})
