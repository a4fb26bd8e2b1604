/**
 * @module
 * The functions that declare fields. Each returns a field spec; the type of the value exists only in the type system.
 */

import { arrayKeywords, type Keywords, numberKeywords, stringKeywords } from '@x/core/json-schema'
import { checkOption, list, required } from '@x/core/options'
import { checkJsonData } from '@x/core/values'
import type { JsonSchema } from '../model/json-schema.ts'
import type { Dict } from '../model/model-class.ts'
import { checkBy } from './checks.ts'
import type {
  AnyModelClass,
  Classes,
  DeclaredField,
  Field,
  Flag,
  FlagsOf,
  InputOf,
  Only,
  OptionsOfClass,
  TypeOf,
} from './field-types.ts'

/** Options of every field. */
export interface FieldOptions {
  /** Description in the JSON Schema. Editors show the comment above the field instead. */
  description?: string
  /** Name on the wire. @defaultValue the field's name in snake case */
  wire?: string
  /** Further wire names that are read if the first one is absent or null. Dots separate the keys of nested objects. */
  aliases?: readonly string[]
  /** The names that other libraries have for the option. They are refused, with a message that leads to this one. */
  otherNames?: readonly string[]
  /**
   * Whether the field is not part of a shared interface: it is written only when it differs from its default, and `schema()` omits
   * it.
   */
  extension?: boolean
}

/** A field with a default is optional; every other field is required. */
interface DefaultOption<T> {
  /** The value of an omitted option, or a function that returns it. Each instance receives its own copy. */
  default?: T | (() => T)
}

/** Bounds of numbers. A field with bounds is read-only on instances. */
interface NumberBounds {
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

/** Bounds of strings. A field with bounds is read-only on instances. */
interface StringBounds {
  /** Minimum number of characters (code points). */
  minLength?: number
  /** Maximum number of characters (code points). */
  maxLength?: number
  /**
   * A regular expression (with the `u` flag) that the string must match. It also runs on untrusted values: avoid nested quantifiers,
   * or limit the time with `maxLength`, which is checked first.
   */
  pattern?: string
  /** The format in the JSON Schema, such as `email`. It is not checked. */
  format?: string
}

/** Bounds of arrays. */
interface ArrayBounds {
  minItems?: number
  maxItems?: number
  /** Whether the items must be unique. Items are compared as JSON. */
  uniqueItems?: boolean
}

/** Options of `string`. */
interface StringOptions extends FieldOptions, DefaultOption<string>, StringBounds {}
/** Options of `number` and `integer`. */
interface NumberOptions extends FieldOptions, DefaultOption<number>, NumberBounds {}
/** Options of a field without bounds. */
interface PlainOptions<T> extends FieldOptions, DefaultOption<T> {}
/** Options of `array`. */
interface ArrayOptions<T> extends FieldOptions, DefaultOption<readonly T[]>, ArrayBounds {}
/** Options of `record`. */
interface RecordOptions<T> extends FieldOptions, DefaultOption<Readonly<Record<string, T>>> {
  /** The allowed keys. @defaultValue any */
  keys?: readonly string[]
}

type OptionalFlag<O> = O extends { default: unknown } ? 'optional' : never
type BoundFlag<O> =
  Extract<keyof O, keyof NumberBounds | Exclude<keyof StringBounds, 'format'>> extends never ? never : 'readonly'
type FlagsFor<O> = OptionalFlag<O> | BoundFlag<O>

const boundKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
]

/** Whether a schema has bounds, which make its field read-only. */
function isBounded(schema: JsonSchema): boolean {
  return boundKeywords.some((keyword) => keyword in schema)
}

/**
 * Returns the field for a JSON Schema and the options of a field function. Options other than those of `FieldOptions` are JSON Schema
 * keywords. `checked` contains the keywords that the core does not check; `part` is the field of the items or entries.
 */
export function fieldOf<R extends Field<unknown, Flag, unknown>>(
  schema: JsonSchema,
  options: FieldOptions & { default?: unknown } = {},
  more: Partial<DeclaredField> = {},
  checked: Keywords = {},
  part?: DeclaredField,
): R {
  checkOption('field', 'options', options, required('an object of options'))
  const { default: given, wire, aliases, otherNames, extension, ...keywords } = options
  const make = typeof given === 'function' ? (given as () => unknown) : undefined
  const whole = { ...schema, ...keywords }
  const check = more.check ?? checkBy(whole, checked, part)
  const field: DeclaredField = {
    ...more,
    ...(part?.of && { of: part.of }),
    ...(check && { check }),
    schema: whole,
    ...(wire !== undefined && { wire }),
    ...(aliases && { aliases }),
    ...(otherNames && { otherNames }),
    ...(extension && { extension }),
    ...(given === undefined && { required: true }),
    ...(make ? { make } : given !== undefined && given !== null && { default: given }),
    ...(isBounded(whole) && { bounded: true }),
  }
  // The type parameters of a field do not exist at run time.
  return field as R
}

/** A string. */
export function string<const O extends StringOptions = object>(
  options?: Only<O, StringOptions>,
): Field<string, FlagsFor<O>> {
  return fieldOf({ type: 'string' }, options, {}, stringKeywords)
}

/** A finite number. */
export function number<const O extends NumberOptions = object>(
  options?: Only<O, NumberOptions>,
): Field<number, FlagsFor<O>> {
  return fieldOf({ type: 'number' }, options, {}, numberKeywords)
}

/** An integer. */
export function integer<const O extends NumberOptions = object>(
  options?: Only<O, NumberOptions>,
): Field<number, FlagsFor<O>> {
  return fieldOf({ type: 'integer' }, options, {}, numberKeywords)
}

