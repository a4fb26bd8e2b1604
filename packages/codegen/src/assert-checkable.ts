import type { JsonSchema } from '@x/core-model'
import { Ajv } from 'ajv'

/** The keywords that `checkOf` of the core knows. */
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
    if (!known.has(keyword)) throw new Error(`${where}: the keyword ${keyword} is not checked by the model layer`)
  }
  const { items, additionalProperties, propertyNames } = schema
  // The core looks at keys only together with the values behind them, and only for a list of known ones.
  const { enum: _, ...otherKeywords } = (propertyNames ?? {}) as JsonSchema
  const isOpen = typeof additionalProperties === 'boolean' || (propertyNames && additionalProperties === undefined)
  if (isOpen || Object.keys(otherKeywords).length > 0)
    throw new Error(`${where}: keys of objects are checked by propertyNames with enum, beside additionalProperties`)
  for (const part of [items, additionalProperties]) if (typeof part === 'object') assertKnown(part, where)
}

/**
 * Refuses what models check of a schema when it is not valid JSON Schema, or when the model layer would not check all of it.
 * @throws {Error}
 */
export function assertCheckable(name: string, checked: JsonSchema): void {
  new Ajv({ strict: true, allowUnionTypes: true }).compile(checked)
  for (const [field, fieldSchema] of Object.entries(checked.properties ?? {}))
    assertKnown(fieldSchema, `${name}.${field}`)
}
