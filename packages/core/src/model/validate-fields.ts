/**
 * @module
 * Assigns constructor options to the fields of an instance.
 */
import { ModelValidationError } from '../errors.ts'
import { type FieldSource, fieldsOf, type ModelField, type ModelFields, newObject } from './field.ts'
import type { Dict } from './model-class.ts'
import { invalid, Report } from './report.ts'
import { unknownName } from './unknown-name.ts'

/**
 * Assigns `values` to the fields of an instance, validated if `checked`, and defaults to the other fields. Returns the names of the
 * fields that `values` contains.
 * @throws {ModelValidationError} if a value is invalid. Then the instance must not be used.
 */
export function fill(model: object, modelClass: FieldSource, values: Dict, checked: boolean): readonly string[] {
  if (typeof values !== 'object' || Array.isArray(values)) throw invalid(modelClass.spec().name, 'an object', values)
  const fields = fieldsOf(modelClass)
  // The fields of a guarded instance cannot be defined again: a class field with the name of a model field (`label!: string` instead of
  // `declare label: string`) would overwrite the value with undefined; here the engine throws "Cannot redefine property: label". Such a
  // class fails at its first instance, so later instances are created without this cost, unless the class is known to look like one.
  const isGuarded = checked && fields.guarded > 0 && Object.keys(model).length === 0
  if (isGuarded) {
    fields.guarded--
    // Define the marker before the fields: guarded instances then have a hidden class of their own, and stores to all others stay fast.
    Object.defineProperty(model, '~guarded', { value: true })
  }
  const given = assign(model, modelClass, fields, values, checked)
  if (isGuarded) for (const name of Object.keys(model)) Object.defineProperty(model, name, { configurable: false })
  return given
}

/** Does the work of `fill`. A function of its own, because engines optimize it better without the guard. */
function assign(
  model: object,
  modelClass: FieldSource,
  fields: ModelFields,
  values: Dict,
  checked: boolean,
): readonly string[] {
  let { given } = fields
  let count = 0
  let report: Report | undefined
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!
    const { name, fresh } = field
    let value = values[name]
    if (value !== undefined) {
      // Instances with the same names share the array.
      if (given[count] !== name) given = [...given.slice(0, count), name]
      count++
      if (checked && !isValidString(field, value)) {
        report ??= new Report()
        report.path[0] = name
        value = field.keep(value, report)
      }
      put(model, field, value)
    } else if (!field.required) put(model, field, fresh === newObject ? {} : fresh ? fresh() : field.default)
    else if (checked)
      (report ??= new Report()).issues.push({ path: name, message: 'required, but missing', code: 'required' })
  }
  if (checked && Object.keys(values).length !== count) report = refuseUnknown(fields, values, report)
  if (report?.issues.length) throw new ModelValidationError(modelClass.spec().name, report.issues)
  if (count < given.length) given = given.slice(0, count)
  fields.given = given
  return given
}

/** Reports the names of options that are no fields. */
function refuseUnknown(fields: ModelFields, values: Dict, report = new Report()): Report {
  const known = fields.map(({ name }) => name)
  for (const name of Object.keys(values))
    if (values[name] !== undefined && !known.includes(name)) report.issues.push(unknownName(name, known))
  return report
}

/** Whether a value is a valid string, so that the full check is not necessary. */
function isValidString({ strings }: ModelField, value: unknown): boolean {
  return typeof value === 'string' && strings !== undefined && (strings === 'all' || strings.includes(value))
}

/** Sets a field of an instance. A field with bounds is read-only. */
export function put(model: object, { name, bounded }: ModelField, value: unknown): void {
  if (bounded) Object.defineProperty(model, name, { value, enumerable: true, configurable: true })
  else (model as Dict)[name] = value
}
