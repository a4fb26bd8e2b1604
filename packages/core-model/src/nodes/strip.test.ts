import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { strip } from './strip.ts'
import { TextNode } from './text-node.ts'

/** Every character for which `str.isspace()` of Python is true. */
const spaces = [
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
]

describe('strip', () => {
  it('removes exactly the white space of Python', () => {
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code)
      const stripped = strip(`${character}a${character}b${character}`)
      expect(stripped === `a${character}b`, `U+${code.toString(16)}`).toBe(spaces.includes(code))
    }
  })

  it('handles strings that are all white space, or empty', () => {
    expect(['', ' ', '\u001c\u0085\n', ' a', 'a '].map(strip)).toEqual(['', '', '', 'a', 'a'])
  })

  it('takes linear time for long runs of white space', async () => {
    expect(await growthOf((size) => strip(`a${' '.repeat(size)}b`), 10_000)).toBeLessThan(1.75)
  })

  it('is used for the content of a node', () => {
    const node = new TextNode({ text: '\ufeffa\u001f', metadata: { k: 'v\u0085' } })
    expect(node.getContent('all')).toBe('k: v\n\n\ufeffa')
    expect(new TextNode({ text: 'a', metadata: { k: '' }, metadataTemplate: '\u001d{value}' }).getContent('all')).toBe(
      'a',
    )
    expect(node.getContent()).toBe('\ufeffa\u001f')
  })
})
