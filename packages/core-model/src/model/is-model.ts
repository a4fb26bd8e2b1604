import type { AnyModel } from './model-class.ts'
import type { ModelSpec } from './model-spec.ts'

/** Whether a value is a model, also one of another copy of this package. */
export function isModel(value: unknown): value is AnyModel {
  // Data may contain the mark as a key of its own.
  return typeof value === 'object' && value !== null && '~x-model' in value && !Object.hasOwn(value, '~x-model')
}

/** Whether a value is an instance of a class or of one derived from it, also of another copy of this package. */
export function isInstance<T extends object>(
  value: unknown,
  modelClass: (abstract new (...args: never[]) => T) & { spec(): ModelSpec },
): value is T {
  if (value instanceof modelClass) return true
  if (!isModel(value)) return false
  const { name } = modelClass.spec()
  let maker = value.constructor as unknown as typeof modelClass
  while (!Object.hasOwn(maker.prototype, '~x-model')) {
    if (Object.hasOwn(maker, 'spec') && maker.spec().name === name) return true
    maker = Object.getPrototypeOf(maker)
  }
  return false
}
