/** Copies of models. */
import type { CopyOptions, Dict, Model } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { anything, argument, either, list, number, object, optional, shape, string } from '../../reader.ts'
import { instanceOf, modelClass, propertyOf, valuesOf } from './model-class.ts'

const setOnly = (model: Model) => model.toDict({ excludeUnset: true })

const values = optional(object)
const deep = argument<boolean | undefined>()
const selection = argument<CopyOptions<Model>['include']>()

/** Writes a value at a path, such as `["metadata", "tags", 0]`. */
function writeAt(target: Model, path: readonly (string | number)[], value: unknown): void {
  const last = path.at(-1)
  let container: unknown = target
  for (const key of path.slice(0, -1)) container = Object(container)[key]
  if (last === undefined || typeof container !== 'object' || container === null)
    throw new Error(`given.path: there is nothing at ${path.join('.')}`)
  Object.assign(container, { [last]: value })
}

export const copying: Operations = {
  'model.construct': operation(
    shape({ model: modelClass, values, fields_set: optional(list(string)) }),
    ({ model, values, fields_set }) => {
      const object: Model = model.construct<Model, Dict>(valuesOf(model, values), fields_set)
      return { dict: object.toDict(), set_only: setOnly(object) }
    },
  ),

  'model.copy': operation(
    shape({
      model: modelClass,
      values,
      include: selection,
      exclude: selection,
      update: optional(object),
      deep,
    }),
    ({ model, values, include, exclude, update, deep }) => {
      const original = instanceOf(model, values)
      const copy = original.copy({ include, exclude, update, deep })
      return { copy: copy.toDict(), set_only: setOnly(copy), original: original.toDict() }
    },
  ),

  'model.copy_isolation': operation(
    shape({
      model: modelClass,
      values,
      deep,
      path: list(either('a key or an index', string, number)),
      value: anything,
    }),
    ({ model, values, deep, path, value }) => {
      const original = instanceOf(model, values)
      const copy = original.copy({ deep })
      writeAt(copy, path, value)
      return { copy: copy.toDict(), original: original.toDict() }
    },
  ),

  'model.copy_runtime': operation(
    shape({ model: modelClass, values, deep, fields: list(string) }),
    ({ model, values, deep, fields }) => {
      const original = instanceOf(model, values)
      const copy = original.copy({ deep })
      return fields.every((field) => propertyOf(copy, field) === propertyOf(original, field))
    },
  ),
}
