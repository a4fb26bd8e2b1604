import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workspace } from './testing/workspace.ts'

const FRUIT = `# Fruit

A drupe is a fruit with one stone. Peaches are drupes.

## Prices

What a kilogram costs:

| name   | price | from  |
| ------ | ----- | ----- |
| apple  | 2.40  | Chile |
| cherry | 9.10  | Spain |

## Storage

Apples keep for months in a cool cellar.
`

describe('ask', () => {
  it('answers from a cell of a table, with file and line', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { exitCode, stdout, stderr } = await run(['fruit.md', 'What is the price of the cherry?'])
    expect(stdout).toMatchInlineSnapshot(`
      "Model: the built-in stand-in. It is not a language model: it searches by words and quotes. (To use a real one: npm start help)
      Documents: 1 file, 3 texts, 1 table

      What is the price of the cherry?

      1 I look for passages about “price”, “cherry”.
        search_text {"query":"price cherry"}
        → 2 passages: fruit.md:5-7, fruit.md:9-12

      2 The table at fruit.md:9-12 has a column “price” and a row “cherry”.
        look_into_table {"table":"fruit.md#3","row":"cherry","column":"price"}
        → 1 of 2 rows: cherry | 9.10 | Spain (fruit.md:12)

      Answer
      9.10 (fruit.md:12): column “price”, row “cherry”, section “Fruit > Prices”.

      Sources
        fruit.md:12  Fruit > Prices
      "
    `)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('names the section about a subject', async () => {
    const { run } = await workspace({ 'docs/fruit.md': FRUIT })
    const { stdout } = await run(['docs', 'Which section speaks of a cool cellar?'])
    expect(stdout).toContain('The section “Fruit > Storage” (docs/fruit.md:14-16)')
    expect(stdout).toContain('“Apples keep for months in a cool cellar.” (docs/fruit.md:16)')
  })

  it('quotes a definition', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { stdout } = await run(['fruit.md', 'What is a drupe?'])
    expect(stdout).toContain('“A drupe is a fruit with one stone.” (fruit.md:3)')
  })

  it('counts rows and names columns', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect((await run(['fruit.md', 'How many rows does the table of prices have?'])).stdout).toContain('has 2 rows')
    expect((await run(['fruit.md', 'Which columns does the table of prices have?'])).stdout).toContain(
      '“name”, “price”, “from”',
    )
  })

  it('answers that it found nothing', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { exitCode, stdout } = await run(['fruit.md', 'Who won the chess tournament?'])
    expect(stdout).toContain('I found nothing about “won”, “chess”, “tournament” in these documents.')
    expect(stdout).not.toContain('Sources')
    expect(exitCode).toBe(0)
  })

  it('shows the closest passages when none is certain, and names the words that no document contains', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { stdout } = await run(['fruit.md', 'How many months do apples keep in zinc?'])
    expect(stdout).toContain(
      'No passage answers this for certain. The closest:\n- “Apples keep for months in a cool cellar.” (fruit.md:16)\nNo document contains “zinc”.',
    )
    expect(stdout).toContain('“zinc” occurs nowhere')
  })

  it('states that it is a stand-in, in text and in JSON', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect((await run(['fruit.md', 'What is a drupe?'])).stdout).toMatch(/built-in stand-in.*not a language model/)
    expect(JSON.parse((await run(['fruit.md', 'What is a drupe?', '--json'])).stdout).model).toEqual({
      name: 'built-in stand-in',
      standIn: true,
    })
  })

  it('prints the same output each time', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const args = ['fruit.md', 'Where do apples come from?']
    expect(await run(args)).toEqual(await run(args))
  })

  it('prints one JSON object with answer, sources and steps', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { stdout, stderr } = await run(['fruit.md', 'What is the price of the cherry?', '--json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      question: 'What is the price of the cherry?',
      answer: expect.stringContaining('9.10 (fruit.md:12)'),
      documents: { files: 1, texts: 3, tables: 1 },
      sources: [{ file: 'fruit.md', line: 12, endLine: 12, heading: 'Fruit > Prices' }],
      steps: [
        { tool: 'search_text', isError: false },
        { tool: 'look_into_table', input: { table: 'fruit.md#3', row: 'cherry', column: 'price' } },
      ],
    })
  })

  it('reads the documentation of the project when no file is passed', async () => {
    const { run } = await workspace({
      'README.md': '# Project\n\nA zither is an instrument.\n',
      'docs/a.md': '# A\n\nIn docs.\n',
      'packages/one/README.md': '# One\n\nThe package.\n',
      'other/b.md': '# Not read\n',
    })
    const { stdout } = await run(['What is a zither?'])
    expect(stdout).toContain('Documents: 3 files')
    expect(stdout).toContain('“A zither is an instrument.” (README.md:3)')
  })

  it('keeps parsed documents in a store, and returns the same answer from it', async () => {
    const { run, folder } = await workspace({ 'fruit.md': FRUIT })
    const args = ['--store', 'deep/er/store.db', 'fruit.md', 'What is the price of the cherry?']
    const first = await run(args)
    expect(first.stdout).toContain('9.10 (fruit.md:12)')
    expect(await run(args)).toEqual(first)
    expect(existsSync(join(folder, 'deep/er/store.db'))).toBe(true)
  })

  it('deletes a run that has ended', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    await run(['fruit.md', 'What is a drupe?'])
    expect(await run(['--resume'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no unfinished run') })
  })
})

