/** A JSON Schema, with the keywords that the fields of models use. */
export interface JsonSchema {
  title?: string
  description?: string
  type?: string | readonly string[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly JsonSchema[]
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  definitions?: Record<string, JsonSchema>
  $ref?: string
  [keyword: string]: unknown
}
