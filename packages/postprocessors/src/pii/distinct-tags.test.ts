import { expect, it } from 'vitest'
import { withDistinctTags } from './distinct-tags.ts'
import { unmask } from './pii-mapping.ts'

const texts = (...masked: { text: string; mapping: Record<string, unknown> }[]) =>
  withDistinctTags(masked).map(({ text }) => text)

it('renames a tag with a different original, and keeps a tag with the same original', () => {
  const masked = [
    { text: '[N]', mapping: { N: 'Ann' } },
    { text: '[N] [N]', mapping: { N: 'Bob' } },
    { text: '[N]', mapping: { N: 'Ann' } },
    { text: '[N]', mapping: { N: 'Bob' } },
  ]
  expect(withDistinctTags(masked)).toEqual([
    masked[0],
    { text: '[N_2] [N_2]', mapping: { N_2: 'Bob' } },
    masked[2],
    { text: '[N_2]', mapping: { N_2: 'Bob' } },
  ])
})

it('never uses a name that occurs in one of the strings', () => {
  const renamed = texts({ text: '[N] [N_2]', mapping: { N: 'Ann' } }, { text: '[N]', mapping: { N: 'Bob' } })
  expect(renamed).toEqual(['[N] [N_2]', '[N_3]'])
})

it('renames a tag that another string contains as text', () => {
  const renamed = texts({ text: '[N] is a letter', mapping: {} }, { text: '[N]', mapping: { N: 'Bob' } })
  expect(renamed).toEqual(['[N] is a letter', '[N_2]'])
})

it('keeps tags in brackets in the mapping', () => {
  const masked = [
    { text: '[N]', mapping: { '[N]': 'Ann' } },
    { text: '[N]', mapping: { '[N]': 'Bob' } },
  ]
  expect(withDistinctTags(masked)[1]).toEqual({ text: '[N_2]', mapping: { '[N_2]': 'Bob' } })
})

it('treats a tag without an original as text', () => {
  const masked = [
    { text: '[N]', mapping: { N: 'Ann' } },
    { text: '[N]', mapping: { N: null } },
  ]
  const distinct = withDistinctTags(masked)
  expect(distinct).toEqual([{ text: '[N_2]', mapping: { N_2: 'Ann' } }, masked[1]])
  const merged = Object.assign({}, ...distinct.map(({ mapping }) => mapping))
  expect(distinct.map(({ text }) => unmask(text, merged))).toEqual(['Ann', '[N]'])
})
