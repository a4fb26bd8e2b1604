import { Boolean as Bool, Integer, Array as List, String as Text } from 'typebox'
import { describe, expect, it } from 'vitest'
import { component, live } from '../define.ts'
import { modelSpec } from '../field-specs.ts'
import { Model } from './model.ts'

const filterSpec = modelSpec(
  JSON.parse(
    JSON.stringify(
      component('Filter', 'Keeps some.', {
        cutoff: Integer({ default: 3 }),
        keepAll: Bool({ extension: true, default: false }),
        maxItems: Integer({ extension: true, minimum: 1, wire: 'limit', default: 10 }),
        tags: List(Text(), { extension: true, default: [] }),
        logger: live({ holds: ['log'], extension: true }),
      }),
    ),
  ),
)

class Filter extends Model {
  declare cutoff: number
  declare keepAll: boolean
  static override spec() {
    return filterSpec
  }
}

describe('extension fields', () => {
  it('are written only when they differ from the default', () => {
    expect(new Filter().toDict()).toEqual({ cutoff: 3, tags: [], class_name: 'Filter' })
    expect(new Filter({ keepAll: false }).toDict()).not.toHaveProperty('keep_all')
    expect(new Filter({ keepAll: true, maxItems: 11 }).toDict()).toMatchObject({ keep_all: true, limit: 11 })
  })

  it('are read like all other fields', () => {
    const filter = Filter.fromDict({ keep_all: true, limit: 11, class_name: 'Filter' })
    expect(filter).toMatchObject({ cutoff: 3, keepAll: true, maxItems: 11 })
    expect(Filter.fromDict(filter.toDict()).equals(filter)).toBe(true)
  })

  it('are included in the JSON Schema on request, and always in the Standard Schema', () => {
    expect(Object.keys(Filter.schema().properties!)).toEqual(['cutoff', 'class_name'])
    const all = ['cutoff', 'keep_all', 'limit', 'tags', 'logger', 'class_name']
    expect(Object.keys(Filter.schema({ extensions: true }).properties!)).toEqual(all)
    expect(Object.keys(Filter['~standard'].jsonSchema.input()['properties'] as object)).toEqual(all)
  })
})
