/**
 * @module
 * The words that declare fields. Each returns what the model layer needs to know; the types are phantom types.
 */
import { checkJsonData } from '@x/core-model/internal'
import type { JsonSchema } from '../model/json-schema.ts'
import type { Dict } from '../model/model-class.ts'
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
import { arrayKeywords, checkBy, type Keywords, numberKeywords, stringKeywords } from './keywords.ts'

/** What every field may say about itself. */
export interface FieldOptions {
  /** Description in the JSON Schema. Editors show the comment above the field. */
  description?: string
  /** Name on the wire. @defaultValue the field's name in snake case */
  wire?: string
  /** Further wire names that are read. */
  aliases?: readonly string[]
  /** Whether the field is beyond a shared interface: on the wire only when it differs from its default, and not in `schema()`. */
  extension?: boolean
}

/** A field with a default need not be given; every other one must. */
export interface DefaultOption<T> {
  /** The value when none is given, or a function that makes one for each instance. Values are copied for each instance. */
  default?: T | (() => T)
}

/** Bounds of numbers. A field with bounds is read-only on instances. */
export interface NumberBounds {
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

/** Bounds of strings. A field with bounds is read-only on instances. */
export interface StringBounds {
  /** Least number of characters (code points). */
  minLength?: number
  /** Largest number of characters (code points). */
  maxLength?: number
  /**
   * A regular expression (with the `u` flag) that the string must match. It runs on every value, also an untrusted one: take one
   * without nested quantifiers, or bound the time by `maxLength`, which is checked first.
   */
  pattern?: string
  /** The format for the JSON Schema, such as `email`; not checked. */
  format?: string
}

/** Bounds of arrays. */
export interface ArrayBounds {
  minItems?: number
  maxItems?: number
  /** Whether no two items may be equal as JSON. */
  uniqueItems?: boolean
}

interface StringOptions extends FieldOptions, DefaultOption<string>, StringBounds {}
interface NumberOptions extends FieldOptions, DefaultOption<number>, NumberBounds {}
interface PlainOptions<T> extends FieldOptions, DefaultOption<T> {}
interface ArrayOptions<T> extends FieldOptions, DefaultOption<readonly T[]>, ArrayBounds {}
interface RecordOptions<T> extends FieldOptions, DefaultOption<Readonly<Record<string, T>>> {
  /** The keys that may occur. @defaultValue any */
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

/** Whether a schema has a bound that makes its field read-only. */
function isBounded(schema: JsonSchema): boolean {
  return boundKeywords.some((keyword) => keyword in schema)
}

/**
 * The field of a JSON Schema and the options of a word; options that are no facts about the field are keywords. `checked` are the
 * keywords that the core does not check, `part` is the field of the items or entries.
 */
export function fieldOf<R extends Field<unknown, Flag, unknown>>(
  schema: JsonSchema,
  { default: given, wire, aliases, extension, ...keywords }: FieldOptions & { default?: unknown } = {},
  more: Partial<DeclaredField> = {},
  checked: Keywords = {},
  part?: DeclaredField,
): R {
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
    ...(extension && { extension }),
    ...(given === undefined && { required: true }),
    ...(make ? { make } : given !== undefined && given !== null && { default: given }),
    ...(isBounded(whole) && { bounded: true }),
  }
  // The types of fields are phantom types: nothing at run time tells one from another.
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

/** A whole number. */
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

/** One of some strings, numbers or booleans. */
export function oneOf<const V extends string | number | boolean, const O extends PlainOptions<NoInfer<V>> = object>(
  values: readonly V[],
  options?: Only<O, PlainOptions<V>>,
): Field<V, OptionalFlag<O>> {
  const types = [...new Set(values.map((value) => typeof value))]
  return fieldOf({ type: types.length === 1 ? types[0]! : types, enum: [...values] }, options)
}

/** An array of values of one kind. */
export function array<
  I extends Field<unknown, Flag, unknown>,
  const O extends ArrayOptions<NoInfer<InputOf<I>>> = object,
>(item: I, options?: Only<O, ArrayOptions<unknown>>): Field<TypeOf<I>[], OptionalFlag<O>, readonly InputOf<I>[]> {
  return fieldOf({ type: 'array', items: item.schema }, options, {}, arrayKeywords, item)
}

/** An object with values of one kind by key. */
export function record<
  I extends Field<unknown, Flag, unknown>,
  const O extends RecordOptions<NoInfer<InputOf<I>>> = object,
>(
  value: I,
  options?: Only<O, RecordOptions<unknown>>,
): Field<Record<string, TypeOf<I>>, OptionalFlag<O>, Readonly<Record<string, InputOf<I>>>> {
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

/** A field of another kind, or null. Null is its default unless `options` has another one. */
export function nullable<
  I extends Field<unknown, Flag, unknown>,
  const O extends PlainOptions<NoInfer<InputOf<I>> | null> = object,
>(
  inner: I,
  options?: Only<O, PlainOptions<unknown>>,
): Field<TypeOf<I> | null, 'optional' | Extract<FlagsOf<I>, 'readonly'>, InputOf<I> | null> {
  const { required: _required, default: _default, make: _make, schema, ...rest } = inner
  const { type, enum: values } = schema
  const isNested = schema['x-nested'] !== undefined
  const orNull: JsonSchema = isNested
    ? schema
    : type === undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [...[type].flat(), 'null'], ...(values && { enum: [...values, null] }) }
  return fieldOf(orNull, { default: null, ...(options as FieldOptions) }, rest)
}

/** An instance, or the options that make one; classes without options of their own take instances only. */
type NestedInput<C extends AnyModelClass> =
  | InstanceType<C>
  | (unknown extends OptionsOfClass<C> ? never : OptionsOfClass<C>)

/**
 * Another model: written as its own dict, and read back by its class. Of several classes the one that the data name is taken, the
 * first one for data that name none.
 */
export function nested<C extends AnyModelClass>(
  classes: C | readonly C[],
  options?: FieldOptions,
): Field<InstanceType<C>, never, NestedInput<C>> {
  return fieldOf({ 'x-nested': true }, options, { of: () => classes })
}

/**
 * As `nested`, for the class itself and for classes that are defined later. Write the type and the return type down:
 * `nestedLazily<Tree>((): ModelClass => Tree)`.
 */
export function nestedLazily<T>(classes: () => Classes, options?: FieldOptions): Field<T, never, T | Readonly<Dict>> {
  return fieldOf({ 'x-nested': true }, options, { of: classes })
}

interface LiveOptions extends FieldOptions {
  /** Whether it must be given. @defaultValue false: null when it is not given */
  required?: boolean
  /** How the JSON Schema of the model shows it. @defaultValue {} */
  schema?: JsonSchema
}

/**
 * A live object or a function: never on the wire, kept by copies. `holds` is the word `function`, or the names of the methods that
 * the object must have.
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
