import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { textWindows } from './text-windows.ts'

const parts = (text: string, options: Parameters<typeof textWindows>[1]) =>
  textWindows(text, options).map(({ start, end }) => text.slice(start, end))

describe('textWindows', () => {
  it('returns one window for a string that fits', () => {
    expect(parts('One two.', { size: 8 })).toEqual(['One two.'])
    expect(parts('', { size: 8 })).toEqual([''])
  })

  it('rejects sizes that would cause an endless loop, or gaps between windows', () => {
    for (const options of [{ size: 0 }, { size: -1 }, { size: Number.NaN }, { size: 5, overlap: -1 }])
      expect(() => textWindows('one two three', options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(textWindows('one', { size: Number.POSITIVE_INFINITY })).toEqual([{ start: 0, end: 3 }])
  })

  it('ends a window at the best boundary near its end', () => {
    expect(parts('aaaa bbbb. cc dd', { size: 14 })).toEqual(['aaaa bbbb. ', 'cc dd'])
    expect(parts('aaaa bb\n\ncc dd', { size: 11 })).toEqual(['aaaa bb\n\n', 'cc dd'])
    expect(parts('aaaaaaaa bb', { size: 10 })).toEqual(['aaaaaaaa ', 'bb'])
    expect(parts('aaaaaaaaaaaa', { size: 5 })).toEqual(['aaaaa', 'aaaaa', 'aa'])
  })

  it('measures in the unit of a custom function', () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean).length
    expect(parts('a b c d e f g', { size: 3, measure: words })).toEqual(['a b c ', 'd e f ', 'g'])
  })

  it('covers the string, overlaps at most as configured, never splits characters and always advances', () => {
    const text = fc
      .array(fc.constantFrom('word', ' ', '. ', '\n', '\n\n', '😀', '北京', 'x'.repeat(40)), { maxLength: 60 })
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (input, size, overlap, measured) => {
          const windows = textWindows(input, {
            size,
            overlap,
            ...(measured && { measure: (part: string) => Math.ceil(part.length / 2) }),
          })
          expect(windows[0]!.start).toBe(0)
          expect(windows.at(-1)!.end).toBe(input.length)
          windows.forEach(({ start, end }, index) => {
            const before = windows[index - 1]
            if (before) {
              expect(start).toBeGreaterThan(before.start)
              expect(start).toBeLessThanOrEqual(before.end)
              expect(before.end - start).toBeLessThanOrEqual(overlap + 1)
            }
            expect(/[\ud800-\udbff]$/.test(input.slice(start, end))).toBe(false)
            if (input.slice(start, end).length > 2) expect(end - start).toBeLessThanOrEqual(measured ? size * 2 : size)
          })
        },
      ),
    )
  })

  it('takes linear time', { tags: 'growth' }, async () => {
    const measure = (text: string) => text.length / 4
    const cut = (size: number) => textWindows('a b. '.repeat(size), { size: 500, overlap: 100, measure })
    expect(await growthOf(cut, 2000)).toBeLessThan(1.75)
  })
})
