/**
 * @module
 * Declares the fields of a model in TypeBox. The code generator and `runtimeSpec` read them; main entries never do.
 */
import { checkOption, list, required as must } from '@x/core/options'
import { Array as List, type Static, type TObject, type TSchema, Object as TypeObject, Unsafe } from 'typebox'

/** Field names and their schemas, in order. A field with a `default` is optional; every other field is required. */
export type Fields = Record<string, TSchema>

/** Annotations of a field that TypeBox does not have. */
interface FieldAnnotations {
  description?: string
  /** Name on the wire. @defaultValue the field's name in snake case */
  wire?: string
  /** Further wire names that are read if the first one is absent or null. Dots separate the keys of nested objects. */
  aliases?: readonly string[]
  /** The names that other libraries have for the option. They are refused, with a message that leads to this one. */
  otherNames?: readonly string[]
  /** Whether LlamaIndex for Python lacks the field: then it is written only when it differs from the default, and `schema()` omits it. */
  extension?: boolean
}

/** Annotations of a field that contains a live object or another model. Its type is the type argument of `live` or `nested`. */
interface HeldAnnotations extends FieldAnnotations {
  /** Whether the option is required. @defaultValue false for `live`, true for `nested` */
  required?: boolean
  /** The kind of value: a function, or an object with these methods. */
  holds?: 'function' | readonly string[]
  /**
   * The JSON Schema of a live object. With a `default` in it, the class creates the default (`makeDefault`), and the value is never null.
   * @defaultValue {}
   */
  schema?: Record<string, unknown>
}

/** Options of `component`. */
interface ComponentOptions<P extends Fields = Fields> {
  /** Identifier on the wire; null for an abstract class. @defaultValue the title */
  className?: string | null
  /** The schema of the class that this one extends. Its fields are the first ones. @defaultValue `Model` */
  extends?: TObject<P>
  /** Where the constructor options are declared if the generator does not declare them: in the class itself, or in its base class. */
  options?: 'own' | 'inherited'
}

/** The fields of a class: the inherited ones and its own. */
type AllFields<P, F> = Omit<P, keyof F> & F

/**
 * Returns the schema of a component. Its wire form ends with `class_name`.
 * The title is the name of the class. It is also the class name on the wire, unless `className` sets another one.
 */
// biome-ignore lint/complexity/noBannedTypes: no fields
export function component<const F extends Fields, const P extends Fields = {}>(
  title: string,
  description: string,
  fields: F,
  { className = title, extends: parent, options }: ComponentOptions<P> = {},
) {
  return TypeObject({ ...parent?.properties, ...fields } as AllFields<P, F>, {
    title,
    description,
    'x-model': 'component',
    ...(className !== null && { 'x-class-name': className }),
    ...(parent && { 'x-extends': (parent as { title?: string }).title }),
    ...(options && { 'x-options': options }),
  })
}

/** Returns the schema of a plain record. Its wire form has no `class_name`. */
export function plainRecord<const F extends Fields>(title: string, description: string, fields: F) {
  checkOption('plainRecord', 'fields', fields, must('an object of fields'))
  return TypeObject(fields, { title, description, 'x-model': 'record', 'x-class-name': title })
}

/** A field that may be null. @defaultValue null, unless `default` is set */
export function nullable<const S extends TSchema>(
  schema: S,
  annotations: FieldAnnotations & { default?: Static<S> | null } = {},
) {
  checkOption('nullable', 'schema', schema, must('a schema'))
  const { type, ...rest } = schema as S & { type?: string; enum?: readonly unknown[] }
  const options = { default: null, ...annotations }
  if (type === undefined || 'x-nested' in schema)
    return Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...options })
  return Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(rest.enum && { enum: [...rest.enum, null] }),
    ...options,
  })
}

/** A field whose value is one of these strings. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  annotations: FieldAnnotations & { default?: V[number] } = {},
) {
  checkOption('oneOf', 'values', values, must(list))
  return Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations })
}

/**
 * Free-form data of the user: an object of JSON values whose keys are never renamed. With `json: false` the values may be of any
 * type.
 */
export function freeForm(annotations: FieldAnnotations & { default?: Record<string, unknown>; json?: false } = {}) {
  return Unsafe<Record<string, unknown>>({ type: 'object', ...annotations })
}

/** Any value; with `json: true`, any JSON value. */
export function anything(annotations: FieldAnnotations & { default?: unknown; json?: true } = {}) {
  return Unsafe<unknown>({ ...annotations })
}

/**
 * JSON data of type `T`, checked against `schema`. `Option` is the type that the constructor accepts in addition, such as a read-only
 * array. The generator copies the type arguments into the class, so import the names in them by `import type`.
 * @example
 * typedData<{ x: number; y: number }>(freeForm({ description: 'The center.' }))
 */
export function typedData<T, Option = T>(schema: TSchema) {
  return Unsafe<T | Option>({ ...schema })
}

/**
 * A live object of type `T`. It is never written; copies share it. The default is null unless the field is required or the class creates
 * one.
 * The generator copies the type argument into the class, so import the names in it by `import type`.
 * @example
 * import { live } from '@x/core/schemas'
 * live<AbortController>({ holds: ['abort'], description: 'Stops the work.' })
 */
export function live<T = unknown>(options: HeldAnnotations = {}) {
  checkOption('live', 'options', options, must('an object of options'))
  const { required, ...annotations } = options
  return Unsafe<T>({ 'x-runtime': true, ...annotations, ...(required ? {} : { default: null }) })
}

/**
 * Another model of type `T`. It is written as its own dict and read back by its class. For an array use `TypeBox.Array(nested<T>(…))`.
 * `Option` is the type that the constructor accepts in addition to an instance, such as the options of the model.
 * @example
 * import { nested } from '@x/core/schemas'
 * nested<Model, { label: string }>({ description: 'The shelf.' })
 */
export function nested<T = unknown, Option = T>(options: HeldAnnotations = {}) {
  checkOption('nested', 'options', options, must('an object of options'))
  const { required = true, ...annotations } = options
  return Unsafe<T | Option>({ 'x-nested': true, ...annotations, ...(required ? {} : { default: null }) })
}

/** An array of strings. */
export function textList(annotations: FieldAnnotations & { default?: string[] } = {}) {
  return List(Unsafe<string>({ type: 'string' }), { ...annotations })
}