/** True or false. */
export function boolean<const O extends PlainOptions<boolean> = object>(
  options?: Only<O, PlainOptions<boolean>>,
): Field<boolean, OptionalFlag<O>> {
  return fieldOf({ type: 'boolean' }, options)
}

/** One of these strings, numbers or booleans. */
export function oneOf<const V extends string | number | boolean, const O extends PlainOptions<NoInfer<V>> = object>(
  values: readonly V[],
  options?: Only<O, PlainOptions<V>>,
): Field<V, OptionalFlag<O>> {
  checkOption('oneOf', 'values', values, required(list))
  const types = [...new Set(values.map((value) => typeof value))]
  return fieldOf({ type: types.length === 1 ? types[0]! : types, enum: [...values] }, options)
}

/** An array whose items are all of the same kind of field. */
export function array<
  I extends Field<unknown, Flag, unknown>,
  const O extends ArrayOptions<NoInfer<InputOf<I>>> = object,
>(item: I, options?: Only<O, ArrayOptions<unknown>>): Field<TypeOf<I>[], OptionalFlag<O>, readonly InputOf<I>[]> {
  checkOption('array', 'item', item, required('a field', 'schema'))
  return fieldOf({ type: 'array', items: item.schema }, options, {}, arrayKeywords, item)
}

/** An object with any keys, whose values are all of the same kind of field. */
export function record<
  I extends Field<unknown, Flag, unknown>,
  const O extends RecordOptions<NoInfer<InputOf<I>>> = object,
>(
  value: I,
  options?: Only<O, RecordOptions<unknown>>,
): Field<Record<string, TypeOf<I>>, OptionalFlag<O>, Readonly<Record<string, InputOf<I>>>> {
  checkOption('record', 'value', value, required('a field', 'schema'))
  const { keys, ...rest } = (options ?? {}) as RecordOptions<unknown>
  const schema = { type: 'object', ...(keys && { propertyNames: { enum: keys } }), additionalProperties: value.schema }
  return fieldOf(schema, rest, {}, {}, value)
}

/** Free-form data of the user: an object of JSON values whose keys are never renamed. */
export function freeForm<const O extends PlainOptions<Readonly<Dict>> = object>(
  options?: Only<O, PlainOptions<Dict>>,
): Field<Dict, OptionalFlag<O>, Readonly<Dict>> {
  return fieldOf({ type: 'object' }, options)
}

/** Any JSON value. */
export function anything<const O extends PlainOptions<unknown> = object>(
  options?: Only<O, PlainOptions<unknown>>,
): Field<unknown, OptionalFlag<O>> {
  return fieldOf({}, options, { check: () => checkJsonData })
}

/** The value of another field, or null. @defaultValue null, unless `options` contain another default */
export function nullable<
  I extends Field<unknown, Flag, unknown>,
  const O extends PlainOptions<NoInfer<InputOf<I>> | null> = object,
>(
  inner: I,
  options?: Only<O, PlainOptions<unknown>>,
): Field<TypeOf<I> | null, 'optional' | Extract<FlagsOf<I>, 'readonly'>, InputOf<I> | null> {
  checkOption('nullable', 'inner', inner, required('a field', 'schema'))
  const { required: _required, default: _default, make: _make, schema, ...rest } = inner
  const { type, enum: values } = schema
  const orNull: JsonSchema =
    type === undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [...[type].flat(), 'null'], ...(values && { enum: [...values, null] }) }
  return fieldOf(orNull, { default: null, ...(options as FieldOptions) }, rest)
}

/** An instance or its constructor options. A class without typed options accepts instances only. */
type NestedInput<C extends AnyModelClass> =
  | InstanceType<C>
  | (unknown extends OptionsOfClass<C> ? never : OptionsOfClass<C>)

/**
 * Another model. It is written as its own dict and read back by its class. With several classes, the `class_name` in the data selects
 * one; data without a `class_name` are read by the first.
 */
export function nested<C extends AnyModelClass>(
  classes: C | readonly C[],
  options?: FieldOptions,
): Field<InstanceType<C>, never, NestedInput<C>> {
  return fieldOf({ 'x-nested': true }, options, { of: () => classes })
}

/**
 * Like `nested`, for the class itself and for classes that are defined later. Write the type argument and the return type:
 * `nestedLazily<Tree>((): ModelClass => Tree)`.
 */
export function nestedLazily<T>(classes: () => Classes, options?: FieldOptions): Field<T, never, T | Readonly<Dict>> {
  return fieldOf({ 'x-nested': true }, options, { of: classes })
}

/** Options of `live`. */
interface LiveOptions extends FieldOptions {
  /** Whether the option is required. @defaultValue false; the field is null then */
  required?: boolean
  /** The JSON Schema of the field. @defaultValue {} */
  schema?: JsonSchema
}

/**
 * A live object or a function. It is never written or read; copies share it. `holds` is `'function'`, or the names of the methods
 * that the object must have.
 */
export function live<T>(
  holds: 'function' | readonly (keyof T & string)[],
  options: LiveOptions & { required: true },
): Field<T>
export function live<T>(
  holds: 'function' | readonly (keyof T & string)[],
  options?: LiveOptions,
): Field<T | null, 'optional'>
export function live(
  holds: 'function' | readonly string[],
  { required, schema = {}, ...options }: LiveOptions = {},
): Field {
  return fieldOf(schema, { ...options, ...(!required && { default: null }) }, { runtime: true, holds })
}
