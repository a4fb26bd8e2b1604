/**
 * @module
 * Converts a TypeBox schema to the spec that the model layer uses. Used by the code generator and by `runtimeSpec`.
 */
import { checkOption, required as must } from '@x/core/options'
import { checkOf } from './model/check-value.ts'
import type { JsonSchema } from './model/json-schema.ts'
import type { FieldSpec, ModelSpec } from './model/model-spec.ts'
import { toSnakeCase } from './model/snake-case.ts'

const boundKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const ownKeywords = new Set(['x-runtime', 'holds', 'wire', 'aliases', 'otherNames', 'default', 'extension', 'schema'])

/** Returns the JSON Schema of the value, without the annotations of this package. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const held = schema['x-nested'] !== undefined || schema['x-runtime'] !== undefined
  const plain: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (
      key.startsWith('~') ||
      (held ? ownKeywords.has(key) : ['wire', 'aliases', 'otherNames', 'default', 'extension', 'json'].includes(key))
    )
      continue
    // TypeBox represents `Record(String(), …)` by this pattern property.
    const anyKey = key === 'patternProperties' && (value as Record<string, JsonSchema>)['^.*$']
    if (anyKey) plain.additionalProperties = plainSchema(anyKey)
    else if (['items', 'additionalProperties', 'anyOf'].includes(key)) plain[key] = plainParts(value)
    else plain[key] = value
  }
  return plain
}

function plainParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainParts)
  return typeof value === 'object' ? plainSchema(value as JsonSchema) : value
}

/**
 * Returns the schema for a check of the whole model. It allows any value for nested models and live objects: the model layer checks
 * them.
 */
export function checkedSchema(model: JsonSchema): JsonSchema {
  checkOption('checkedSchema', 'model', model, must('a schema'))
  const required: string[] = []
  const properties: Record<string, JsonSchema> = {}
  for (const [name, field] of Object.entries(model.properties ?? {})) {
    properties[name] = strip(field)
    if (!('default' in field)) required.push(name)
  }
  return { type: 'object', properties, required }

  function strip(schema: JsonSchema): JsonSchema {
    if (schema['x-nested'] !== undefined || schema['x-runtime'] !== undefined) return {}
    const plain = plainSchema(schema)
    const nestedInside = schema.anyOf?.some((part) => part['x-nested'] !== undefined)
    if (nestedInside) return {}
    const { description: _d, title: _t, ...rest } = plain
    if (schema.items) rest.items = strip(schema.items)
    if (typeof plain.additionalProperties === 'object') rest.additionalProperties = strip(plain.additionalProperties)
    if (rest.anyOf) rest.anyOf = rest.anyOf.map(strip)
    return rest
  }
}

/** Returns the model spec of a TypeBox schema. */
export function modelSpec(model: JsonSchema): ModelSpec {
  checkOption('modelSpec', 'model', model, must('a schema'))
  const fields: Record<string, FieldSpec> = {}
  for (const [name, field] of Object.entries(model.properties ?? {})) {
    const wire = field['wire'] as string | undefined
    const schema = plainSchema(field)
    const runtime = field['x-runtime'] !== undefined
    fields[name] = {
      ...(wire !== undefined && wire !== toSnakeCase(name) && { wire }),
      ...(field['aliases'] !== undefined && { aliases: field['aliases'] as string[] }),
      ...(field['otherNames'] !== undefined && { otherNames: field['otherNames'] as string[] }),
      schema: {
        ...(runtime && (field['schema'] as JsonSchema | undefined)),
        ...schema,
      },
      ...(field.default !== null && field.default !== undefined && { default: field.default }),
      ...(!('default' in field) && { required: true as const }),
      ...(runtime && { runtime: true as const }),
      ...(field['holds'] !== undefined && { holds: field['holds'] as FieldSpec['holds'] & {} }),
      ...(boundKeywords.some((keyword) => keyword in schema) && { bounded: true as const }),
      ...(field['json'] !== undefined && { json: field['json'] === true }),
      ...(field['extension'] === true && { extension: true as const }),
    }
  }
  return {
    name: model.title ?? 'Model',
    ...(model.description !== undefined && { description: model.description }),
    ...(model['x-class-name'] !== undefined && { className: model['x-class-name'] as string }),
    ...(model['x-model'] === 'record' && { record: true as const }),
    fields,
    checkOf,
  }
}
