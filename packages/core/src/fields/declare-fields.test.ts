import { expect, it } from 'vitest'
import { mayOverwrite } from './declare-fields.ts'

/** A class with this source. */
const classOf = (source: string): object => Object.assign(() => {}, { toString: () => source })

it.each([
  ['class A extends B{label}', true],
  ['class A extends B{label;b=1}', true],
  ['class A extends B {\n  b = 1;\n  label = 1;\n}', true],
  ['class A extends B {\n  label\n  b() {}\n}', true],
  ['class A extends B{constructor(){super(...arguments);__publicField(this,"label")}}', true],
  ["class A extends B { constructor() { super(); Object.defineProperty(this, 'label', {}) } }", true],
  ['class A extends B {}', false],
  ['class A extends B { other; labels = 1; $label }', false],
  ['class A extends B { label() { return this.label } }', false],
  ['class A extends B { rename(label) { this.label = label; return this.label } }', false],
  ['class A extends B { static label = 1 }', false],
])('%j has a class field "label": %s', (source, expected) => {
  expect(mayOverwrite(classOf(source), ['id', 'label'])).toBe(expected)
})

it('looks at the classes that a class extends', () => {
  const parent = classOf('class B { label }')
  expect(mayOverwrite(Object.setPrototypeOf(classOf('class A extends B {}'), parent), ['label'])).toBe(true)
})

it('knows names with a dollar sign', () => {
  expect(mayOverwrite(classOf('class A { $ref = 1 }'), ['$ref'])).toBe(true)
})
