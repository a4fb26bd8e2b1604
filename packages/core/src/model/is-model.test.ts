import { describe, expect, it } from 'vitest'
import { Author, Book } from '../../test/sample-models.ts'
import { fields } from '../fields.ts'
import { isInstance, isModel } from './is-model.ts'

describe('isModel', () => {
  it('distinguishes models from data', () => {
    expect(isModel(new Author({ name: 'A' }))).toBe(true)
    expect([null, undefined, 'a', {}, [], new Date(), Author].some(isModel)).toBe(false)
  })

  it('returns false for data that contain the mark as a key', () => {
    const forged = { '~x-model': true }
    expect(isModel(forged)).toBe(false)
    expect(new Book({ title: 'A', notes: { forged } }).copy({ deep: true }).notes).toEqual({ forged })
    expect(new Author({ name: 'A' }).equals(forged)).toBe(false)
  })
})

describe('isInstance', () => {
  class Poem extends fields(Book, 'Poem', {}) {}

  it('returns true for instances of a class and of its subclasses', () => {
    expect(isInstance(new Poem({ title: 'A' }), Book)).toBe(true)
    expect(isInstance(new Book({ title: 'A' }), Poem)).toBe(false)
    expect(isInstance({}, Book)).toBe(false)
  })
})
