/**
 * @module
 * The schemas of tool arguments and results: JSON Schema, TypeBox, or any library with the Standard Schema contract.
 */

import type { JsonSchema, StandardSchema } from '@x/core-model'

/** A schema of tool arguments: JSON Schema, TypeBox, or a Standard Schema. */
export type ToolSchema = object

/** The type of the arguments that a schema describes. */
export type ArgumentsOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : Schema extends { properties: infer Properties }
    ? ObjectOf<Schema, Properties>
    : Record<string, unknown>

/** The type of the results that a schema describes. */
export type ResultOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { input: infer Input }
    ? Input
    : unknown
  : ValueOf<Schema>

type ObjectOf<Schema, Properties> = {
  [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? Key : never]: ValueOf<Properties[Key]>
} & {
  [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? never : Key]?: ValueOf<Properties[Key]>
}

/** TypeBox marks optional properties; plain JSON Schema lists required ones. */
type IsRequired<Schema, Properties, Key extends keyof Properties> = Schema extends { '~kind': unknown }
  ? Properties[Key] extends { '~optional': true }
    ? false
    : true
  : Schema extends { required: readonly (infer Name)[] }
    ? Key extends Name
      ? true
      : false
    : false

type ValueOf<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { anyOf: readonly (infer Part)[] }
      ? PartOf<Part>
      : Schema extends { '~unsafe': infer Value }
        ? Value
        : Schema extends { type: infer Type }
          ? OfType<Schema, Type>
          : unknown

type PartOf<Part> = Part extends unknown ? ValueOf<Part> : never

type OfType<Schema, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { items: infer Item }
            ? ValueOf<Item>[]
            : unknown[]
          : Type extends 'object'
            ? Schema extends { properties: infer Properties }
              ? ObjectOf<Schema, Properties>
              : Record<string, unknown>
            : Type extends readonly (infer One)[]
              ? OfEach<Schema, One>
              : unknown

type OfEach<Schema, One> = One extends unknown ? OfType<Schema, One> : never

/** Whether a schema is a Standard Schema. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  // The schemas of some libraries are functions.
  return '~standard' in schema && typeof (schema as StandardSchema)['~standard']?.validate === 'function'
}

/** Converts a tool schema to JSON Schema. Throws if the library cannot generate one. */
export function jsonSchemaOf(schema: ToolSchema): JsonSchema {
  if (!isStandardSchema(schema)) return schema as JsonSchema
  const { jsonSchema, vendor } = schema['~standard']
  if (!jsonSchema) throw new TypeError(`${vendor} does not support it`)
  return withTarget((options) => jsonSchema.input(options))
}

/** Converts the schema of a result to JSON Schema. Returns undefined if the library cannot generate one. */
export function outputSchemaOf(schema: ToolSchema): JsonSchema | undefined {
  if (!isStandardSchema(schema)) return schema as JsonSchema
  try {
    return jsonSchemaOf(schema)
  } catch {
    return undefined
  }
}

function withTarget(convert: (options: { target: string }) => JsonSchema): JsonSchema {
  try {
    return plain(convert({ target: 'draft-2020-12' }))
  } catch {
    // A library may reject a target, and the contract requires none. Draft 7 is the other common one.
    return plain(convert({ target: 'draft-07' }))
  }
}

/** Returns a copy without the library's own methods, so that it is not mistaken for a schema of the library. */
function plain({ '~standard': _, ...schema }: JsonSchema): JsonSchema {
  return schema
}
