import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineArea } from './case.ts'
import { runCommand } from './command.ts'

const area = defineArea([
  { upper: ({ text }: { text: string }) => ({ text: text.toUpperCase(), length: text.length }) },
])

const passing = {
  id: 'texts/upper/one',
  op: 'upper',
  given: { text: 'a' },
  expect: { value: { text: 'A', length: 1 } },
}
const failing = {
  id: 'texts/upper/two',
  op: 'upper',
  given: { text: 'b' },
  expect: { value: { text: 'C', length: 1 } },
}
const unknown = { id: 'texts/uper/one', op: 'uper', given: {}, expect: { throws: true } }

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-command-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command on a folder with these files. */
async function run(files: Record<string, unknown>, ...args: string[]) {
  const cases = mkdtempSync(join(folder, 'cases-'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cases, name), typeof content === 'string' ? content : JSON.stringify(content))
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCommand([cases, ...args], {
    defaultFolder: folder,
    cwd: folder,
    loadArea: async (name) => (name === 'texts' ? area : null),
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line.replaceAll(cases, 'DIR')),
  })
  return { code, printed, errors }
}

describe('the cases of a folder', () => {
  it('pass with exit code 0 and a closing line', async () => {
    expect(await run({ 'texts.json': { area: 'texts', cases: [passing] } })).toEqual({
      code: 0,
      printed: ['texts: 1 passed, 0 failed, 0 skipped', '1 passed, 0 failed, 0 skipped'],
      errors: [],
    })
  })

  it('belong to the area with the name of the file if it names no area', async () => {
    expect(await run({ 'texts.json': { cases: [passing] } })).toMatchObject({ code: 0 })
  })

  it('show a failure with its input and its differences', async () => {
    const { code, printed } = await run({ 'texts.json': { cases: [passing, failing] } })
    expect(code).toBe(1)
    expect(printed).toEqual([
      '✗ texts/upper/two (upper)',
      '    given {"text":"b"}',
      '    the result is different',
      '    value.text',
      '      expected "C"',
      '      received "B"',
      'texts: 1 passed, 1 failed, 0 skipped',
      '1 passed, 1 failed, 0 skipped',
    ])
  })

  it('fail for an unknown operation', async () => {
    const { code, printed } = await run({ 'texts.json': { cases: [unknown] } })
    expect(code).toBe(1)
    expect(printed).toContain('    unknown operation uper (did you mean upper?)')
    expect(printed.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
  })

  it('fail for an unknown area', async () => {
    const { code, printed } = await run({ 'images.json': { cases: [passing, failing] } })
    expect(code).toBe(1)
    expect(printed).toEqual([
      '✗ area images: there is no adapter; its cases count as failed',
      'images: 0 passed, 2 failed, 0 skipped',
      '0 passed, 2 failed, 0 skipped',
    ])
  })

  it.each([
    ['{', '✗ texts.json: not JSON'],
    ['{"area":"texts"}', '✗ texts.json: expected an object with a list "cases"'],
    ['{"cases":[{"id":1}]}', '✗ texts.json: cases[0].id: expected a string, received 1'],
  ])('fail for a file that cannot be read: %s', async (content, message) => {
    const { code, printed } = await run({ 'texts.json': content })
    expect(code).toBe(1)
    expect(printed[0]).toContain(message)
    expect(printed.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
  })

  it('must be at least one', async () => {
    expect(await run({ 'notes.md': '' })).toMatchObject({ code: 1, printed: ['0 passed, 0 failed, 0 skipped'] })
  })

  it('are reported when the operation does not read a key', async () => {
    const given = { text: 'a', locale: 'tr' }
    const { code, printed } = await run({ 'texts.json': { cases: [{ ...passing, given }] } })
    expect(code).toBe(0)
    expect(printed[0]).toBe('! texts/upper/one: upper does not read locale')
  })
})

describe('--case', () => {
  const files = { 'texts.json': { cases: [passing, failing] }, 'images.json': { cases: [{ ...passing, id: 'i' }] } }

  it('runs only the named cases', async () => {
    expect(await run(files, '--case', 'texts/upper/one')).toEqual({
      code: 0,
      printed: ['texts: 1 passed, 0 failed, 0 skipped', '1 passed, 0 failed, 0 skipped'],
      errors: [],
    })
    const both = await run(files, '--case', 'texts/upper/one', '--case', 'texts/upper/two')
    expect(both.printed.at(-1)).toBe('1 passed, 1 failed, 0 skipped')
  })

  it('refuses an unknown id and suggests similar ones', async () => {
    expect(await run(files, '--case', 'texts/uper/one')).toEqual({
      code: 2,
      printed: [],
      errors: ['--case texts/uper/one: no such case in DIR (did you mean texts/upper/one, texts/upper/two?)'],
    })
  })
})

describe('--area', () => {
  const files = { 'texts.json': { cases: [passing] }, 'images.json': { cases: [failing] } }

  it('runs only the cases of the area', async () => {
    expect(await run(files, '--area', 'texts')).toMatchObject({
      code: 0,
      printed: ['texts: 1 passed, 0 failed, 0 skipped', '1 passed, 0 failed, 0 skipped'],
    })
  })

  it('refuses an unknown area and suggests similar ones', async () => {
    expect(await run(files, '--area', 'text')).toEqual({
      code: 2,
      printed: [],
      errors: ['--area text: no such area in DIR (did you mean texts?)'],
    })
  })
})

describe('the command line', () => {
  it('explains itself', async () => {
    const { code, printed } = await run({}, '--help')
    expect(code).toBe(0)
    expect(printed[0]).toContain('Usage: npm run conformance -- [DIR] [--area NAME]... [--case ID]...')
  })

  it('refuses unknown options, a second folder and a folder that does not exist', async () => {
    expect(await run({}, '--cases', 'x')).toMatchObject({ code: 2, errors: [expect.stringContaining("'--cases'")] })
    expect(await run({}, 'other')).toMatchObject({ code: 2, errors: [expect.stringContaining('expected one folder')] })
    const errors: string[] = []
    const environment = {
      defaultFolder: join(folder, 'nowhere'),
      cwd: folder,
      loadArea: async () => null,
      print: () => {},
      printError: (line: string) => errors.push(line),
    }
    expect(await runCommand([], environment)).toBe(2)
    expect(errors).toEqual([`${join(folder, 'nowhere')}: no such folder`])
  })
})
