/**
 * @module
 * From data in wire form to the options of a constructor.
 */
import { pathText } from './check-value.ts'
import { unknownClass } from './class-registry.ts'
import { fieldsOf, mapModels } from './field.ts'
import type { Dict, ModelClass, ReadOptions } from './model.ts'
import { isPlainObject, type Path } from './plain.ts'
import { attempt } from './unreadable.ts'

/** The options in API names that data and overrides give; overrides win. */
export function readFields(modelClass: ModelClass, data: Dict, overrides: Dict, options: ReadOptions): Dict {
  const values: Dict = {}
  for (const { name, wire, spec, runtime, of } of fieldsOf(modelClass)) {
    const key = Object.hasOwn(data, wire) ? wire : spec.aliases?.find((alias) => Object.hasOwn(data, alias))
    if (runtime || key === undefined || overrides[name] !== undefined) continue
    const path: Path = [name]
    values[name] = !of
      ? data[key]
      : mapModels(data[key], spec.schema, path, (item) => {
          if (!isPlainObject(item)) return item
          const className = item['class_name']
          const [first] = of.classes
          const nestedClass =
            of.classes.find((known) => known.className() === className) ??
            (typeof className === 'string' ? options.registry?.get(className) : undefined) ??
            (className === undefined || first?.spec().record ? first : undefined)
          if (nestedClass) return attempt(path, () => nestedClass.fromDict(item, {}, options))
          throw typeof className === 'string' && of.unknown
            ? of.unknown(className)
            : unknownClass(`${modelClass.spec().name}.${pathText(path)}`, className)
        })
  }
  // Options that are no fields, such as the variables of a prompt, reach the constructor too.
  return { ...values, ...overrides }
}
