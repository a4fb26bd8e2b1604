import { expect, it } from 'vitest'
import { checkOf } from './check-value.ts'
import { Model } from './model.ts'
import type { ModelSpec } from './model-spec.ts'
import { extendSpec } from './model-spec.ts'

const withSpec = (spec: ModelSpec) =>
  class extends Model {
    static override spec() {
      return spec
    }
  }
const text = { schema: { type: 'string' } }
const own: ModelSpec = { name: 'Child', className: 'Child', fields: { b: text }, checkOf }

it('returns the spec itself for a class that extends Model', () => {
  expect(extendSpec(Model, own)).toBe(own)
})

it('puts the fields of the parent first, in their order, with the changes of the child', () => {
  const changed = { schema: { type: 'number' } }
  const parent = withSpec({ ...own, name: 'Parent', description: 'p', fields: { a: text, b: text } })
  const spec = extendSpec(parent, { ...own, fields: { c: text, b: changed } })
  expect(Object.entries(spec.fields)).toEqual([
    ['a', text],
    ['b', changed],
    ['c', text],
  ])
  expect(spec).toEqual({ ...own, fields: spec.fields })
})

it('inherits `record`, and the check of the fields', () => {
  const check = () => undefined
  const parent = withSpec({ name: 'Parent', record: true, check, fields: {}, checkOf })
  expect(extendSpec(parent, own)).toMatchObject({ record: true, check })
  expect(extendSpec(parent, { ...own, record: false }).record).toBe(false)
})
