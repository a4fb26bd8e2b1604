/**
 * @module
 * The data that a model was read from, so that what Python wrote can be written again unchanged.
 */
import type { Dict } from '@x/core'
import type { AnyModel, AnyModelClass } from '@x/core/reading'
import { deepCopy, deepEqual } from '@x/core/values'

/**
 * Returns a copy of the data that a model was read from, if the model still says the same; null otherwise, and for data in the form of this
 * package. An embedding may have changed: vectors are stored beside nodes.
 */
export function unchangedData(model: AnyModel): Dict | null {
  const read = (model as { '~read'?: Dict })['~read']
  if (!read) return null
  const { class_name: _, ...data } = read
  const modelClass = model.constructor as unknown as AnyModelClass
  const { embedding, ...dict } = model.toDict()
  try {
    const { embedding: __, ...again } = modelClass.fromDict(data).toDict()
    if (!deepEqual(again, dict)) return null
  } catch {
    // The data needs classes of a registry.
    return null
  }
  const copy = deepCopy(read)
  return embedding === undefined ? copy : { ...copy, embedding }
}
