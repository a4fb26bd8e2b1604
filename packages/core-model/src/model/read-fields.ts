/**
 * @module
 * From data in wire form to the options of a constructor.
 */
import type { Path } from './check-value.ts'
import { pathText } from './check-value.ts'
import { unknownClass } from './class-registry.ts'
import type { Dict, ModelClass, NestedClasses, ReadOptions } from './model.ts'
import { isPlainObject, mapValues } from './plain.ts'
import { attempt, classesOf } from './validate-fields.ts'

/** The options in API names that data and overrides give; overrides win. */
export function readFields(modelClass: ModelClass, data: Dict, overrides: Dict, options: ReadOptions): Dict {
  const { name: title, fields } = modelClass.spec()
  const nested = modelClass.nested()
  const values: Dict = {}
  for (const name in fields) {
    const { wire = name, aliases = [], runtime, holds, schema } = fields[name]!
    const key = runtime ? undefined : [wire, ...aliases].find((known) => Object.hasOwn(data, known))
    if (key === undefined || overrides[name] !== undefined) continue
    const of = nested[name] ? classesOf(nested[name]) : holds && { classes: [] }
    values[name] = of ? read(data[key], [name], title, schema.type === 'object', of, options) : data[key]
  }
  // Options that are no fields, such as the variables of a prompt, reach the constructor too.
  return { ...values, ...overrides }
}

/** Nested models read from wire data. */
function read(
  value: unknown,
  path: Path,
  title: string,
  isMap: boolean,
  of: NestedClasses,
  options: ReadOptions,
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => read(item, [...path, index], title, false, of, options))
  if (!isPlainObject(value)) return value
  if (isMap) return mapValues(value, (item, key) => read(item, [...path, key], title, false, of, options))
  const className = value['class_name']
  const [first] = of.classes
  const modelClass =
    of.classes.find((known) => known.className() === className) ??
    (typeof className === 'string' ? options.registry?.get(className) : undefined) ??
    (className === undefined || first?.spec().record ? first : undefined)
  if (modelClass) return attempt(path, () => modelClass.fromDict(value, {}, options))
  throw typeof className === 'string' && of.unknown
    ? of.unknown(className)
    : unknownClass(`${title}.${pathText(path)}`, className)
}
