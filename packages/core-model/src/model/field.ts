/**
 * @module
 * The fields of a model class, made ready once.
 */
import { type Check, type CheckMaker, checkOf, type Report } from './check-value.ts'
import { InvalidNested, tryRead } from './invalid-nested.ts'
import { isInstance } from './is-model.ts'
import { checkJsonData } from './json-data.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnyModelClass, Dict, NestedClasses } from './model-class.ts'
import type { FieldSpec } from './model-spec.ts'
import { copyLevel, deepCopy, isPlainObject, mapItems, type Path } from './plain.ts'

/** A field of a class. All have the same shape, because they are read again and again. */
export interface Field {
  name: string
  spec: FieldSpec
  wire: string
  required: boolean | undefined
  runtime: boolean | undefined
  bounded: boolean | undefined
  extension: boolean | undefined
  default: unknown
  /** The classes of the models in it; none for a component that is told by its methods. */
  of: NestedClasses | undefined
  /** The texts that fit, which are kept as they are: all, or these; undefined when it takes a check to say. */
  texts: 'all' | readonly unknown[] | undefined
  /** What an instance keeps of a value that is given; reports what does not fit. */
  keep: (value: unknown, report: Report) => unknown
  /** A value when none is given. */
  fresh: () => unknown
}

/** The fields of a class, in order. */
export interface Fields extends ReadonlyArray<Field> {
  /** The names of those that were given to the instance that was made last: mostly the same as for the next one. */
  given: readonly string[]
  /** How many more instances are made with fields that cannot be defined again; see `guard`. */
  guarded: number
}

const known = new WeakMap<object, Fields>()

/** The fields of a class, made ready when they are asked for first. */
export function fieldsOf(modelClass: Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>): Fields {
  let fields = known.get(modelClass)
  if (fields === undefined) {
    const { fields: specs, check = checkOf } = modelClass.spec()
    const nested = modelClass.nested()
    const list = Object.entries(specs).map(([name, spec]): Field => {
      const { wire = name, schema, default: byDefault = null, required, runtime, bounded, extension, holds } = spec
      const given = nested[name] ?? (holds && [])
      const of = given && ('classes' in given ? given : { classes: given })
      const makeCheck = spec.json === undefined ? (spec.check ?? check) : checkOfData(spec.json)
      const keep = (runtime ?? holds) ? keepHeld(spec) : keepChecked(spec, makeCheck(schema, checkOf), of)
      const isPlain = makeCheck === checkOf && !runtime && !of && [schema.type ?? 'string'].flat().includes('string')
      const texts = isPlain ? (schema.enum ?? 'all') : undefined
      const fresh = freshOf(modelClass, name, byDefault)
      return { name, spec, wire, required, runtime, bounded, extension, default: byDefault, of, texts, keep, fresh }
    })
    fields = Object.assign(list, { given: [], guarded: 20 })
    known.set(modelClass, fields)
  }
  return fields
}

/** The check of a field of any JSON data, or of an object of anything. */
function checkOfData(json: boolean): CheckMaker {
  return (schema) => checkOf(schema, checkOf, json ? checkJsonData : () => {})
}

/** No default is made. */
export function noDefault(_field: string): unknown {
  return null
}

function freshOf(modelClass: Pick<AnyModelClass, 'makeDefault'>, name: string, byDefault: unknown): () => unknown {
  if (byDefault === null && modelClass.makeDefault !== noDefault) return () => modelClass.makeDefault(name)
  if (typeof byDefault !== 'object' || byDefault === null) return () => byDefault
  if (Object.keys(byDefault).length > 0) return () => deepCopy(byDefault)
  return Array.isArray(byDefault) ? () => [] : () => ({})
}

const withMethods = (methods: readonly string[]): string =>
  ['an object', ...methods].join(', ').replace(',', ' with the methods')

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return methods.every((method) => typeof (value as Dict | null | undefined)?.[method] === 'function')
}

/** Whether a class is only a base: it has no name on the wire, so data cannot be of it. */
export function isAbstract(modelClass: Pick<AnyModelClass, 'spec'>): boolean {
  return modelClass.spec().className === undefined
}

/** Keeps a live object, or a component told by its methods, as it is. */
function keepHeld({ holds = [], required }: FieldSpec): Field['keep'] {
  const [expected, fits] =
    holds === 'function'
      ? ['a function', (value: unknown) => typeof value === 'function']
      : [withMethods(holds), (value: unknown) => hasMethods(value, holds)]
  return (value, report) => {
    if (value instanceof InvalidNested) report.take(value.issues)
    else if (value === null ? required : !fits(value)) report.add(expected, value)
    return value
  }
}

/** Keeps a copy of lists and objects, one level deep, with models made of the plain data in it. */
function keepChecked(
  { schema, required }: FieldSpec,
  check: Check | undefined,
  of: NestedClasses | undefined,
): Field['keep'] {
  if (!of)
    return (value, report) => {
      check?.(value, report)
      return copyLevel(value)
    }
  const { classes, methods } = of
  const [first] = classes
  const expected = [
    ...classes.map((modelClass) => modelClass.spec().name),
    ...(methods ? [withMethods(methods)] : []),
  ].join(' or ')
  return (value, report) => {
    if (value === null && required) report.add('an object', value)
    else if (!(value instanceof InvalidNested)) check?.(value, report)
    if (value === null) return value
    return mapModels(value, schema, report.path, (item) => {
      if (classes.some((modelClass) => isInstance(item, modelClass)) || (methods && hasMethods(item, methods)))
        return item
      const canBuild = first && !isAbstract(first) && isPlainObject(item)
      const built = canBuild ? tryRead(report.path, () => new first(item)) : item
      if (built instanceof InvalidNested) report.take(built.issues)
      else if (built === item) report.add(expected, item)
      return built
    })
  }
}

/** A value with each model in it mapped: the value itself, the items of a list, or the entries of a map and of lists in it. */
export function mapModels(value: unknown, schema: JsonSchema, path: Path, map: (item: unknown) => unknown): unknown {
  if (schema['x-nested'] !== undefined) return map(value)
  const mapList = (item: unknown): unknown => (Array.isArray(item) ? mapItems(item, map, path) : map(item))
  return (schema.type?.includes('object') ? mapItems(value, mapList, path) : undefined) ?? mapList(value)
}
