import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { withPureMarks } from './pure-marks.ts'

/** What esbuild keeps of a module of which nothing is used. */
const keptOf = (code: string): string => transformSync(code, { treeShaking: true, format: 'esm' }).code.trim()

describe('withPureMarks', () => {
  it.each([
    ['a call', 'const a = make()'],
    ['a call with a call in its arguments', 'const a = /* @__PURE__ */ make(other())'],
    ['an object with another one in it', 'const a = { ...b }'],
    ['an object with a call', 'const a = { b: { c: [make(new Set([d()]))] } }'],
    ['a call with other arguments', 'const a = make(...b, c.d)'],
    ['a method call', 'const a = b.c()'],
    ['an expression', 'const a = new RegExp("x" + b, "u"), c = 2 ** 25'],
    ['a template', `const a = \`x$${'{b}'}\``],
    ['a member of another value', 'const a = b.c'],
    ['a call with a function that waits', 'const a = make({ b: async () => { await c } })'],
  ])('lets bundlers leave out %s', (_, code) => {
    expect(keptOf(code)).not.toBe('')
    expect(keptOf(withPureMarks(code))).toBe('')
  })

  it('does not change values', () => {
    const code = 'const b = { x: 1 }\nconst a = [{ ...b, y: () => 2 ** 3 }, "" + b.x]\nreturn [a[0].y(), a]'
    const values = new Function(withPureMarks(`${code.replace('return', 'const all =')}`).concat('\nreturn all'))()
    expect(values).toEqual([8, [{ x: 1, y: expect.any(Function) }, '1']])
  })

  it('marks calls without a function around them', () => {
    expect(withPureMarks('const a = { b: make(new Set([c])) }')).toBe(
      'const a = { b: /* @__PURE__ */ make(/* @__PURE__ */ new Set([c])) }',
    )
  })

  it.each([
    ['what bundlers understand', "var a = { b: [1, 'c', /d/, `e`] }\nvar f = () => make()\nclass G {}\n"],
    ['calls that are marked', 'const a = /* @__PURE__ */ new Set(["a"])\n'],
    ['statements', 'run()\nlet a\nexport { a }\n'],
    ['constants that wait', 'const a = [await make()]\n'],
  ])('leaves %s as they are', (_, code) => {
    expect(withPureMarks(code)).toBe(code)
  })
})
