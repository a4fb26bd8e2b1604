import { ModelValidationError } from '../errors.ts'
import type { Model, ModelClass } from './model.ts'
import type { Dict } from './model-class.ts'
import { unknownClass } from './model-fields.ts'
import { invalid } from './report.ts'

/**
 * The classes that serialized data may name. There is no global registry: create one and pass it to the functions that read.
 * @throws {ModelValidationError} if two classes have the same class name.
 * @example
 * class Label extends fields(Model, 'Label', { text: string() }) {}
 * const registry = new ClassRegistry([Label])
 * registry.fromDict({ text: 'a', class_name: 'Label' }) // => instance of Label
 */
export class ClassRegistry {
  readonly #classes: ReadonlyMap<string, ModelClass>

  constructor(classes: Iterable<ModelClass>) {
    if (!(Symbol.iterator in Object(classes))) throw invalid('ClassRegistry', 'an iterable of model classes', classes)
    const byName = new Map<string, ModelClass>()
    for (const modelClass of classes) {
      if (typeof modelClass?.className !== 'function') throw invalid('ClassRegistry', 'model classes', modelClass)
      const name = modelClass.className()
      if ((byName.get(name) ?? modelClass) !== modelClass) {
        throw new ModelValidationError('ClassRegistry', [
          { path: name, message: 'expected one class per class name, received two', code: 'unique' },
        ])
      }
      byName.set(name, modelClass)
    }
    this.#classes = byName
  }

  /** Returns the class with this class name, or undefined. */
  get(className: string): ModelClass | undefined {
    return this.#classes.get(className)
  }

  /** Reads a component of any registered class from its wire form. @throws {UnknownClassNameError} */
  fromDict(data: unknown, overrides?: Dict): Model {
    const className = (data as Dict | null | undefined)?.['class_name']
    const modelClass = typeof className === 'string' ? this.get(className) : undefined
    if (modelClass === undefined) throw unknownClass('ClassRegistry', className)
    return modelClass.fromDict(data, overrides, { registry: this })
  }
}
