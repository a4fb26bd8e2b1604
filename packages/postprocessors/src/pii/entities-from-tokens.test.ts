import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { entitiesFromTokens, type LabelledWord } from './entities-from-tokens.ts'

/** Words as `token/label token/label`, separated by `|`, in the order of the words of the text. */
function entities(text: string, labelled: string, unknown = '[UNK]') {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }, at): LabelledWord => {
    const pairs = (labelled.split('|')[at] ?? '')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.lastIndexOf('/')), pair.slice(pair.lastIndexOf('/') + 1)] as const)
    return {
      start: index,
      end: index + word.length,
      labels: pairs.map(([, label]) => ({ label, score: label === 'O' ? 0.5 : 0.9 })),
      tokens: () => pairs.map(([token]) => token),
    }
  })
  const found = entitiesFromTokens(text, words, unknown)
  for (const { word, start, end } of found) expect(text.slice(start, end)).toBe(word)
  return found.map(({ entity_group, word }) => `${entity_group} ${word}`)
}

describe('entitiesFromTokens', () => {
  it.each([
    ['nothing without words', '', '', []],
    ['joins what continues', 'Bob  Smith', 'Bob/B-PER|Smith/I-PER', ['PER Bob  Smith']],
    ['starts anew at a beginning', 'Bob Ann', 'Bob/B-PER|Ann/B-PER', ['PER Bob', 'PER Ann']],
    ['starts anew for another kind', 'Bob Rome', 'Bob/B-PER|Rome/I-LOC', ['PER Bob', 'LOC Rome']],
    ['starts without a beginning', 'Bob', 'Bob/I-PER', ['PER Bob']],
    ['separates at a word outside', 'Bob and Ann', 'Bob/I-PER|and/O|Ann/I-PER', ['PER Bob', 'PER Ann']],
    ['joins across a word without tokens', 'Bob \u200b Lee', 'Bob/B-PER||Lee/I-PER', ['PER Bob \u200b Lee']],
    ['reads labels without prefixes', 'Bob Lee Rome', 'Bob/PER|Lee/PER|Rome/LOC', ['PER Bob Lee', 'LOC Rome']],
    ['reads single and last ones', 'A B C D', 'A/S-PER|B/B-PER|C/E-PER|D/S-PER', ['PER A', 'PER B C', 'PER D']],
    ['takes a whole word', 'Annas Haus', 'Anna/B-PER ##s/O|Haus/O', ['PER Annas']],
    ['takes a whole word whose end has the label', 'McBob', 'Mc/O ##Bob/I-PER', ['PER McBob']],
    ['takes the kind of the first labelled piece', 'Washington', 'Wash/B-LOC ##ing/O ##ton/I-PER', ['LOC Washington']],
    ['stops at punctuation', '(Bob-Lee),', '(/O Bob/B-PER -/O Lee/B-PER )/O ,/O', ['PER Bob', 'PER Lee']],
    ['joins across punctuation that belongs to it', "O'Neil", "O/B-PER '/I-PER Neil/I-PER", ["PER O'Neil"]],
    ['takes characters in scripts without spaces', '我在北京', '我/O 在/O 北/B-LOC 京/I-LOC', ['LOC 北京']],
    ['keeps the marks of the last character', 'Zoe\u0301,', 'zoe/B-PER ,/O', ['PER Zoe\u0301']],
    ['finds the place beside an unknown token', '🎉Bob,', '[UNK]/O Bob/B-PER ,/O', ['PER Bob']],
    ['takes the whole word where tokens differ from it', '(Bob)', 'x/O yz/B-PER', ['PER (Bob)']],
    ['ignores the label of a blank', 'and Bob', 'and/O|▁/B-LOC Bob/B-PER', ['PER Bob']],
    ['keeps kinds that contain a dash', 'Bob', 'Bob/B-PER-FIRST', ['PER-FIRST Bob']],
  ])('%s', (_, text, labelled, expected) => {
    expect(entities(text, labelled)).toEqual(expected)
  })

  it('returns the mean score of the words', () => {
    const label = (score: number) => ({ label: 'PER', score })
    const words = [
      { start: 0, end: 3, labels: [label(0.5)], tokens: () => ['Bob'] },
      { start: 4, end: 7, labels: [label(0.75)], tokens: () => ['Lee'] },
    ]
    expect(entitiesFromTokens('Bob Lee', words)).toEqual([
      { entity_group: 'PER', word: 'Bob Lee', start: 0, end: 7, score: 0.625 },
    ])
  })

  it('returns the whole word if the numbers of tokens and labels differ', () => {
    const labels = ['O', 'PER'].map((label) => ({ label, score: 1 }))
    const words = [{ start: 0, end: 5, labels, tokens: () => ['(Bob)'] }]
    expect(entitiesFromTokens('(Bob)', words).map(({ word }) => word)).toEqual(['(Bob)'])
  })

  it('takes linear time', { tags: 'growth' }, async () => {
    const read = (size: number) => {
      const text = 'Bob '.repeat(size)
      const labels = [{ label: 'B-PER', score: 1 }]
      const words = Array.from({ length: size }, (_, index) => ({
        start: index * 4,
        end: index * 4 + 3,
        labels,
        tokens: () => ['Bob'],
      }))
      return entitiesFromTokens(text, words)
    }
    expect(await growthOf(read, 1_000)).toBeLessThan(1.75)
  })
})
