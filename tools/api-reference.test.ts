import { expect, it } from 'vitest'
import { commentBefore, firstSentence, referencePage, undescribed } from './api-reference.ts'

it('takes the first sentence of a comment, without its tags', () => {
  const file = '/** Reads `a. B` of {@link Shelf}.\n * More.\n * @throws {E} if not.\n */\nexport declare const a: 1'
  expect(firstSentence(commentBefore(file, file.indexOf('export')))).toBe('Reads `a. B` of `Shelf`.')
  expect(firstSentence('@deprecated Use {@link B}.')).toBe('Deprecated: Use `B`.')
  expect(firstSentence('A list of e.g. names\n  in two lines')).toBe('A list of e.g. names in two lines')
  expect(firstSentence('Serves tasks.\n\n| a | b |\n|---|---|')).toBe('Serves tasks.')
  expect(commentBefore('/** Of a. */\ndeclare const a: 1\ndeclare const b: 1', 32)).toBe('')
})

it('writes a row for each name, and reports names without a comment', () => {
  const own = [
    ['b', { text: 'declare class b {}', doc: 'The class | b.' }],
    ['a', { text: 'interface a {}', doc: '' }],
    ['* @x/core', { text: "export * from '@x/core'", doc: '' }],
  ] as const
  expect(undescribed([{ entry: './more', own }])).toEqual(['/more a'])
  expect(undescribed([{ entry: './schemas', own }])).toEqual([])
  expect(referencePage('@x/p', [{ entry: './more', own }])).toContain(
    '## @x/p/more\n\n| name | kind | what it is |\n| --- | --- | --- |\n| `a` | type |  |\n| `b` | class | The class \\| b. |\n\nAlso the names of `@x/core`.',
  )
})
