/**
 * @module
 * The fields of a model class, prepared once per class.
 */
import type { Check } from './check-value.ts'
import { InvalidNested, tryRead } from './invalid-nested.ts'
import { isInstance } from './is-model.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnyModelClass, Dict, NestedClasses } from './model-class.ts'
import type { FieldSpec } from './model-spec.ts'
import { copyLevel, deepCopy, isPlainObject, mapItems, type Path } from './plain.ts'
import type { Report } from './report.ts'
import { toSnakeCase } from './snake-case.ts'

/** A field of a class. All objects have the same shape, so that engines read them fast. */
export interface ModelField {
  name: string
  spec: FieldSpec
  wire: string
  required: boolean | undefined
  runtime: boolean | undefined
  bounded: boolean | undefined
  extension: boolean | undefined
  default: unknown
  /** The classes of the nested models; empty for a component that is recognized by its methods. */
  of: NestedClasses | undefined
  /** The valid strings: all, or these. Undefined if the field needs a full check. */
  strings: 'all' | readonly unknown[] | undefined
  /** Returns the value that an instance stores for an option, and reports what is invalid. */
  keep: (value: unknown, report: Report) => unknown
  /** Returns the default of a new instance. Undefined if all instances share the default; see also `newObject`. */
  fresh: (() => unknown) | undefined
}

/** The fields of a class, in order. */
export interface ModelFields extends ReadonlyArray<ModelField> {
  /**
   * Cache: field names given to the previous instance. Instances usually share them.
   */
  given: readonly string[]
  /** How many more instances get non-configurable fields (see `fill`). Infinity for classes whose own class fields may overwrite model fields. */
  guarded: number
}

const known = new WeakMap<object, ModelFields>()

/** What the fields of a class are prepared from: a model class. */
export type FieldSource = Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>

/** Returns the fields of a class. They are prepared at the first call. */
export function fieldsOf(modelClass: FieldSource): ModelFields {
  return known.get(modelClass) ?? prepareFields(modelClass)
}

function prepareFields(modelClass: FieldSource): ModelFields {
  const { fields: specs, checkOf, check = checkOf, mayOverwrite } = modelClass.spec()
  const nested = modelClass.nested()
  const list = Object.entries(specs).map(([name, spec]): ModelField => {
    const {
      wire = toSnakeCase(name),
      schema,
      default: byDefault = null,
      required,
      runtime,
      bounded,
      extension,
      holds,
      json,
    } = spec
    const given = nested[name] ?? (holds && [])
    const of = given && ('classes' in given ? given : { classes: given })
    const makeCheck: NonNullable<FieldSpec['check']> =
      json === undefined ? (spec.check ?? check) : () => checkOf(schema, checkOf, json)
    const fresh = freshOf(modelClass, name, byDefault)
    const keep = (runtime ?? holds) ? keepHeld(spec, fresh) : keepChecked(spec, makeCheck(schema, checkOf), of)
    // Strings are JSON data.
    const isUsual = (makeCheck === checkOf || json !== undefined) && !runtime && !of
    const strings = isUsual && [schema.type ?? 'string'].flat().includes('string') ? (schema.enum ?? 'all') : undefined
    return { name, spec, wire, required, runtime, bounded, extension, default: byDefault, of, strings, keep, fresh }
  })
  const fields = Object.assign(list, { given: [], guarded: mayOverwrite?.(modelClass) ? Infinity : 20 })
  known.set(modelClass, fields)
  return fields
}

/** Returns null: the class computes no defaults. */
export function noDefault(_field: string): unknown {
  return null
}

/** Marker for an empty-object default; `fill` inlines it because it is the most common default. */
export const newObject = (): Dict => ({})

function freshOf(
  modelClass: Pick<AnyModelClass, 'makeDefault'>,
  name: string,
  byDefault: unknown,
): ModelField['fresh'] {
  if (byDefault === null && modelClass.makeDefault !== noDefault) return () => modelClass.makeDefault(name)
  if (typeof byDefault !== 'object' || byDefault === null) return undefined
  if (Object.keys(byDefault).length) return () => deepCopy(byDefault)
  return Array.isArray(byDefault) ? () => [] : newObject
}

const withMethods = (methods: readonly string[]): string =>
  ['an object', ...methods].join(', ').replace(',', methods[1] ? ' with the methods' : ' with the method')

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return methods.every((method) => typeof (value as Dict | null | undefined)?.[method] === 'function')
}

/** Whether a class is abstract: it has no name on the wire, so no data can name it. */
export function isAbstract(modelClass: Pick<AnyModelClass, 'spec'>): boolean {
  return modelClass.spec().className === undefined
}

/** Stores a live object, or a component recognized by its methods, unchanged. Null is the default if the schema has one. */
function keepHeld({ holds = [], required, schema }: FieldSpec, fresh: ModelField['fresh']): ModelField['keep'] {
  const fits = (value: unknown) => (holds === 'function' ? typeof value === holds : hasMethods(value, holds))
  return (value, report) => {
    if (value instanceof InvalidNested) report.addAll(value.issues)
    else if (value === null ? required : !fits(value))
      report.add(holds === 'function' ? 'a function' : withMethods(holds), value)
    return value === null && schema.default && fresh ? fresh() : value
  }
}

/** Stores a copy, one level deep, of arrays and objects. Plain objects in it become nested models. */
function keepChecked(
  { schema, required }: FieldSpec,
  check: Check | undefined,
  of: NestedClasses | undefined,
): ModelField['keep'] {
  if (!of) {
    // Two monomorphic functions: faster than one that branches.
    if (schema.type === 'object')
      return (value, report) => {
        check?.(value, report)
        return report.issues.length ? value : { ...(value as object) }
      }
    return (value, report) => {
      check?.(value, report)
      return copyLevel(value)
    }
  }
  const { classes, methods } = of
  const [first] = classes
  const expected = [
    ...new Set(classes.map((modelClass) => modelClass.spec().name)),
    ...(methods ? [withMethods(methods)] : []),
  ].join(' or ')
  const isAccepted = (item: unknown): unknown =>
    classes.some((modelClass) => isInstance(item, modelClass)) || (methods && hasMethods(item, methods))
  return (value, report) => {
    if (schema['x-nested'] && isAccepted(value)) return value
    if (value === null && required) report.add('an object', value)
    else if (!(value instanceof InvalidNested)) check?.(value, report)
    if (value === null) return value
    return mapModels(value, schema, report.path, (item) => {
      if (isAccepted(item)) return item
      const canBuild = first && !isAbstract(first) && isPlainObject(item)
      const built = canBuild ? tryRead(report.path, () => new first(item)) : item
      if (built instanceof InvalidNested) report.addAll(built.issues)
      else if (built === item) report.add(expected, item)
      return built
    })
  }
}

/**
 * Maps each nested model in a value: the value itself, or the items of arrays and the entries of objects that the schema describes. Where
 * an object contains models, it may also contain arrays of them.
 */
export function mapModels(value: unknown, schema: JsonSchema, path: Path, map: (item: unknown) => unknown): unknown {
  if (schema['x-nested'] !== undefined) return map(value)
  const { anyOf, items, additionalProperties } = schema
  // A nullable model is one of two.
  if (anyOf) return value === null ? value : mapModels(value, anyOf[0]!, path, map)
  const part = (items ?? additionalProperties) as JsonSchema
  const mapPart = (item: unknown): unknown =>
    !items && part['x-nested'] !== undefined && Array.isArray(item)
      ? mapItems(item, map, path)
      : mapModels(item, part, path, map)
  return mapItems(value, mapPart, path) ?? value
}
