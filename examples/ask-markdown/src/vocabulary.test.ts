import { describe, expect, it } from 'vitest'
import { editDistance, Vocabulary } from './vocabulary.ts'

function vocabulary(text: string): Vocabulary {
  const words = new Vocabulary()
  words.add(text)
  return words
}

describe('Vocabulary', () => {
  it('replaces misspelt words by the most similar word; of two, by the more frequent one', () => {
    const words = vocabulary('The trial took place on a train. Populations grow. A train, a trainer. Memory.')
    expect(words.correct('populaton of memmory')).toEqual({
      text: 'population of memory',
      spelling: { populaton: 'population', memmory: 'memory' },
      unknown: [],
    })
    expect(words.correct('traim').text).toBe('train')
    // The same letters in another order are more likely.
    expect(words.correct('trail').text).toBe('trial')
  })

  it('reports words that are similar to no other, and keeps short words, numbers and words that the documents contain', () => {
    const words = vocabulary('A java cup of taskId 1931.')
    expect(words.correct('lava zylinder tasks taskId 1932')).toEqual({
      text: 'lava zylinder tasks taskId 1932',
      spelling: {},
      unknown: ['lava', 'zylinder', '1932'],
    })
  })
})

it.each([
  ['price', 'price', 0],
  ['pirce', 'price', 1],
  ['prce', 'price', 1],
  ['pricee', 'price', 1],
  ['prize', 'price', 1],
  ['prize', 'pricey', 2],
  ['abcdef', 'uvwxyz', 3],
])('editDistance(%j, %j)', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance)
})
