import type { AnyModel } from './model-class.ts'
import type { ModelSpec } from './model-spec.ts'

/** Whether a value is a model. Models of another copy of this package count too. */
export function isModel(value: unknown): value is AnyModel {
  // Untrusted data may contain the mark as an own key.
  return typeof value === 'object' && value !== null && '~x-model' in value && !Object.hasOwn(value, '~x-model')
}

/** Whether a value is an instance of a class or of a subclass. Classes of another copy of this package count too. */
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
