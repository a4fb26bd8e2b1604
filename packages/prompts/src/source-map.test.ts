import { ChatMessage } from '@x/core-model'
import { expect, it } from 'vitest'
import { fillWithSources, findSources, renderWithSources, type SourcedText, surround, wholeText } from './source-map.ts'

const shown = ({ text, sources }: SourcedText) =>
  sources.map(({ source, start, end }) => [source, text.slice(start, end)])

it('returns the offsets of each span in the template', () => {
  const parts = { texts: ['{', ' ', ''], names: ['a', 'b'] }
  const values: Record<string, string> = { a: '1', b: '' }
  expect(fillWithSources(parts, (name) => values[name]!, true)).toEqual({
    text: '{1 ',
    sources: [
      { start: 0, end: 1, source: 'template', templateStart: 0, templateEnd: 2 },
      { start: 1, end: 2, source: 'variable', variable: 'a', templateStart: 2, templateEnd: 5 },
      { start: 2, end: 3, source: 'template', templateStart: 5, templateEnd: 6 },
    ],
  })
})

it.each([
  [
    'at the start',
    'ab!ab',
    [
      ['template', 'ab'],
      ['parser', '!ab'],
    ],
  ],
  [
    'at the end',
    '!ab',
    [
      ['parser', '!'],
      ['template', 'ab'],
    ],
  ],
  [
    'inside',
    '<ab>',
    [
      ['parser', '<'],
      ['template', 'ab'],
      ['parser', '>'],
    ],
  ],
  ['nowhere', 'AB', [['parser', 'AB']]],
  ['unchanged', 'ab', [['template', 'ab']]],
])('finds the original text %s', (_, text, expected) => {
  expect(shown(surround(wholeText('ab'), text, 'parser'))).toEqual(expected)
})

it('attributes the whole text to the parser if the original text is empty', () => {
  expect(shown(surround(wholeText(''), 'new', 'parser'))).toEqual([['parser', 'new']])
  expect(surround(wholeText(''), '', 'parser')).toEqual({ text: '', sources: [] })
})

it('renders messages in the default form, and finds them in a different rendering', () => {
  const messages = ['a', 'b'].map((content) => ({
    message: new ChatMessage({ content }),
    sources: wholeText(content).sources,
  }))
  const rendered = renderWithSources(messages)
  expect(rendered.text).toBe('user: a\nuser: b\nassistant: ')
  expect(shown(findSources(messages, '[a][b]'))).toEqual([
    ['rendering', '['],
    ['template', 'a'],
    ['rendering', ']['],
    ['template', 'b'],
    ['rendering', ']'],
  ])
  // Each message is searched after the end of the previous one.
  expect(shown(findSources(messages, 'b a'))).toEqual([
    ['rendering', 'b '],
    ['template', 'a'],
  ])
})
