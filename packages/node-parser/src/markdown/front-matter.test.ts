import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { FrontMatter, markdownStart } from './front-matter.ts'

describe('front matter', () => {
  it('ends after its second line of dashes', () => {
    for (const front of [
      '---\na: b\n---\n',
      '--- \t\nlist:\n  - x\n\n--- \n',
      '---\r\n"quoted key": x\r\n---\r\n',
      '---\n- x\nthe.key-1:\n---\n',
      '---\n---\n',
      '\ufeff---\na: b\n---\n',
      '---\rclé: b\r---\r',
      '---\na: b\n...\n',
      '+++\ntitle = "x"\n[author]\nname = "Ann"\n+++\n',
      '{\n  "title": "x",\n  "tags": ["a"]\n}\n',
      '\ufeff+++\r\na=1\r\n+++\r\n',
    ])
      expect(markdownStart(`${front}# x`), JSON.stringify(front)).toBe(front.length)
    expect(markdownStart('---\na: b\n---')).toBe(12)
  })

  it('requires an end, a key, and text on its second line', () => {
    for (const text of [
      '---',
      '---\n',
      '---\na: b',
      '---\n\na: b\n---\n',
      '---\n# x\n---\n',
      '----\na: b\n----\n',
      'x',
      '',
      '--',
      '+++\nx\n+++\n',
      '+++\na: b\n+++\n',
      '{\nx\n}\n',
      '{ "a": 1 }\n',
      '{\n"a": 1\n',
      '+ a\n',
      '...\n',
    ])
      expect(markdownStart(text), JSON.stringify(text)).toBe(0)
    expect(markdownStart('\ufeff# x')).toBe(1)
    expect(markdownStart('---\nhttp://x\n---\n')).toBe(0)
  })

  it('is detected as early as possible in a growing string', () => {
    for (const text of [
      '---\r\na: b\r\n---\r\n# x',
      '---\n\nx',
      '--x',
      '\ufeff---\n---\n',
      '---\nx\n---\n',
      '+++\na = 1\n+++\nx',
      '{\n"a": 1\n}\nx',
      '{x',
    ]) {
      const reader = new FrontMatter()
      let found: number | null = null
      for (let length = 1; length <= text.length && found === null; length++)
        found = reader.read(text.slice(0, length), false)
      expect(found ?? reader.read(text, true), JSON.stringify(text)).toBe(markdownStart(text))
    }
  })

  it('is found in linear time', { tags: 'growth' }, async () => {
    const read = (size: number) => markdownStart(`---\n${'a b '.repeat(size)}\n${'x\n'.repeat(size)}`)
    expect(await growthOf(read, 5000)).toBeLessThan(1.75)
  })
})
