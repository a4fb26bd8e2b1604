import type { Check, CheckMaker } from './check-value.ts'
import type { JsonSchema } from './json-schema.ts'

/** The description of one field. */
export interface FieldSpec {
  /** Name on the wire. @defaultValue the API name in snake case */
  wire?: string
  /** Further wire names that are accepted when data is read; `wire` has priority. */
  aliases?: readonly string[]
  /** The names that other libraries have for the option. They are refused, with a message that leads to this one. */
  otherNames?: readonly string[]
  /** The JSON Schema of the value. */
  schema: JsonSchema
  /** The value of an omitted option. @defaultValue null */
  default?: unknown
  required?: true
  /** Whether the value is a live object: it is never written, never read from data, and shared by copies. */
  runtime?: true
  /** The kind of a live object or component: `function`, or the methods that it must have. */
  holds?: 'function' | readonly string[]
  /** Whether the field has bounds, which makes it read-only on instances. */
  bounded?: true
  /** Whether LlamaIndex for Python lacks the field: then it is written only when it differs from the default, and `schema()` omits it. */
  extension?: true
  /** Whether the value must be JSON data. @defaultValue true for objects with any keys, false for values of any type */
  json?: boolean
  /** Returns the check of the value, for fields with keywords that the core does not check. Receives `checkOf`, the check of the core. */
  check?: (schema: JsonSchema, checkOf: CheckMaker) => Check | undefined
}

/** The description of a model class and its fields. */
export interface ModelSpec {
  /** Name in messages, and title of the JSON Schema. */
  name: string
  description?: string
  /** Identifier on the wire; absent for abstract classes. */
  className?: string
  /** Whether the class is a plain record, which writes no `class_name`. */
  record?: boolean
  fields: Readonly<Record<string, FieldSpec>>
  /** `checkOf` of `@x/core/json-schema`. A part of the spec, so that bundles contain it only with a class that has fields. */
  checkOf: CheckMaker
  /** Returns the check of a field's schema, for models with keywords that the core does not check. */
  check?: (schema: JsonSchema) => Check | undefined
  /** Whether a class field of a class may overwrite a model field; then all its instances are guarded, not only the first ones. */
  mayOverwrite?: (modelClass: object) => boolean
}

/**
 * Returns the spec of a class that extends `parent`: the fields of the parent, then the new and changed ones of `own`. `record` and
 * `check` are inherited.
 */
export function extendSpec(parent: { spec(): ModelSpec; prototype: object }, own: ModelSpec): ModelSpec {
  // `Model` itself, of any copy of this package, has no spec.
  if (Object.hasOwn(parent.prototype, '~x-model')) return own
  const { record, check, fields } = parent.spec()
  return { ...(record && { record }), ...(check && { check }), ...own, fields: { ...fields, ...own.fields } }
}
