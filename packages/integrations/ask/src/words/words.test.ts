import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { deleteFolders, folderOf, write } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { score } from '../score.ts'
import { AddedWords } from './added-words.ts'
import { proposeWords } from './propose-words.ts'
import { readWords, writeWords } from './write-words.ts'

afterEach(deleteFolders)

const files = {
  'docs/cli.md': '# Options\n\nAn option is written with two dashes.\n\n# Levels\n\nA level decides what is logged.',
  'docs/empty.md': '# Nothing\n\n## Here\n\nText of a section.',
}

async function opened(folder: string): Promise<Docs> {
  const docs = await Docs.open(join(folder, 'docs'))
  onTestFinished(() => docs.close())
  return docs
}

const reply = (words: string[], questions: string[] = []) => JSON.stringify({ words, questions })

function written(docs: Docs, llm: ScriptedLLM, languages: string[] = []) {
  return writeWords(docs, { llm, languages, signal: new AbortController().signal, onProgress: () => {} })
}

const wordsIn = async (folder: string) => JSON.parse(await readFile(join(folder, 'docs/ask-words.json'), 'utf8'))

/** Runs a command, and returns what it prints. */
async function printed(command: (terminal: never) => Promise<void>): Promise<string> {
  let text = ''
  await command({ stdout: { write: (part: string) => (text += part) } } as never)
  return text
}

describe('words that a model writes', () => {
  it('are asked for once per section, in the languages of readers, and found', async () => {
    const folder = await folderOf(files)
    const docs = await opened(folder)
    const llm = new ScriptedLLM({
      answers: [reply(['flag', 'Schalter']), 'Sure: ```json\n{"questions": ["How loud is it?"]}\n```', reply(['void'])],
    })
    expect(await written(docs, llm, ['German', 'Chinese'])).toEqual({ written: 3, kept: 0, unread: [] })
    const prompt = JSON.stringify(llm.calls[0])
    for (const part of ['File: cli.md', 'Section: Options', 'two dashes', 'German, Chinese'])
      expect(prompt).toContain(part)
    const { version, sections } = await wordsIn(folder)
    expect([version, Object.keys(sections)]).toEqual([1, ['cli.md', 'empty.md']])
    expect(Object.values(sections['cli.md'])).toEqual([
      { heading: 'Options', words: ['flag', 'Schalter'], questions: [] },
      { heading: 'Levels', words: [], questions: ['How loud is it?'] },
    ])
    const after = await opened(folder)
    const [best] = await after.search('Which flag is there?')
    expect([best?.path, best?.added]).toEqual([['Options'], ['flag']])
    expect(await after.missing('flag loud zeppelin')).toEqual(['zeppelin'])
    expect((await after.search('option'))[0]).not.toHaveProperty('added')
    expect(await after.search('flag', { addedWords: false })).toEqual([])
  })

  it('stay for sections that did not change or moved, and are written again for others', async () => {
    const folder = await folderOf(files)
    const first = await opened(folder)
    await written(first, new ScriptedLLM({ answers: [reply(['flag']), reply(['loud']), reply(['void'])] }))
    await first.close()
    await write(folder, {
      'docs/other.md': files['docs/empty.md'],
      'docs/empty.md': 'No section of before.',
      'docs/cli.md': files['docs/cli.md'].replace('two dashes', 'one dash'),
    })
    const llm = new ScriptedLLM({ answers: [reply(['switch']), reply(['new'])] })
    expect(await written(await opened(folder), llm)).toEqual({ written: 2, kept: 2, unread: [] })
    llm.assertDone()
    const { sections } = await wordsIn(folder)
    const wordsOf = (file: string) => Object.values(sections[file]).flatMap((one) => (one as { words: string[] }).words)
    expect([wordsOf('cli.md').sort(), wordsOf('empty.md'), wordsOf('other.md')]).toEqual([
      ['loud', 'switch'],
      ['new'],
      ['void'],
    ])
  })

  it('are kept when a later request fails, and named when a reply cannot be read twice', async () => {
    const folder = await folderOf(files)
    const docs = await opened(folder)
    const llm = new ScriptedLLM({ answers: [reply(['flag']), reply(['loud']), new Error('HTTP 503')] })
    await expect(written(docs, llm)).rejects.toThrow('HTTP 503')
    expect(Object.keys((await wordsIn(folder)).sections)).toEqual(['cli.md'])
    const silent = new ScriptedLLM({ answers: ['I cannot.', '{"words": []}'] })
    expect(await written(docs, silent)).toEqual({ written: 0, kept: 2, unread: ['empty.md:3'] })
  })

  it.each([
    ['<think>{}</think>{"words": [" a  b ", "a b", 7, ""]}', { words: ['a b'], questions: [] }],
    [`{"words": ["${'x'.repeat(201)}"], "questions": ["q"]}`, { words: [], questions: ['q'] }],
    ['{"words": "a"}', null],
    ['} {', null],
    ['{', null],
    ['', null],
  ])('are read from %j', (text, words) => {
    expect(readWords(text)).toEqual(words)
  })
})

describe('the file of words', () => {
  it.each([
    ['{', 'ask-words.json: '],
    ['{"version": 2, "sections": {}}', 'expected { "version": 1'],
    ['{"version": 1, "sections": {"a.md": {"x": {"words": [1], "questions": []}}}}', 'sections["a.md"]["x"]: expected'],
  ])('is refused when it is %j', async (text, message) => {
    const folder = await folderOf({ ...files, 'docs/ask-words.json': text })
    await expect((await opened(folder)).search('x')).rejects.toThrow(message)
  })

  it('is not read through a link, and followed while it changes', async () => {
    const folder = await folderOf(files)
    await mkdir(join(folder, 'outside'))
    await writeFile(join(folder, 'outside/w.json'), '{')
    await symlink(join(folder, 'outside/w.json'), join(folder, 'docs/ask-words.json'))
    expect((await AddedWords.read(join(folder, 'docs'))).isEmpty).toBe(true)
    expect(await (await opened(folder)).hasAddedWords()).toBe(false)
  })
})

describe('words that questions lack', () => {
  const questions = [
    { question: 'Which flags are there?', file: 'cli.md', lines: [3, 3] },
    { question: 'level of logs', file: 'cli.md', lines: [7, 7] },
    { question: 'Here', file: 'empty.md', lines: [5, 5] },
  ]

  it('are shown for questions that do not find their section, and added on request; score shows the gain', async () => {
    const folder = await folderOf({ ...files, 'q.json': JSON.stringify(questions) })
    const docs = await opened(folder)
    const path = join(folder, 'q.json')
    const run = (writes: boolean) => printed((terminal) => proposeWords(docs, { questions: path, writes }, terminal))
    const text =
      'cli.md:1  Options\n  + flags  (Which flags are there?)\n3 questions, 1 with words for their section.\n'
    expect(await run(false)).toBe(text)
    expect(await docs.hasAddedWords()).toBe(false)
    expect(await run(true)).toBe(text)
    const after = await opened(folder)
    expect(await printed((terminal) => score(after, { questions: path, model: null }, terminal))).toBe(
      '3 questions; right section first: 3, in three: 3, in ten: 3\nwithout the added words: first: 2, in three: 2, in ten: 2\n',
    )
  })
})
