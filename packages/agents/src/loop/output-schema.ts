/**
 * @module
 * JSON Schemas of structured answers: moves a schema into an object.
 */

import { isPlainObject, mapValues } from '@x/core/values'
import type { JsonSchema } from '@x/core-model'

/** Keywords whose operand is a schema or an array of schemas, and those whose operand contains schemas by name. */
const PARTS =
  /^(?:allOf|anyOf|oneOf|not|if|then|else|items|prefixItems|contains|propertyNames|additional(?:Items|Properties))$/
const NAMED = /^(?:properties|patternProperties|\$defs|definitions|dependentSchemas|dependencies)$/
/** Returns the schema of an object with one property. References point to the same parts as before. */
export function wrapped(name: string, schema: JsonSchema): JsonSchema {
  const { $schema, $defs, definitions, ...value } = mapSchemas(schema, (part) => {
    const { $ref } = part
    const isMoved = typeof $ref === 'string' && /^#(?!\/(?:\$defs|definitions)\/)/.test($ref)
    return isMoved ? { ...part, $ref: $ref.replace('#', `#/properties/${name}`) } : part
  }) as JsonSchema
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { [name]: value },
    required: [name],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  } as JsonSchema
}

/** Returns a copy of a schema in which every schema is replaced, the innermost first. */
function mapSchemas(schema: unknown, change: (part: JsonSchema) => JsonSchema): unknown {
  if (!isPlainObject(schema)) return schema
  const copy = mapValues(schema, (value, key) => {
    const map = (part: unknown) => mapSchemas(part, change)
    if (NAMED.test(key) && isPlainObject(value)) return mapValues(value, map)
    if (!PARTS.test(key)) return value
    return Array.isArray(value) ? value.map(map) : map(value)
  })
  return change(copy as JsonSchema)
}
