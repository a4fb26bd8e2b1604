import { describe, expect, it } from 'vitest'
import { differences } from './compare.ts'
import { showDifferences } from './diff.ts'

const show = (received: unknown, expected: unknown) => showDifferences(differences(received, expected)).join('\n')

describe('showDifferences', () => {
  it('shows path, expected and received value, and nothing that is equal', () => {
    expect(
      show({ text: 'a', score: 1, tags: ['x'] }, { text: 'b', score: 1, tags: ['x', 'y'] }),
    ).toMatchInlineSnapshot(`
      "value.text
        expected "b"
        received "a"
      value.tags[1]
        expected "y"
        received (nothing)"
    `)
  })

  it('is at most 20 lines long', () => {
    const many = Array.from({ length: 50 }, (_, index) => index)
    const lines = showDifferences(
      differences(
        many,
        many.map((each) => each + 1),
      ),
    )
    expect(lines).toHaveLength(19)
    expect(lines.at(-1)).toBe('… and 44 more differences')
  })

  it('shows long strings from just before the first difference', () => {
    const start = 'x'.repeat(500)
    expect(show(`${start} received${start}`, `${start} expected${start}`)).toMatchInlineSnapshot(`
      "value
        expected … "xxxxxxxxxxxxxxxxxxx expectedxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        received … "xxxxxxxxxxxxxxxxxxx receivedxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    `)
  })

  it('shows values without JSON form', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    expect(showDifferences([{ path: 'value', expected: 5n, received: cyclic }])).toEqual([
      'value',
      '  expected 5',
      '  received [object Object]',
    ])
  })
})
