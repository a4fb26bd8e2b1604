import type { Check, CheckMaker } from './check-value.ts'
import type { JsonSchema } from './json-schema.ts'

/** What the model layer knows about one field. */
export interface FieldSpec {
  /** Name on the wire, when it is not the API name. */
  wire?: string
  /** Further wire names that are read; the field's own name wins. */
  aliases?: readonly string[]
  /** The value's JSON Schema. */
  schema: JsonSchema
  /** Value when none is given; null when there is no default either. */
  default?: unknown
  required?: true
  /** A live object: never written, never read from data, kept by `copy`. */
  runtime?: true
  /** A live object or component: `function`, or the methods that it must have. */
  holds?: 'function' | readonly string[]
  /** Has bounds: read-only on instances. */
  bounded?: true
  /** Not in the Python library's interface: written only when the value differs from the default, and not in `schema()`. */
  extension?: true
  /** Whether the value must be JSON data. @defaultValue true for objects of any entries, false for values of any type */
  json?: boolean
  /** The check of the value, for fields that use more of JSON Schema than `checkOf`, the check of the core, which it receives. */
  check?: (schema: JsonSchema, checkOf: CheckMaker) => Check | undefined
}

/** The fields of one model class, made from its TypeBox schema. */
export interface ModelSpec {
  /** Name used in messages and as the title of the JSON Schema. */
  name: string
  description?: string
  /** Identifier on the wire; absent on classes that set none. */
  className?: string
  /** A plain record: writes no `class_name`. */
  record?: true
  fields: Readonly<Record<string, FieldSpec>>
  /** The check of a field's schema, for models that use more of JSON Schema than the core checks. */
  check?: (schema: JsonSchema) => Check | undefined
}
