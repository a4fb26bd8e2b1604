/**
 * @module
 * `fields`, which declares the fields of a custom model in its class head.
 */

import { ConfigurationError, type Model } from '@x/core'
import { checkOf, Report } from '@x/core/json-schema'
import { checkOption, type OptionCheck } from '@x/core/options'
import type { ModelClass } from '../model/model.ts'
import type { Dict } from '../model/model-class.ts'
import type { FieldSpec, ModelSpec } from '../model/model-spec.ts'
import { extendSpec } from '../model/model-spec.ts'
import { toSnakeCase } from '../model/snake-case.ts'
import type { AnyModelClass, DeclaredField, Field, Fields, WithFields } from './field-types.ts'

/** Options of a model class. */
interface ModelFacts {
  /** Description in the JSON Schema. */
  description?: string
  /** Identifier on the wire; null for an abstract class. @defaultValue `name` */
  className?: string | null
  /** Whether the class is a plain record, which writes no `class_name`. @defaultValue the value of the base class */
  plainRecord?: boolean
}

/**
 * Returns the base class of a custom model. Its fields are typed, checked on construction, written as JSON and read back. `name`
 * identifies the class on the wire. `own` declares the fields; editors show the comments in it.
 *
 * In a library write `extends /* @__PURE__ *\/ fields(…)`, so that bundlers can leave out classes that are not used.
 *
 * Mistakes that the compiler does not find are reported when the class is first used.
 * @throws {ConfigurationError} at first use, if a field has the name of a member of the base class, two fields have the same wire name,
 * a default or a pattern is invalid, a nested class is undefined, or a JSON Schema keyword is not supported.
 * @example
 * import { fields, integer, string } from '@x/core/fields'
 * class Shelf extends fields(Model, 'Shelf', {
 *   label: string({ pattern: '^[A-Z]' }),
 *   maxBooks: integer({ minimum: 1, default: 40 }),
 * }) {}
 * new Shelf({ label: 'A' }).toDict() // => { label: 'A', max_books: 40, class_name: 'Shelf' }
 * new Shelf({ label: 'a' }) // => throws model_validation
 */
export function fields<B extends AnyModelClass, F extends Fields = Record<never, Field>>(
  base: B,
  name: string,
  own?: F,
  facts: ModelFacts = {},
): WithFields<B, F> {
  checkOption('fields', 'base', base, isModelClass)
  const declared: Fields = own ?? {}
  const parent = base as unknown as ModelClass & (new (options?: object) => Model)
  let spec: ModelSpec | undefined
  class Declared extends parent {
    static override spec(): ModelSpec {
      spec ??= specOf(parent, name, declared, facts)
      return spec
    }

    static override nested(): ReturnType<ModelClass['nested']> {
      const nested = { ...parent.nested() }
      // An abstract class matches instances of its subclasses.
      for (const [field, { of }] of Object.entries(declared)) {
        if (!of) continue
        const classes = [of()].flat() as unknown as readonly ModelClass[]
        if (classes.includes(undefined as never))
          throw new ConfigurationError(
            `${name}.${field}: the class of the nested model is undefined, as in a circle of imports; use nestedLazily.`,
          )
        nested[field] = classes
      }
      return nested
    }
  }
  if (Object.values(declared).some(({ make }) => make))
    Object.defineProperty(Declared, 'makeDefault', {
      value: (field: string) =>
        Object.hasOwn(declared, field) ? (declared[field]!.make?.() ?? null) : parent.makeDefault(field),
      configurable: true,
      writable: true,
    })
  return Declared as unknown as WithFields<B, F>
}

const isModelClass: OptionCheck = (value) =>
  typeof value === 'function' && 'spec' in value ? undefined : 'a model class, such as Model'

function specOf(
  parent: ModelClass,
  name: string,
  own: Fields,
  { description, className = name, plainRecord: record }: ModelFacts,
): ModelSpec {
  const specs: Record<string, FieldSpec> = {}
  for (const [field, declared] of Object.entries(own)) {
    const where = `${name}.${field}`
    const { prototype } = parent as unknown as { prototype: Dict }
    if (field in prototype)
      throw new ConfigurationError(`${where}: the base class already has a member with this name; rename the field.`)
    const fieldSpec = { ...declared, ...located(declared, where) }
    checkDefault(fieldSpec, where)
    specs[field] = fieldSpec
  }
  const spec = extendSpec(parent, {
    name,
    ...(description !== undefined && { description }),
    ...(className !== null && { className }),
    ...(record !== undefined && { record }),
    fields: specs,
    checkOf,
    mayOverwrite: (modelClass) => mayOverwrite(modelClass, Object.keys(spec.fields)),
  })
  const byWire = new Map<string, string>(spec.record ? [] : [['class_name', 'the class name']])
  for (const [field, { wire = toSnakeCase(field) }] of Object.entries(spec.fields)) {
    const other = byWire.get(wire)
    if (other !== undefined)
      throw new ConfigurationError(`${name}.${field}: ${other} already has the wire name "${wire}".`)
    byWire.set(wire, `the field "${field}"`)
  }
  return spec
}

/** Refuses a default that is not valid. Defaults that are models or functions are checked at compile time only. */
function checkDefault({ schema, check = checkOf, default: byDefault, of }: DeclaredField, where: string): void {
  if (byDefault === undefined || of) return
  const report = new Report([where])
  check(schema, checkOf)?.(byDefault, report)
  const [issue] = report.issues
  if (issue) throw new ConfigurationError(`${issue.path}: the default is not valid: ${issue.message}.`)
}

/** Returns the check of a field. Errors in its schema are reported with the name of the field. */
function located({ check }: FieldSpec, where: string): Pick<FieldSpec, 'check'> {
  if (!check) return {}
  return {
    check(schema, checkOf) {
      try {
        return check(schema, checkOf)
      } catch (cause) {
        throw new ConfigurationError(`${where}: ${(cause as Error).message}.`, { cause })
      }
    },
  }
}

/**
 * Whether the source of a class, or of one that it extends, has what looks like a class field with one of these names. Such a class
 * stays guarded, so that every construction fails, not only the first ones. A class that only looks like it is constructed more slowly.
 */
export function mayOverwrite(modelClass: object, names: readonly string[]): boolean {
  const name = `(?:${names.map((one) => one.replaceAll('$', '\\$')).join('|')})`
  // The second form is that of compilers for targets without class fields: `__publicField(this, "label")`.
  const classField = new RegExp(`[{};\\n]\\s*${name}\\s*[\\n;=}]|\\(this, ?["']${name}["']`)
  for (let each = modelClass; typeof each === 'function'; each = Object.getPrototypeOf(each))
    if (classField.test(`${each}`)) return true
  return false
}
