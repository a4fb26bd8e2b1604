/** Copies of models. */
import type { CopyOptions, Dict, Model } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { classOf, instanceOf, type OfModel, propertyOf, valuesOf } from './model-class.ts'

const setOnly = (model: Model) => model.toDict({ excludeUnset: true })

/** Writes a value at a path, such as `["metadata", "tags", 0]`. */
function writeAt(target: Model, path: readonly (string | number)[], value: unknown): void {
  const last = path.at(-1)
  let container: unknown = target
  for (const key of path.slice(0, -1)) container = Object(container)[key]
  if (last === undefined || typeof container !== 'object' || container === null)
    throw new Error(`given.path: there is nothing at ${path.join('.')}`)
  Object.assign(container, { [last]: value })
}

type OfCopy = OfModel & CopyOptions<Model>

export const copying: Operations = {
  'model.construct': ({ model, values, fieldsSet }: OfModel & { fieldsSet?: string[] }) => {
    const modelClass = classOf(model)
    const object: Model = modelClass.construct<Model, Dict>(valuesOf(modelClass, values), fieldsSet)
    return { dict: object.toDict(), set_only: setOnly(object) }
  },

  'model.copy': ({ model, values, include, exclude, update, deep }: OfCopy) => {
    const original = instanceOf(classOf(model), values)
    const copy = original.copy({ include, exclude, update, deep })
    return { copy: copy.toDict(), set_only: setOnly(copy), original: original.toDict() }
  },

  'model.copy_isolation': (given: OfCopy & { path: (string | number)[]; value: unknown }) => {
    const original = instanceOf(classOf(given.model), given.values)
    const copy = original.copy({ deep: given.deep })
    writeAt(copy, given.path, given.value)
    return { copy: copy.toDict(), original: original.toDict() }
  },

  'model.copy_runtime': ({ model, values, deep, fields }: OfCopy & { fields: string[] }) => {
    const original = instanceOf(classOf(model), values)
    const copy = original.copy({ deep })
    return fields.every((field) => propertyOf(copy, field) === propertyOf(original, field))
  },
}
