/** Names, schemas and defaults of model classes. */

import { updateForwardRefs } from '@x/core-model/python'
import { type Operation, type Operations, operation } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { anything, dictionary, isObject, list, object, Place, shape, string } from '../../reader.ts'
import { instanceOf, modelClass, propertyOf } from './model-class.ts'

const expectedSchema = shape({
  property_names: list(string),
  required: list(string),
  properties: dictionary(object),
})

/** Compares names as sets, and of each listed property the listed attributes. */
const checkSchema: Operation = operation(shape({ model: modelClass }), ({ model }, { value }) => {
  const expected = expectedSchema(value, new Place('expect.value'))
  const { properties = {}, required = [] } = model.schema()
  expectEqual(Object.keys(properties).sort(), [...expected.property_names].sort(), {}, 'value.property_names')
  expectEqual([...required].sort(), [...expected.required].sort(), {}, 'value.required')
  for (const [name, attributes] of Object.entries(expected.properties)) {
    const property: unknown = properties[name]
    const received = isObject(property) ? property : {}
    for (const [key, attribute] of Object.entries(attributes))
      expectEqual(received[key], attribute, {}, `value.properties.${name}.${key}`)
  }
  return value
})

export const classes: Operations = {
  'model.class_name': operation(shape({ model: modelClass }), ({ model }) => model.className()),

  'model.schema': checkSchema,

  'model.schema_json': operation(shape({ model: modelClass }), ({ model }) =>
    Object.keys(JSON.parse(model.schemaJson()).properties).sort(),
  ),

  'model.schema_isolation': operation(shape({ model: modelClass, drop: string }), ({ model, drop }) => {
    const { properties } = model.schema()
    if (properties) delete properties[drop]
    return Object.keys(model.schema().properties ?? {}).sort()
  }),

  'model.update_forward_refs': operation(shape({ model: modelClass }), () => updateForwardRefs()),

  'model.default_isolation': operation(
    shape({ model: modelClass, field: string, append: anything }),
    ({ model, field, append }) => {
      const value = propertyOf(instanceOf(model), field)
      if (!Array.isArray(value)) throw new Error(`given.field: ${field} is not a list`)
      value.push(append)
      return instanceOf(model).toDict()
    },
  ),
}
