/**
 * @module
 * The live options of a model, such as functions: JSON contains their names alone, so that data is not read without them by mistake.
 */
import { ModelValidationError } from '../errors.ts'
import type { AnyModel, AnyModelClass, Dict, DictOptions } from './model-class.ts'
import { fieldsOf } from './model-fields.ts'
import { isPlainObject } from './plain.ts'

const KEY = 'live_options'

/**
 * Returns the wire form of a model with the names of the live options that it has. Required ones are asked for in any case. A component
 * without `toDict`, such as a language model that is a plain object, is one of them and is left out.
 * @param write - the method of the superclass that returns the wire form
 * @param unnamed - the options that are not named, because the JSON form of Python does not have them.
 */
export function writeLiveOptions(
  model: AnyModel,
  options: DictOptions,
  write: AnyModel['toDict'],
  unnamed: readonly string[] = [],
): Dict {
  // Refused there.
  if (options === null || typeof options.exclude === 'string') return write.call(model, options)
  const { line, include, exclude = [] } = options
  const left: [string, true][] = []
  const names: string[] = []
  for (const { name, spec, required, runtime } of fieldsOf(model.constructor as AnyModelClass)) {
    const value = ((model as unknown as Dict)[name] ?? null) as Partial<AnyModel> | null
    if (value === null || !(runtime || (spec.holds && !value.toDict))) continue
    left.push([name, true])
    if (!required && name !== 'callbackManager' && !unnamed.includes(name)) names.push(name)
  }
  const excluded = Array.isArray(exclude) ? Object.fromEntries(exclude.map((name) => [name, true])) : exclude
  const dict = write.call(model, { ...options, exclude: { ...excluded, ...Object.fromEntries(left) } })
  if (names.length > 0 && !line && !include) dict[KEY] = names.sort()
  return dict
}

/**
 * Checks that the overrides contain the live options with which data was written; null is enough.
 * @throws {ModelValidationError} with an issue for each one that is missing.
 */
export function checkLiveOptions(modelClass: Pick<AnyModelClass, 'spec'>, data: unknown, overrides: Dict): void {
  const { name: title, fields } = modelClass.spec()
  const names: unknown = isPlainObject(data) ? data[KEY] : undefined
  const missing = (Array.isArray(names) ? names : []).filter(
    (name) => Object.hasOwn(fields, name) && overrides?.[name] === undefined,
  )
  if (missing.length > 0)
    throw new ModelValidationError(
      title,
      missing.map((path: string) => ({ path, message, code: 'live' })),
    )
}

const message =
  'the data was written with this option, which JSON cannot contain: pass it, or null to read the data without it'
