/**
 * @module
 * The fields of a model class: prepared once per class, read from data in wire form, and assigned to its instances.
 */

import { unknownName } from '../check-options.ts'
import { ModelValidationError, UnknownClassNameError } from '../errors.ts'
import type { Check } from './check-value.ts'
import { InvalidNested, tryRead } from './invalid-nested.ts'
import { isInstance } from './is-model.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnyModelClass, Dict, NestedClasses, ReadOptions } from './model-class.ts'
import type { FieldSpec } from './model-spec.ts'
import { copyLevel, deepCopy, isPlainObject, mapItems, type Path } from './plain.ts'
import { firstOf, invalid, pathText, Report } from './report.ts'
import { toSnakeCase } from './snake-case.ts'

/** A field of a class. All objects have the same shape, so that engines read them fast. */
interface ModelField {
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
   * Cache: field names of the previous instance. Instances usually share them.
   */
  given: readonly string[]
  /**
   * How many more instances get non-configurable fields (see `fill`). Infinity for classes whose own class fields may overwrite model
   * fields.
   */
  guarded: number
}

const known = new WeakMap<object, ModelFields>()

/** What the fields of a class are prepared from: a model class. */
type FieldSource = Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>

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
  const fields = Object.assign(list, {
    given: [],
    guarded: mayOverwrite?.(modelClass) ? Infinity : 20,
  })
  known.set(modelClass, fields)
  return fields
}

/** Marker for an empty-object default; `assign` inlines it because it is the most common default. */
const newObject = (): Dict => ({})

function freshOf(
  modelClass: Pick<AnyModelClass, 'makeDefault'>,
  name: string,
  byDefault: unknown,
): ModelField['fresh'] {
  if (byDefault === null)
    return (modelClass.makeDefault.fields?.includes(name) ?? true) ? () => modelClass.makeDefault(name) : undefined
  if (typeof byDefault !== 'object') return undefined
  if (Object.keys(byDefault).length) return () => deepCopy(byDefault)
  return Array.isArray(byDefault) ? () => [] : newObject
}

const withMethods = (methods: readonly string[]): string =>
  ['an object', ...methods].join(', ').replace(',', methods[1] ? ' with the methods' : ' with the method')

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  for (const method of methods) if (typeof (value as Dict | null | undefined)?.[method] !== 'function') return false
  return true
}

