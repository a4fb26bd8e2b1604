import type { Model } from './model.ts'
import type { ModelSpec } from './model-spec.ts'

/** Tells whether a value is a model, also one of another copy of this package. */
export function isModel(value: unknown): value is Model {
  // Data may hold the mark as a key of its own.
  return typeof value === 'object' && value !== null && '~x-model' in value && !Object.hasOwn(value, '~x-model')
}

/** Tells whether a value is an instance of a class or of one derived from it, also of another copy of this package. */
export function isInstance<T extends Model>(
  value: unknown,
  modelClass: (abstract new (...args: never[]) => T) & { spec(): ModelSpec },
): value is T {
  if (value instanceof modelClass) return true
  if (!isModel(value)) return false
  const { name } = modelClass.spec()
  for (let maker: unknown = value.constructor; typeof maker === 'function'; maker = Object.getPrototypeOf(maker)) {
    if (Object.hasOwn(maker.prototype, '~x-model')) return false // the base class
    if (Object.hasOwn(maker, 'spec') && (maker as unknown as { spec(): ModelSpec }).spec().name === name) return true
  }
  return false
}
