import { describe, expect, it } from 'vitest'
import { itemsOf } from './schema-tool.ts'

describe('itemsOf', () => {
  it('returns undefined for objects that are not iterators', () => {
    for (const value of [[1], new Map(), new Set(), { next: 1 }]) expect(itemsOf(value, undefined)).toBeUndefined()
  })
})
