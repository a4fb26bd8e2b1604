/**
 * @module
 * The live options of a model, such as functions: JSON contains their names alone, so that data is not read without them by mistake.
 */
import { ModelValidationError } from '../errors.ts'
import type { AnyModel, AnyModelClass, Dict, DictOptions } from './model-class.ts'
import { fieldsOf, isLive } from './model-fields.ts'
import { isPlainObject } from './plain.ts'

const KEY = 'live_options'

/**
 * Adds the names of the live options that a model has to its wire form. Required ones are asked for in any case.
 * @param unnamed - the options that are not named, because the JSON form of Python does not have them.
 */
export function writeLiveOptions(
  dict: Dict,
  model: AnyModel,
  { line, include }: DictOptions,
  unnamed: readonly string[] = [],
): Dict {
  const names: string[] = []
  for (const field of fieldsOf(model.constructor as AnyModelClass)) {
    const { name, required } = field
    const value = (model as unknown as Dict)[name] ?? null
    if (value === null || !isLive(field, value)) continue
    if (!required && name !== 'callbackManager' && !unnamed.includes(name)) names.push(name)
  }
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
    (name) => Object.hasOwn(fields, name) && overrides[name] === undefined,
  )
  if (missing.length > 0)
    throw new ModelValidationError(
      title,
      missing.map((path: string) => ({ path, message, code: 'live' })),
    )
}

const message =
  'the data was written with this option, which JSON cannot contain: pass it, or null to read the data without it'
