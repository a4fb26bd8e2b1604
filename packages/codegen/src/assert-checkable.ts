import type { JsonSchema } from '@x/core'
import { Ajv } from 'ajv'

/** The keywords that `checkOf` of the core supports. */
const known = new Set([
  'type',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'items',
  'additionalProperties',
  'propertyNames',
])

function assertKnown(schema: JsonSchema, where: string): void {
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`${where}: models do not support the keyword ${keyword}`)
  }
  const { items, additionalProperties, propertyNames } = schema
  // The core checks keys only together with their values, and only against a list of allowed keys.
  const { enum: _, ...otherKeywords } = (propertyNames ?? {}) as JsonSchema
  const isOpen = typeof additionalProperties === 'boolean' || (propertyNames && additionalProperties === undefined)
  if (isOpen || Object.keys(otherKeywords).length > 0)
    throw new Error(`${where}: restrict the keys of an object with propertyNames.enum and additionalProperties`)
  for (const part of [items, additionalProperties]) if (typeof part === 'object') assertKnown(part, where)
}

/**
 * Throws if a schema is not valid JSON Schema, or contains keywords that models do not support.
 * @throws {Error}
 */
export function assertCheckable(name: string, checked: JsonSchema): void {
  new Ajv({ strict: true, allowUnionTypes: true }).compile(checked)
  for (const [field, fieldSchema] of Object.entries(checked.properties ?? {}))
    assertKnown(fieldSchema, `${name}.${field}`)
}
