import type { JsonSchema } from './json-schema.ts'
import type { AnyModelClass } from './model-class.ts'
import { fieldsOf } from './model-fields.ts'
import { deepCopy, isPlainObject, mapItems } from './plain.ts'

/** Options of `schema()`. */
export interface SchemaOptions {
  /** Whether properties have wire names; false for API names. @defaultValue true */
  byAlias?: boolean
  /** Whether fields that LlamaIndex for Python does not have are included. @defaultValue false */
  extensions?: boolean
  /** Reference to a nested model; `{model}` is its name. @defaultValue '#/definitions/{model}' */
  refTemplate?: string
}

/** Returns the JSON Schema of a model class. */
export function modelSchema(modelClass: AnyModelClass, options?: SchemaOptions | null): JsonSchema {
  const { byAlias = true, extensions = false, refTemplate = '#/definitions/{model}' } = options ?? {}
  const definitions: Record<string, JsonSchema> = {}

  function referTo(nested: AnyModelClass): JsonSchema {
    const { name } = nested.spec()
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {} // reserves the name, because the class may contain itself
      definitions[name] = describe(nested)
    }
    return { $ref: refTemplate.replaceAll('{model}', () => name) }
  }

  function describe(described: AnyModelClass): JsonSchema {
    const { name: title, description, record } = described.spec()
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const field of fieldsOf(described)) {
      const { name, wire, spec, runtime, extension, default: byDefault, of } = field
      if (spec.holds === 'function' || (extension && !extensions)) continue
      const key = byAlias ? wire : name
      /** Returns a copy in which references replace the nested models. */
      const resolve = (part: unknown): unknown => {
        if (!isPlainObject(part) || part['x-nested'] === undefined) return mapItems(part, resolve) ?? part
        const { 'x-nested': _, ...rest } = part
        // Two classes may read one model.
        const bySpec = new Map(of?.classes.map((modelClass) => [modelClass.spec().name, modelClass]))
        const refs = [...bySpec.values()].map(referTo)
        return refs.length > 1 ? { ...rest, anyOf: refs } : { ...rest, ...refs[0] }
      }
      const property = (properties[key] = resolve(spec.schema) as JsonSchema)
      if (byDefault !== null && (typeof byDefault !== 'object' || runtime)) property.default = deepCopy(byDefault)
      if (field.required) required.push(key)
    }
    if (!record) properties['class_name'] = { title: 'Class Name', type: 'string', default: described.className() }
    return {
      title,
      ...(description !== undefined && { description }),
      type: 'object',
      properties,
      ...(required.length && { required }),
    }
  }

  const schema = describe(modelClass)
  return Object.keys(definitions).length ? { ...schema, definitions } : schema
}
