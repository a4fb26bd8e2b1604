import { describe, expect, it } from 'vitest'
import { IgnoreRules } from './ignore-rules.ts'

const ignores = (source: string, path: string, base = '') =>
  new IgnoreRules().with(base, source).ignores(path, path.endsWith('/'))

describe('IgnoreRules', () => {
  it.each([
    ['*.draft.md', 'a/b.draft.md', true],
    ['drafts', 'a/drafts', true],
    ['/drafts', 'a/drafts', false],
    ['a/*.md', 'a/b.md', true],
    ['a/*.md', 'a/b/c.md', false],
    ['a/**/c.md', 'a/c.md', true],
    ['a/**/c.md', 'a/b/b/c.md', true],
    ['**/c.md', 'c.md', true],
    ['a/**', 'a/b/c.md', true],
    ['?.md', 'ab.md', false],
    ['[ab].md', 'b.md', true],
    ['[!ab].md', 'b.md', false],
    ['a.md', 'axmd', false],
    ['# a\n\n  ', 'a', false],
    ['\\#a', '#a', true],
    ['*.md\n!b.md', 'b.md', false],
    ['[z-a].md', 'b.md', false],
    ['a(b', 'a(b', true],
  ])('with %j it ignores %j: %j', (source, path, is) => {
    expect(ignores(source, path)).toBe(is)
  })

  it('tells folders from files, and reads paths from the folder of the rules', () => {
    const rules = new IgnoreRules().with('', 'build/').with('sub', '/x.md')
    expect([rules.ignores('build', true), rules.ignores('build', false)]).toEqual([true, false])
    expect([rules.ignores('sub/x.md', false), rules.ignores('x.md', false)]).toEqual([true, false])
  })

  it('takes little time for patterns of stars', () => {
    const rules = new IgnoreRules().with('', `${'*'.repeat(200)}x`)
    expect(rules.ignores(`${'a'.repeat(50_000)}`, false)).toBe(false)
  })
})
