import { describe, expect, it } from 'vitest'
import { allowInside, containsOriginal, freeTag, maskPlaces, type PlacedEntity } from './mask-places.ts'

/** Masks strings whose source is the strings joined by `|`. */
function mask(texts: readonly string[], ...entities: [group: string, start: number, end: number][]) {
  let start = 0
  const spans = texts.map((text, index) => {
    const span = { start, text: index }
    start += text.length + 1
    return span
  })
  const placed: PlacedEntity[] = entities.map(([group, from, end]) => ({ group, start: from, end }))
  return maskPlaces({ texts, source: texts.join('|'), spans }, placed)
}

describe('maskPlaces', () => {
  it('masks an entity at its offsets and all other occurrences of its words', () => {
    const { texts, mapping } = mask(['Ann met Bob.', 'Ann left.'], ['PER', 0, 3], ['PER', 8, 11])
    expect(texts).toEqual(['[PER_0] met [PER_8].', '[PER_0] left.'])
    expect(mapping).toEqual({ '[PER_0]': 'Ann', '[PER_8]': 'Bob' })
  })

  it('masks inside longer words only at the end at which an entity was inside a word', () => {
    expect(mask(['Annas Haus, Johanna', 'Annas'], ['PER', 0, 4]).texts).toEqual(['[PER_0]s Haus, Johanna', '[PER_0]s'])
    expect(mask(['Anna', 'Annas'], ['PER', 0, 4]).texts).toEqual(['[PER_0]', 'Annas'])
  })

  it('masks an entity that spans several strings in each of them', () => {
    const { texts, mapping } = mask(['Ann', 'Lee'], ['PER', 0, 7])
    expect(texts).toEqual(['[PER_0]', '[PER_4]'])
    expect(mapping).toEqual({ '[PER_0]': 'Ann', '[PER_4]': 'Lee' })
  })

  it('keeps the earlier of overlapping entities, then the longer one', () => {
    expect(mask(['Ann Lee'], ['X', 0, 3], ['PER', 0, 7], ['Y', 4, 7]).texts).toEqual(['[PER_0]'])
  })

  it('never uses a tag that the strings contain', () => {
    expect(mask(['Ann [PER_0]'], ['PER', 0, 3]).texts).toEqual(['[PER_0_2] [PER_0]'])
  })

  it('masks the words of an entity whose offsets are outside of all strings', () => {
    const searched = { texts: ['by Ann'], source: 'author: Ann', spans: [] }
    expect(maskPlaces(searched, [{ group: 'PER', start: 8, end: 11 }]).texts).toEqual(['by [PER_8]'])
  })
})

it('allowInside adds the ends of originals, but not of one or two letters, or of one where words have no blanks', () => {
  const inside = new Map<string, { start: boolean; end: boolean }>()
  for (const original of ['An', '李']) allowInside(inside, original, { start: true, end: true })
  allowInside(inside, 'Bob', { start: false, end: false })
  expect([...inside]).toEqual([])
  for (const original of ['Ann', '李明']) {
    allowInside(inside, original, { start: false, end: true })
    expect(inside.get(original)).toEqual({ start: false, end: true })
    allowInside(inside, original, { start: true, end: false })
    expect(inside.get(original)).toEqual({ start: true, end: true })
  }
})

it('containsOriginal finds remaining originals, but not inside tags', () => {
  const contains = containsOriginal({ mapping: { '[PER_0]': 'Ann', '[X]': '--' }, inside: new Map() })
  expect(['by Ann.', 'Anna', '[PER_0]', '--'].map(contains)).toEqual([true, false, false, false])
})

it('freeTag marks its tag as taken', () => {
  const taken = new Set(['[A]'])
  expect([freeTag('A', taken), freeTag('A', taken), freeTag('B', taken)]).toEqual(['[A_2]', '[A_3]', '[B]'])
})
