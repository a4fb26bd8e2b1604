/**
 * @module
 * The schemas a tool may be described with: JSON Schema, TypeBox, or any library that keeps the Standard Schema contract.
 */
import type { JsonSchema, StandardIssue, StandardResult, StandardSchema } from '@x/core-model'
import { type ArgumentIssue, type CheckedArguments, checkArguments } from './check-arguments.ts'

/** Any schema a tool takes: JSON Schema, TypeBox, or one with the Standard Schema contract. */
export type ToolSchema = object

/** The type of the arguments that fit a schema. */
export type ArgumentsOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : Schema extends { properties: infer Properties }
    ? ObjectOf<Schema, Properties>
    : Record<string, unknown>

type ObjectOf<Schema, Properties> = {
  [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? Key : never]: ValueOf<Properties[Key]>
} & {
  [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? never : Key]?: ValueOf<Properties[Key]>
}

/** TypeBox marks what is optional; plain JSON Schema lists what is required. */
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

/** Whether a schema comes from a library with the Standard Schema contract. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  // Some libraries make schemas that are functions.
  return '~standard' in schema && typeof (schema as StandardSchema)['~standard']?.validate === 'function'
}

/** The JSON Schema of any tool schema. Throws when the library cannot write one. */
export function jsonSchemaOf(schema: ToolSchema): JsonSchema {
  if (!isStandardSchema(schema)) return schema as JsonSchema
  const standard = schema['~standard']
  if (!standard.jsonSchema) throw new TypeError(`${standard.vendor} writes none`)
  try {
    return standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch {
    // The contract lets a library refuse a target, and requires none; draft 7 is the other one in use.
    return standard.jsonSchema.input({ target: 'draft-07' })
  }
}

/** Checks a value against any tool schema. Strings that contain numbers are converted first. */
export function checkToolArguments(
  schema: ToolSchema,
  json: object | undefined,
  value: unknown,
): CheckedArguments | Promise<CheckedArguments> {
  const checked: CheckedArguments = json ? checkArguments(json, value) : { value, issues: [] }
  if (!isStandardSchema(schema)) return checked
  const result = schema['~standard'].validate(checked.value)
  // A promise of any kind.
  return 'then' in result ? Promise.resolve(result).then(fromStandard) : fromStandard(result)
}

function fromStandard(result: StandardResult<unknown>): CheckedArguments {
  if (result.issues === undefined) return { value: result.value, issues: [] }
  return { value: undefined, issues: result.issues.map(toIssue) }
}

function toIssue({ message, path }: StandardIssue): ArgumentIssue {
  const keys = (path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  return { path: keys.map(String).join('.'), message }
}
