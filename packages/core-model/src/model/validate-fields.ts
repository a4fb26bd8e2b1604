/**
 * @module
 * From the options of a constructor to the fields of an instance.
 */
import { ModelValidationError } from '../errors.ts'
import { invalid, type Report } from './check-value.ts'
import { type Field, fieldsOf } from './field.ts'
import type { Dict, Model, ModelClass } from './model.ts'

/**
 * Puts values, and the defaults of fields that are not given, into an instance; gives the names of the given ones.
 * Without a report the values are trusted.
 * @throws {ModelValidationError} when something does not fit; the instance must not be used then.
 */
export function fill(
  model: Model,
  modelClass: Pick<ModelClass, 'spec' | 'nested' | 'makeDefault'>,
  values: Dict,
  report?: Report,
): readonly string[] {
  if (typeof values !== 'object' || Array.isArray(values)) throw invalid(modelClass.spec().name, 'an object', values)
  const given: string[] = []
  for (const field of fieldsOf(modelClass)) {
    const { name } = field
    let value = values[name]
    if (value !== undefined) {
      given.push(name)
      if (report) {
        report.path[0] = name
        value = field.keep(value, report)
      }
      put(model, field, value)
    } else if (!field.required) put(model, field, field.fresh())
    else report?.issues.push({ path: name, message: 'required, but not given', code: 'required' })
  }
  if (report && report.issues.length > 0) throw new ModelValidationError(modelClass.spec().name, report.issues)
  // A list that grew has room for more, and there may be many instances.
  return given.slice()
}

/** Sets a field of an instance; one with bounds is read-only. */
export function put(model: Model, { name, bounded }: Field, value: unknown): void {
  if (bounded) Object.defineProperty(model, name, { value, enumerable: true, configurable: true })
  else (model as unknown as Dict)[name] = value
}