/** Whether a class is abstract: it has no name on the wire, so no data can name it. */
function isAbstract(modelClass: Pick<AnyModelClass, 'spec'>): boolean {
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
    // Numbers and booleans need no copy. Without a type, the value may be of any. Two functions are faster than one that branches.
    if (!/array|object|undefined/.test(`${schema.type}`))
      return (value, report) => {
        check?.(value, report)
        return value
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
    if (value !== null && schema['x-nested'] && isAccepted(value)) return value
    if (value === null && required) report.add('an object', value)
    else check?.(value, report)
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
function mapModels(value: unknown, schema: JsonSchema, path: Path, map: (item: unknown) => unknown): unknown {
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

/** Returns constructor options, in API names, from data and overrides. Overrides have priority. */
export function readFields(modelClass: AnyModelClass, data: Dict, overrides: Dict, options: ReadOptions): Dict {
  if (!overrides || !options) throw invalid(modelClass.spec().name, 'an object of options', null)
  const values: Dict = {}
  const hasOverrides = Object.keys(overrides).length > 0
  const path: Path = []
  let of: NestedClasses | undefined

  /** Reads a nested model of the current field. */
  function readItem(item: unknown): unknown {
    if (!of || !isPlainObject(item)) return item
    const unnamed = of.unnamed?.(item)
    const className = item['class_name'] ?? (typeof unnamed === 'string' ? unnamed : undefined)
    const first = typeof unnamed === 'function' ? unnamed : of.classes[0]
    const nestedClass =
      of.classes.find((known) => !isAbstract(known) && known.className() === className) ??
      (typeof className === 'string' ? options.registry?.get?.(className) : undefined) ??
      (first && !isAbstract(first) && (className === undefined || first.spec().record) ? first : undefined)
    if (nestedClass) return tryRead(path, () => nestedClass.fromDict(item, {}, options))
    throw typeof className === 'string' && of.unknown
      ? of.unknown(className)
      : unknownClass(`${modelClass.spec().name}.${pathText(path)}`, className)
  }

  for (const { name, wire, spec, runtime, of: classes } of fieldsOf(modelClass)) {
    if (runtime || (hasOverrides && overrides[name] !== undefined)) continue
    let value = data[wire]
    if (value === undefined && spec.aliases)
      value = data[spec.aliases.find((alias) => data[alias] !== undefined) ?? wire]
    path[0] = name
    of = classes
    if (value !== undefined) values[name] = of ? mapModels(value, spec.schema, path, readItem) : value
  }
  // The overrides may contain options that are not fields, such as the variables of a prompt.
  return hasOverrides ? { ...values, ...overrides } : values
}

/** Returns the error for data whose class is unknown. */
export function unknownClass(where: string, className: unknown): Error {
  if (className === undefined || typeof className === 'string')
    return new UnknownClassNameError(where, className ?? null)
  return invalid(where, 'a string', className, ['class_name'])
}

/**
 * Assigns `values` to the fields of an instance, validated if `checked`, and defaults to the other fields. Returns the names of the
 * fields that `values` contains.
 * @throws {ModelValidationError} if a value is invalid. Then the instance must not be used.
 */
export function fill(model: object, modelClass: FieldSource, values: Dict, checked: boolean): readonly string[] {
  const fields = fieldsOf(modelClass)
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw invalid(modelClass.spec().name, `an object of options${firstOf(fields.map(({ name }) => name))}`, values)
  // The fields of a guarded instance cannot be defined again: a class field with the name of a model field (`label!: string` instead of
  // `declare label: string`) would overwrite the value with undefined; here the engine throws "Cannot redefine property: label". Such a
  // class fails at its first instance, so later instances are created without this cost, unless the class is known to look like one.
  const isGuarded = checked && fields.guarded > 0 && Object.keys(model).length === 0
  if (isGuarded) {
    fields.guarded--
    // Define the marker before the fields: guarded instances then have a hidden class of their own, and stores to all others stay fast.
    Object.defineProperty(model, '~guarded', { value: true })
  }
  const given = assign(model, modelClass, fields, values, checked)
  if (isGuarded) for (const name of Object.keys(model)) Object.defineProperty(model, name, { configurable: false })
  return given
}

/** Cache: the report of the previous instance. Most instances have no issues, and share it. */
let unused: Report | undefined

/** Does the work of `fill`. A function of its own, because engines optimize it better without the guard. */
function assign(
  model: object,
  modelClass: FieldSource,
  fields: ModelFields,
  values: Dict,
  checked: boolean,
): readonly string[] {
  let { given } = fields
  let count = 0
  let report: Report | undefined
  for (const field of fields) {
    const { name, fresh, strings } = field
    let value = values[name]
    if (value !== undefined) {
      // Instances with the same names share the array.
      if (given[count] !== name) given = [...given.slice(0, count), name]
      count++
      // Most values are strings, which need no full check.
      if (checked && !(typeof value === 'string' && (strings === 'all' || strings?.includes(value)))) {
        report ??= unused ?? new Report()
        // An instance among the values needs one of its own.
        unused = undefined
        report.path[0] = name
        value = field.keep(value, report)
      }
      put(model, field, value)
    } else if (!field.required) put(model, field, fresh === newObject ? {} : fresh ? fresh() : field.default)
    else if (checked)
      (report ??= new Report()).issues.push({ path: name, message: 'required, but missing', code: 'required' })
  }
  if (checked && Object.keys(values).length !== count) report = refuseUnknown(fields, values, report)
  if (report?.issues.length) throw new ModelValidationError(modelClass.spec().name, report.issues)
  unused ??= report
  if (count < given.length) given = given.slice(0, count)
  fields.given = given
  return given
}

/** Reports the names of options that are not fields. */
function refuseUnknown(fields: ModelFields, values: Dict, report = new Report()): Report {
  const known = fields.map(({ name }) => name)
  for (const name of Object.keys(values))
    if (values[name] !== undefined && !known.includes(name)) {
      const right = fields.find(({ spec }) => [spec.otherNames, spec.aliases].some((names) => names?.includes(name)))
      report.issues.push(unknownName(name, known, right?.name))
    }
  return report
}

/** Sets a field of an instance. A field with bounds is read-only. */
export function put(model: object, { name, bounded }: ModelField, value: unknown): void {
  if (bounded) Object.defineProperty(model, name, { value, enumerable: true, configurable: true })
  else (model as Dict)[name] = value
}
