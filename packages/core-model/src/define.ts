/**
 * @module
 * How the fields of a model are written down, in TypeBox. Read by the code generator and by `runtimeSpec`; never by main entries.
 */
import { Array as List, type Static, type TObject, type TSchema, Object as TypeObject, Unsafe } from 'typebox'

/** Field names and their schemas, in order. A field with a `default` need not be given; every other one must. */
export type Fields = Record<string, TSchema>

/** Annotations of a field that TypeBox has no word for. */
export interface FieldAnnotations {
  description?: string
  /** Name on the wire when it is not the field's name in snake case. */
  wire?: string
  /** Further wire names that are read. */
  aliases?: readonly string[]
  /** Not in the Python library's interface: written only when the value differs from the default, and not in `schema()`. */
  extension?: boolean
}

/** A field with a live object or another model; its type is the type argument of `live` and `nested`. */
export interface HeldAnnotations extends FieldAnnotations {
  /** Must be given. @defaultValue false */
  required?: boolean
  /** What the value must be: a function, or an object with these methods. */
  holds?: 'function' | readonly string[]
  /** How the JSON Schema of the model shows a live object. @defaultValue {} */
  schema?: Record<string, unknown>
}

/** How a component's class is declared. */
export interface ComponentOptions<P extends Fields = Fields> {
  /** Identifier on the wire when it is not the title; null for an abstract class. */
  className?: string | null
  /** The schema of the class that this one extends: its fields come first. @defaultValue `Model` */
  extends?: TObject<P>
  /** Where the options of the constructor are declared, when the generator does not: in the class, or in the one that it extends. */
  options?: 'own' | 'inherited'
}

/** The fields of a class: those of the class that it extends, with its own. */
type AllFields<P, F> = Omit<P, keyof F> & F

/**
 * The schema of a component: its wire form ends with `class_name`.
 * Its title is the name of the class, and on the wire too, unless `className` is another one, or null for none.
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

/** The schema of a plain record: its wire form has no `class_name`. */
export function record<const F extends Fields>(title: string, description: string, fields: F) {
  return TypeObject(fields, { title, description, 'x-model': 'record', 'x-class-name': title })
}

/** A field that may be null, with its default (null when left out). */
export function nullable<const S extends TSchema>(
  schema: S,
  annotations: FieldAnnotations & { default?: Static<S> | null } = {},
) {
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

/** One of some texts. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  annotations: FieldAnnotations & { default?: V[number] } = {},
) {
  return Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations })
}

/** Free-form data of the user: an object of JSON data whose keys are never renamed; with `json: false` of anything. */
export function freeForm(annotations: FieldAnnotations & { default?: Record<string, unknown>; json?: false } = {}) {
  return Unsafe<Record<string, unknown>>({ type: 'object', ...annotations })
}

/** Any value; with `json` any JSON data. */
export function anything(annotations: FieldAnnotations & { default?: unknown; json?: true } = {}) {
  return Unsafe<unknown>({ ...annotations })
}

/**
 * A live object of type `T`: never on the wire, kept by copies. Null unless it is required.
 * The generator copies the type argument into the class, so the names in it are imported, by `import type`.
 * @example
 * live<CallbackManager>({ holds: ['startEvent', 'event'], description: 'Notified about events.' })
 */
export function live<T = unknown>({ required, ...annotations }: HeldAnnotations = {}) {
  return Unsafe<T>({ 'x-runtime': true, ...annotations, ...(required ? {} : { default: null }) })
}

/**
 * Another model, of type `T`: written as its own dict, and read back by its class. For a list use `TypeBox.Array(nested<T>(…))`.
 * `Option` is what a constructor takes besides the model itself, such as its options.
 * @example
 * nested<ChatMessage, ChatMessageOptions>({ description: 'The message.' })
 */
export function nested<T = unknown, Option = T>({ required = true, ...annotations }: HeldAnnotations = {}) {
  return Unsafe<T | Option>({ 'x-nested': true, ...annotations, ...(required ? {} : { default: null }) })
}

/** A list of texts. */
export function textList(annotations: FieldAnnotations & { default?: string[] } = {}) {
  return List(Unsafe<string>({ type: 'string' }), { ...annotations })
}
