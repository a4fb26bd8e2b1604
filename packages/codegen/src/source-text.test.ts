import { expect, it } from 'vitest'
import { exportsClass, importsOf, type SyntaxNode, statementsOf, typeNames } from './source-text.ts'

it('returns the named imports by local name', () => {
  const source = `import { a, b as c, type D } from 'x'\nimport * as all from 'y'\nimport e from 'z'`
  expect(Object.fromEntries(importsOf(statementsOf(source)))).toEqual({
    a: { name: 'a', module: 'x' },
    c: { name: 'b', module: 'x' },
    D: { name: 'D', module: 'x' },
  })
})

it('returns the types that a type refers to, without its own parameters', () => {
  const [statement] = statementsOf('type T = <P>(value: Map<string, N.Inner>, p: P) => typeof shelf') as [SyntaxNode]
  expect([...typeNames(statement)].sort()).toEqual(['Map', 'N', 'shelf'])
})

it('finds exported classes only', () => {
  const statements = statementsOf(
    'export class A {}\nclass B {}\nexport const C = class {}\nexport abstract class D {}',
  )
  expect(['A', 'B', 'C', 'D'].map((name) => exportsClass(statements, name))).toEqual([true, false, false, true])
})