describe('ask on a terminal', () => {
  it('prints colours and a progress bar, and no colours with NO_COLOR', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT, 'more.md': '# More\n' })
    const coloured = await run(['.', 'What is a drupe?'], { isTTY: true })
    expect(coloured.stdout).toContain('\u001b[1mAnswer\u001b[0m')
    expect(coloured.stderr).toMatch(/\rReading [^\n]*1\/2[^\n]*\r$/)
    const plain = await run(['.', 'What is a drupe?'], { isTTY: true, env: { NO_COLOR: '1' } })
    expect(plain.stdout).not.toContain('\u001b')
  })

  it('removes control characters of documents', async () => {
    const { run } = await workspace({ 'fruit.md': '# \u001b[31mFruit\u0007\n\nA drupe is \u001b[2Ja fruit.\u009b5m\n' })
    const { stdout } = await run(['fruit.md', 'What is a drupe?'])
    expect(stdout).toContain('A drupe is [2Ja fruit.')
    expect(stdout).not.toMatch(/[\u001b\u0007\u009b]/)
  })

  it('prints neither without a terminal', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT, 'more.md': '# More\n' })
    const { stdout, stderr } = await run(['.', 'What is a drupe?'])
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toBe('')
  })
})

describe('ask with invalid input', () => {
  it.each([
    ['an unknown flag', ['--colour', 'x'], 2, "Unknown option '--colour'"],
    ['a file without a question', ['fruit.md'], 2, 'no question: write it after the files, in quotes'],
    ['an empty question', ['fruit.md', ' '], 2, 'the question is empty'],
    ['a model without a server', ['fruit.md', 'Who?', '--model', 'm'], 2, '--model needs openai:, ollama: or ai-sdk:'],
    ['a provider without a name', ['fruit.md', 'Who?', '--model', 'openai:'], 2, 'expected openai:NAME'],
    ['a package without a model', ['fruit.md', 'Who?', '--model', 'ai-sdk:@x/y'], 2, 'expected ai-sdk:PACKAGE:NAME'],
    [
      'a package that is missing',
      ['fruit.md', 'Who?', '--model', 'ai-sdk:@x/y:z'],
      2,
      'the package @x/y is not installed',
    ],
    ['a conversation as JSON', ['fruit.md', '--chat', '--json'], 2, '--chat prints text'],
    ['a conversation about standard input', ['-', '--chat'], 2, '--chat reads questions from standard input'],
    ['a server without a model', ['fruit.md', 'Who?', '--base-url', 'http://localhost'], 2, '--base-url needs --model'],
    [
      'an invalid address',
      ['fruit.md', 'Who?', '--base-url', 'nowhere', '--model', 'm'],
      2,
      'expected an http or https address, received "nowhere"',
    ],
    [
      'an invalid timeout',
      ['fruit.md', 'Who?', '--timeout', 'soon'],
      2,
      '--timeout: expected a number of seconds above 0, received "soon"',
    ],
    ['a question with --resume', ['--resume', 'Who?'], 2, '--resume continues with the question'],
    ['a store with --resume', ['--resume', '--store', 'x.db'], 2, '--resume continues with the question'],
    ['a file that is not a store', ['fruit.md', 'Who?', '--store', 'fruit.md'], 3, 'fruit.md:'],
    ['nothing to resume', ['--resume'], 2, 'There is no unfinished run to resume.'],
    ['a missing file', ['nowhere.md', 'Who?'], 3, 'nowhere.md: no such file or folder.'],
    ['a missing file as the only argument', ['nowhere.md'], 2, 'no question'],
    [
      'a folder without Markdown',
      ['empty', 'Who?'],
      3,
      'empty: no Markdown file (.md, .mdx, .markdown) in this folder',
    ],
    ['a binary file', ['picture.png', 'Who?'], 3, 'picture.png: expected UTF-8 text'],
    ['text in another encoding', ['latin.md', 'Who?'], 3, 'latin.md: expected UTF-8 text'],
    [
      'a server that is not running',
      ['fruit.md', 'Who?', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'],
      4,
      'http://127.0.0.1:9/v1 cannot be reached',
    ],
  ])('%s', async (_, args, exitCode, message) => {
    const { run } = await workspace({
      'fruit.md': FRUIT,
      'empty/notes.txt': 'no Markdown',
      'picture.png': new Uint8Array([137, 80, 78, 71, 0, 1]),
      'latin.md': new Uint8Array([35, 32, 228]),
    })
    const ran = await run(args)
    expect(ran.stderr).toContain(message)
    expect(ran.exitCode).toBe(exitCode)
    const json = await run([...args, '--json'])
    expect(JSON.parse(json.stdout).error).toEqual({ message: expect.stringContaining(message), exitCode })
  })

  it('skips a binary file in a folder, with a warning', async () => {
    const { run } = await workspace({ 'docs/fruit.md': FRUIT, 'docs/broken.md': new Uint8Array([0, 1, 2]) })
    const { exitCode, stderr } = await run(['docs', 'What is a drupe?'])
    expect(stderr).toBe('docs/broken.md: expected UTF-8 text; pass Markdown files; skipped.\n')
    expect(exitCode).toBe(0)
  })

  it('reads standard input as -, and does not save such a run', async () => {
    const { run } = await workspace({ 'more.md': '# More\n\nA zither is an instrument.\n' })
    const stdin = (async function* () {
      yield new TextEncoder().encode(FRUIT.slice(0, 30))
      yield new TextEncoder().encode(FRUIT.slice(30))
    })()
    const ran = await run(['-', 'more.md', 'What is the price of the cherry?'], { stdin })
    expect(ran.stdout).toContain('9.10 (stdin:12)')
    expect(ran.stdout).toContain('Documents: 2 files')
    expect(await run(['-', 'What is a drupe?'])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('-: there is no standard input.'),
    })
    expect(await run(['--resume'])).toMatchObject({ exitCode: 2 })
  })

  it('fails without a question and without documentation', async () => {
    const { run } = await workspace({})
    expect(await run(['Who?'])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('has no documentation') })
  })

  it('stops when the signal is aborted', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const ran = await run(['fruit.md', 'Who?'], { signal: AbortSignal.abort() })
    expect(ran).toMatchObject({ exitCode: 130, stderr: 'Stopped; --resume continues.\n' })
  })

  it('runs even if the run cannot be saved', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const ran = await run(['fruit.md', 'What is a drupe?', '--runs', 'fruit.md/runs'])
    expect(ran.stderr).toContain('This run cannot be resumed later')
    expect(ran.stdout).toContain('“A drupe is a fruit with one stone.”')
  })
})

