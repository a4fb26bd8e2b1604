import { PassThrough, Writable } from 'node:stream'
import { readSections } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../../tools/growth.ts'
import { SectionIndex } from '../search/section-index.ts'
import { editorCommand, runEditor } from './open-editor.ts'
import { followUp, Prompt } from './prompt.ts'
import { missingText, sectionLines, sectionsText, styleOf } from './show-sections.ts'
import { widthOf, withoutControls, wrap } from './text-width.ts'

const wrapped = (text: string, width: number) =>
  wrap(text, width).map(({ start, end, indent }) => ' '.repeat(indent) + text.slice(start, end))

describe('wrap', () => {
  it('breaks between words, keeps line ends, and indents items', () => {
    expect(wrapped('one two three\n- four five six\nx', 9)).toEqual([
      'one two',
      'three',
      '- four',
      '  five',
      '  six',
      'x',
    ])
  })

  it('cuts words that are wider than a line, by columns', () => {
    expect(wrapped('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij'])
    expect(wrapped('検索結果', 4)).toEqual(['検索', '結果'])
    expect(widthOf('e\u0301検🍐')).toBe(5)
  })

  it('makes no line wider than asked, and loses no letter', () => {
    const text =
      '## A\n\n1. `x`: 検索 results of a very-long-identifier_with_parts\n   - deep **item** with  blanks\n'.repeat(3)
    for (let width = 4; width < 60; width++) {
      const lines = wrapped(text, width)
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }
  })

  it.each(['a ', 'a', '- a\n', '検'])('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => wrap(unit.repeat(size), 80), 500)).toBeLessThan(1.75)
  })
})

const index = new SectionIndex()
index.set('server.md', readSections('# Server\n\n## bodyLimit\n\n- Default: `1048576` bytes, the limit of a body\n'))
index.set('evil.md', readSections('# Evil \u001b]0;title\u0007\n\nRed \u001b[31m paint \u202e backwards\n'))
const plain = { width: 80, color: false }
const found = index.search('What is the default limit of a body?').slice(0, 1)

describe('sections', () => {
  it('have a place, headings, and the marked value', () => {
    expect(sectionLines(found[0]!, 'docs/server.md', plain, '1')).toEqual([
      '1  docs/server.md:5',
      '   Server > bodyLimit',
      '   - Default: »`1048576`« bytes, the limit of a body',
    ])
  })

  it('have colors on a terminal', () => {
    const [, heading, line] = sectionLines(found[0]!, 'server.md', { width: 80, color: true })
    expect(heading).toBe('   \u001b[1mServer > bodyLimit\u001b[22m')
    expect(line).toContain('\u001b[1;7m`1048576`\u001b[22;27m')
    expect(line).toContain('\u001b[1mlimit\u001b[22m')
  })

  it('fit the width, except places, which terminals open', () => {
    for (const width of [20, 40]) {
      const [, ...lines] = sectionsText(found, { missing: [], language: null }, (file) => file, {
        width,
        color: false,
      }).split('\n')
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
    }
  })

  it('cannot control the terminal', () => {
    const text = sectionsText(index.search('paint'), { missing: ['\u001b[2J'], language: null }, (file) => file, plain)
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(withoutControls('a\tb\r\n').length).toBe(5)
  })

  it.each([
    [0, [], ['Nothing found.']],
    [0, ['a', 'b'], ['Nothing found: no document contains “a”, “b”.']],
    [3, ['a'], ['No document contains “a”.']],
    [3, [], []],
  ])('%i sections without the words %j say %j', (count, words, text) => {
    expect(missingText(count, { missing: words, language: null }, plain)).toEqual(text)
  })

  it('says that a question is in another language, and which added words have found a section', () => {
    const language = { question: 'German', documents: 'English' }
    expect(missingText(1, { missing: [], language }, plain).join('').replaceAll('\n', ' ')).toBe(
      'The question is in German, the documents are in English: ask in English, or with --model, which translates.',
    )
    const [found] = index.search('paint')
    const [, , note] = sectionLines({ ...found!, added: ['flag', 'a\u001b[2J'] }, 'a.md', plain)
    expect(note).toMatch(/^ {3}found by the added words “flag”, “a[^\u001b]*”$/)
  })

  it.each([
    [{ isTTY: true, columns: 50 }, {}, { width: 50, color: true }],
    [{ isTTY: true, columns: 300 }, { NO_COLOR: '1' }, { width: 100, color: false }],
    [{ isTTY: true, columns: 5 }, { TERM: 'dumb' }, { width: 20, color: false }],
    [{}, {}, { width: 80, color: false }],
    [{}, { COLUMNS: '60' }, { width: 60, color: false }],
  ])('the style of %j with %j is %j', (stream, env, style) => {
    expect(styleOf(stream, env)).toEqual(style)
  })
})

