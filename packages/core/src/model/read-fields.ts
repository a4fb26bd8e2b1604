/**
 * @module
 * Converts data in wire form to constructor options.
 */
import { UnknownClassNameError } from '../errors.ts'
import { tryRead } from './invalid-nested.ts'
import type { AnyModelClass, Dict, NestedClasses, ReadOptions } from './model-class.ts'
import { fieldsOf, isAbstract, mapModels } from './model-fields.ts'
import { isPlainObject, type Path } from './plain.ts'
import { invalid, pathText } from './report.ts'

/** Returns constructor options, in API names, from data and overrides. Overrides have priority. */
export function readFields(modelClass: AnyModelClass, data: Dict, overrides: Dict, options: ReadOptions): Dict {
  const values: Dict = {}
  const hasOverrides = Object.keys(overrides).length > 0
  const path: Path = []
  let of: NestedClasses | undefined

  /** Reads a nested model of the current field. */
  function readItem(item: unknown): unknown {
    if (!of || !isPlainObject(item)) return item
    const unnamed = of.unnamed?.(item)
    const className = item['class_name'] ?? (typeof unnamed === 'string' ? unnamed : undefined)
    const first = typeof unnamed === 'function' ? unnamed : of.classes[0]
    const nestedClass =
      of.classes.find((known) => !isAbstract(known) && known.className() === className) ??
      (typeof className === 'string' ? options.registry?.get(className) : undefined) ??
      (first && !isAbstract(first) && (className === undefined || first.spec().record) ? first : undefined)
    if (nestedClass) return tryRead(path, () => nestedClass.fromDict(item, {}, options))
    throw typeof className === 'string' && of.unknown
      ? of.unknown(className)
      : unknownClass(`${modelClass.spec().name}.${pathText(path)}`, className)
  }

  for (const { name, wire, spec, runtime, of: classes } of fieldsOf(modelClass)) {
    if (runtime || (hasOverrides && overrides[name] !== undefined)) continue
    let value = data[wire]
    if (value === undefined && spec.aliases)
      value = data[spec.aliases.find((alias) => data[alias] !== undefined) ?? wire]
    path[0] = name
    of = classes
    if (value !== undefined) values[name] = of ? mapModels(value, spec.schema, path, readItem) : value
  }
  // The overrides may contain options that are not fields, such as the variables of a prompt.
  return hasOverrides ? { ...values, ...overrides } : values
}

/** Returns the error for data whose class is unknown. */
export function unknownClass(where: string, className: unknown): Error {
  if (className === undefined || typeof className === 'string')
    return new UnknownClassNameError(where, className ?? null)
  return invalid(where, 'a string', className, ['class_name'])
}