describe('ask --chat', () => {
  const lines = (...questions: string[]) =>
    (async function* () {
      for (const question of questions) yield new TextEncoder().encode(`${question}\n`)
    })()

  it('answers one question per line, and shows a prompt on a terminal only', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const asked = ['What is a drupe?', '', 'What is the price of the cherry?']
    const { stdout, exitCode } = await run(['--chat', 'fruit.md'], { stdin: lines(...asked) })
    expect(stdout.match(/^Documents: /gm)).toHaveLength(1)
    expect(stdout).toContain('“A drupe is a fruit with one stone.” (fruit.md:3)')
    expect(stdout).toContain('9.10 (fruit.md:12)')
    expect(stdout).not.toContain('\n> ')
    expect(exitCode).toBe(0)
    const terminal = await run(['--chat', 'fruit.md'], { stdin: lines('What is a drupe?'), isTTY: true })
    expect(terminal.stdout.match(/\n> /g)).toHaveLength(2)
  })

  it('stops when the signal is aborted', async () => {
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const controller = new AbortController()
    const stdin = (async function* () {
      yield new TextEncoder().encode('What is a drupe?\n')
      controller.abort()
      await new Promise(() => {})
    })()
    const ran = await run(['--chat', 'fruit.md'], { stdin, signal: controller.signal })
    expect(ran.exitCode).toBe(130)
  })
})

describe('ask --help', () => {
  it('names every option and every exit code', async () => {
    const { run } = await workspace({})
    const { exitCode, stdout } = await run(['--help'])
    for (const word of [
      '--base-url',
      '--model',
      '--timeout',
      '--json',
      '--resume',
      '--runs',
      '--store',
      'OPENAI_API_KEY',
      '130',
    ])
      expect(stdout).toContain(word)
    expect(exitCode).toBe(0)
  })
})
