import type { JsonSchema } from './json-schema.ts'
import type { Model, ModelClass } from './model.ts'
import { deepCopy, isPlainObject, mapValues } from './plain.ts'
import { classesOf } from './validate-fields.ts'

/** How `schema()` writes names and references. */
export interface SchemaOptions {
  /** Wire names; false gives the API names. @defaultValue true */
  byAlias?: boolean
  /** Reference to a nested model; `{model}` is its name. @defaultValue '#/definitions/{model}' */
  refTemplate?: string
}

/** The JSON Schema of a model class. */
export function modelSchema(
  modelClass: ModelClass,
  { byAlias = true, refTemplate = '#/definitions/{model}' }: SchemaOptions = {},
): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}

  function referTo(nested: ModelClass): JsonSchema {
    const { name } = nested.spec()
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {} // stands for itself while its own fields are described
      definitions[name] = describe(nested)
    }
    return { $ref: refTemplate.replaceAll('{model}', () => name) }
  }

  /** Puts references where the schema of a field says that a nested model stands. */
  function resolve(schema: JsonSchema, nested: readonly ModelClass[]): JsonSchema {
    if (schema['x-nested'] !== undefined) {
      const { 'x-nested': _, ...rest } = schema
      const refs = nested.map(referTo)
      return { ...rest, ...(refs.length === 1 ? refs[0] : refs.length > 1 ? { anyOf: refs } : {}) }
    }
    return mapValues(schema, (value, key) => {
      if (key === 'items' || key === 'additionalProperties')
        return isPlainObject(value) ? resolve(value, nested) : value
      if (key === 'anyOf') return (value as JsonSchema[]).map((part) => resolve(part, nested))
      return value
    })
  }

  function describe(described: ModelClass): JsonSchema {
    const { name, description, record, fields } = described.spec()
    const nestedClasses = (described as unknown as typeof Model).nested()
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const field in fields) {
      const spec = fields[field]!
      if (spec.holds === 'function') continue
      const key = byAlias ? (spec.wire ?? field) : field
      const of = nestedClasses[field] ?? []
      const property = resolve(deepCopy(spec.schema), classesOf(of).classes)
      if (spec.default !== undefined && spec.default !== null && (typeof spec.default !== 'object' || spec.runtime))
        property.default = deepCopy(spec.default)
      properties[key] = property
      if (spec.required) required.push(key)
    }
    if (!record) properties['class_name'] = { title: 'Class Name', type: 'string', default: described.className() }
    return {
      title: name,
      ...(description !== undefined && { description }),
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
    }
  }

  const schema = describe(modelClass)
  return Object.keys(definitions).length > 0 ? { ...schema, definitions } : schema
}