describe('the editor', () => {
  it.each([
    [{ VISUAL: 'code --wait', EDITOR: 'vi' }, ['code', '--wait', '--goto', 'a.md:3']],
    [{ EDITOR: '/usr/bin/vim' }, ['/usr/bin/vim', '+3', 'a.md']],
    [{ EDITOR: 'zed' }, ['zed', 'a.md:3']],
    [{ EDITOR: 'webstorm' }, ['webstorm', '--line', '3', 'a.md']],
    [{ EDITOR: ' ' }, null],
  ])('of %j opens a line', (env, command) => {
    expect(editorCommand(env, 'a.md', 3)).toEqual(command)
  })

  it('reports a program that does not exist', async () => {
    expect(await runEditor(['/no/such/editor', '+1', 'a'])).toBe('/no/such/editor: ENOENT')
    expect(await runEditor([process.execPath, '--version'])).toBeNull()
  })
})

/** A prompt over streams, with what it has drawn last. */
function prompting() {
  const input = Object.assign(new PassThrough(), {
    raw: [] as boolean[],
    setRawMode: (is: boolean) => input.raw.push(is),
  })
  let drawn = ''
  const output = Object.assign(
    new Writable({
      write(data, _, done) {
        drawn += data
        done()
      },
    }),
    { rows: 12 },
  )
  const opened: string[] = []
  const stop = new AbortController()
  const prompt = new Prompt({
    input,
    output,
    style: () => ({ width: 60, color: false }),
    search: async (question) => ({
      sections: index.search(question, { limit: 3 }),
      missing: index.missing(question),
      language: null,
    }),
    placeOf: (file) => `docs/${file}`,
    open: async ({ file, line }) => {
      opened.push(`${file}:${line}`)
      return 'Set EDITOR.'
    },
    signal: stop.signal,
  })
  const over = prompt.run()
  const type = async (keys: string) => {
    drawn = ''
    input.write(keys)
    await new Promise((resolve) => setTimeout(resolve, 30))
    return drawn.slice(drawn.lastIndexOf('\u001b[J'))
  }
  return { input, opened, over, type, stop: () => stop.abort(), all: () => drawn }
}

describe('the prompt', () => {
  it('shows sections while one types, opens one, and ends at Ctrl-C', async () => {
    const { input, opened, over, type } = prompting()
    expect(await type('default body lim')).toContain('docs/server.md:5')
    expect(await type('\u001b[B\u001b[A')).toContain('❯')
    expect(await type('\r')).toContain('Set EDITOR.')
    expect(opened).toEqual(['server.md:5'])
    expect(await type('\u0015')).toContain('Type a question.')
    expect(await type('zeppelin\u007f\u007fx')).toContain('Nothing found: no document contains “zeppelx”.')
    await type('\u0003')
    await over
    expect(input.raw).toEqual([true, false, true, false])
  })

  it('keeps an answer on the screen, and continues it', async () => {
    const { over, type, all, stop } = prompting()
    await type('default body limit')
    await type('\t')
    expect(all()).toContain('? default body limit\n1  docs/server.md:5')
    expect(await type('and for paint')).toContain('docs/server.md:5')
    stop()
    await over
  })

  it('ends with its input', async () => {
    const { input, over } = prompting()
    input.end()
    await over
  })

  it.each([
    ['and for HTTP/2?', 'keep alive', 'and for HTTP/2? keep alive'],
    ['What about b?', 'a', 'What about b? a'],
    ['android', 'a', 'android'],
    ['and?', '', 'and?'],
  ])('reads %j after %j as %j', (question, before, whole) => {
    expect(followUp(question, before)).toBe(whole)
  })
})
