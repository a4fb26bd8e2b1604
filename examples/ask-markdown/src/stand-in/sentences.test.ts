import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

describe('sentencesOf', () => {
  it('returns sentences with the lines in which they start', () => {
    const markdown = [
      '## A heading. Not a sentence.',
      '',
      'One goes over',
      'two lines. Two starts there,',
      'and ends here.',
      '',
      '- [ ] an item with **marks**',
      '  1. a [nested](https://a.b/c.d) item',
      '> quoted. Text.',
      '```sh',
      'npm test. # a comment',
      '```',
      '[link]: https://a.b',
      '---',
      '**Note**: last',
    ].join('\n')
    expect(sentencesOf(markdown).map(({ text, line, isCode }) => [line, text, isCode])).toEqual([
      [2, 'One goes over two lines.', false],
      [3, 'Two starts there, and ends here.', false],
      [6, 'an item with marks', false],
      [7, 'a nested item', false],
      [8, 'quoted.', false],
      [8, 'Text.', false],
      [10, 'npm test. # a comment', true],
      [14, 'Note: last', false],
    ])
  })

  it('returns no sentences for an empty string', () => {
    expect(sentencesOf(' \n# Title\n')).toEqual([])
  })
})
