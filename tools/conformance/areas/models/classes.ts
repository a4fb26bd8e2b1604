/** Names, schemas and defaults of model classes. */
import type { Dict } from '@x/core-model'
import { updateForwardRefs } from '@x/core-model/python'
import type { Case, Operations } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { isObject } from '../../given.ts'
import { classOf, instanceOf, type OfModel, propertyOf } from './model-class.ts'

interface ExpectedSchema {
  property_names: string[]
  required: string[]
  properties: Record<string, Dict>
}

/** Compares names as sets, and of each listed property the listed attributes. */
function checkSchema({ model }: OfModel, { expect: { value } }: Case): unknown {
  const expected = value as ExpectedSchema
  const { properties = {}, required = [] } = classOf(model).schema()
  expectEqual(Object.keys(properties).sort(), [...expected.property_names].sort(), {}, 'value.property_names')
  expectEqual([...required].sort(), [...expected.required].sort(), {}, 'value.required')
  for (const [name, attributes] of Object.entries(expected.properties)) {
    const property: unknown = properties[name]
    const received = isObject(property) ? property : {}
    for (const [key, attribute] of Object.entries(attributes))
      expectEqual(received[key], attribute, {}, `value.properties.${name}.${key}`)
  }
  return value
}

export const classes: Operations = {
  'model.class_name': ({ model }: OfModel) => classOf(model).className(),
  'model.schema': checkSchema,
  'model.schema_json': ({ model }: OfModel) => Object.keys(JSON.parse(classOf(model).schemaJson()).properties).sort(),

  'model.schema_isolation': ({ model, drop }: OfModel & { drop: string }) => {
    const modelClass = classOf(model)
    const { properties } = modelClass.schema()
    if (properties) delete properties[drop]
    return Object.keys(modelClass.schema().properties ?? {}).sort()
  },

  'model.update_forward_refs': ({ model }: OfModel) => {
    classOf(model)
    return updateForwardRefs()
  },

  'model.default_isolation': ({ model, field, append }: OfModel & { field: string; append: unknown }) => {
    const modelClass = classOf(model)
    const value = propertyOf(instanceOf(modelClass), field)
    if (!Array.isArray(value)) throw new Error(`given.field: ${field} is not a list`)
    value.push(append)
    return instanceOf(modelClass).toDict()
  },
}
