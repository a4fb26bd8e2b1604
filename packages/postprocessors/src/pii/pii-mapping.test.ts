import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { applyPiiMapping, unmask, unmaskStream } from './pii-mapping.ts'

const collect = async (pieces: string[], mapping: Record<string, unknown>) => {
  const out: string[] = []
  for await (const piece of unmaskStream(pieces, mapping)) out.push(piece)
  return out
}

describe('applyPiiMapping', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['Bob met Bob.', { N1: 'Bob' }, '[N1] met [N1].'],
    ['Bob met Bobby and Rob-Bob', { N1: 'Bob' }, '[N1] met Bobby and Rob-[N1]'],
    ['Ann Lee, Ann', { A: 'Ann', B: 'Ann Lee' }, '[B], [A]'],
    ['[N1] is N1', { N1: 'Bob', N2: 'N1' }, '[N1] is [N2]'],
    ['Bob', { '[X]': 'Bob', Y: 'Bob' }, '[X]'],
    ['+49 and 49', { P: '+49' }, '[P] and 49'],
    ['Bob', { N1: '', N2: '  ', N3: 5, N4: null, N5: ['Bob'] }, 'Bob'],
    ['cost $& Bob', { '$&': 'Bob' }, 'cost $& [$&]'],
    ['北京', { C: '京' }, '北京'],
    ['', { A: 'x' }, ''],
  ])('masks %j with %j', (text, mapping, expected) => {
    expect(applyPiiMapping(text, mapping)).toBe(expected)
  })

  it('treats __proto__ as an ordinary key', () => {
    expect(applyPiiMapping('Bob', JSON.parse('{"__proto__": "Bob"}'))).toBe('[__proto__]')
  })
})

describe('unmask', () => {
  it('restores strings and numbers alone', () => {
    expect(unmask('[A] [B] [C]', { A: 5, B: null, C: 'Bob' })).toBe('5 [B] Bob')
  })

  it('restores the original for any string and mapping', () => {
    const word = fc.constantFrom(
      'Bob',
      'Ann',
      'Ann Lee',
      'x',
      '1',
      'é',
      '😀',
      ' ',
      '.',
      '[',
      ']',
      '$&',
      '\n',
      'N',
      '北京',
    )
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))
    const originals = fc.array(
      fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('')),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(text, originals, (original, masked) => {
        const mapping = Object.fromEntries(masked.map((value, index) => [`TAG_${index}`, value]))
        expect(unmask(applyPiiMapping(original, mapping), mapping)).toBe(original)
      }),
    )
  })

  it('does not scan inserted originals again', () => {
    expect(unmask('[A] [B]', { A: '[B]', B: '[A]' })).toBe('[B] [A]')
  })
})

describe('unmaskStream', () => {
  it('yields text as soon as it cannot be the beginning of a tag', async () => {
    expect(await collect(['Dear [NA', 'ME1]! [x', '] [NAM'], { NAME1: 'Bob' })).toEqual([
      'Dear ',
      'Bob! [x',
      '] ',
      '[NAM',
    ])
  })

  it('yields the result of unmask for the whole string, for every split into chunks', async () => {
    const word = fc.constantFrom('[A]', '[AB]', '[A]B]', '[[A]', '[', ']', 'A', 'B', ' text ')
    const mapping = { A: 'Ann', AB: 'Bob', '[A]B]': 'Cy', '[A': '😀' }
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 30 }),
        async (words, lengths) => {
          const text = words.join('')
          const pieces: string[] = []
          let at = 0
          for (const length of lengths) {
            pieces.push(text.slice(at, at + length))
            at += length
          }
          pieces.push(text.slice(at))
          expect((await collect(pieces, mapping)).join('')).toBe(unmask(text, mapping))
        },
      ),
      { numRuns: rounds(100, 300) },
    )
  })

  it('refuses what is not an iterable of strings, without repeating it', async () => {
    const message = 'unmaskStream.pieces: expected an iterable of strings, received a string'
    expect(() => unmaskStream('[N1] secret', {})).toThrow(message)
    for (const pieces of [null, 5, {}])
      expect(() => unmaskStream(pieces as never, {})).toThrow(/expected an iterable of strings/)
    await expect(collect(['a', { text: 'b' } as never], {})).rejects.toThrow(
      'unmaskStream.pieces[1]: expected a string, received an object',
    )
  })

  it('ends the source when the reader stops early', async () => {
    let ended = false
    const source = (async function* () {
      try {
        yield 'a'
        yield 'b'
      } finally {
        ended = true
      }
    })()
    for await (const _ of unmaskStream(source, {})) break
    expect(ended).toBe(true)
  })

  it('ends a silent source when the reader leaves', async () => {
    let ended = false
    const source = {
      next: () => new Promise<IteratorResult<string>>(() => {}),
      return: async () => {
        ended = true
        return { value: undefined, done: true as const }
      },
    }
    const text = unmaskStream({ [Symbol.asyncIterator]: () => source }, {})
    void text.next()
    void text.return(undefined)
    expect(ended).toBe(true)
  })
})
