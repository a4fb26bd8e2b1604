import { describe, expect, it } from 'vitest'
import { issuesOf, thrownBy } from '../../../../tools/thrown.ts'
import { Author, Book } from '../../test/sample-models.ts'
import { ClassRegistry } from './class-registry.ts'

describe('ClassRegistry', () => {
  const registry = new ClassRegistry([Author, Book, Author])

  it('finds classes by class name', () => {
    expect(registry.get('Author')).toBe(Author)
    expect(registry.get('toString')).toBeUndefined()
  })

  it('reads data with the class that the data names', () => {
    expect(registry.fromDict({ name: 'A', class_name: 'Author' })).toBeInstanceOf(Author)
    expect(registry.fromDict({ class_name: 'Author' }, { name: 'B' })).toMatchObject({ name: 'B' })
  })

  it('rejects data whose class name is missing, unknown or not a string', () => {
    expect(thrownBy(() => registry.fromDict({ name: 'A' }))).toMatchObject({
      code: 'unknown_class_name',
      className: null,
    })
    expect(thrownBy(() => registry.fromDict(null))).toMatchObject({ code: 'unknown_class_name', className: null })
    expect(thrownBy(() => registry.fromDict({ class_name: 'No' }))).toMatchObject({
      code: 'unknown_class_name',
      className: 'No',
      message:
        'ClassRegistry: no class is registered for "No"; pass a registry that knows it, or the object itself in overrides.',
    })
    expect(issuesOf(() => registry.fromDict({ class_name: 5 }))).toMatchObject([{ path: 'class_name' }])
  })

  it('rejects two classes with the same name', () => {
    class Twin extends Author {}
    expect(issuesOf(() => new ClassRegistry([Author, Twin]))).toMatchObject([{ path: 'Author', code: 'unique' }])
  })
})
