/**
 * @module
 * Nodes as records of a store, and back.
 */
import {
  ClassRegistry,
  docToJson,
  jsonToDoc,
  type ModelClass,
  nodeClasses,
  type TextNode,
  UnknownNodeTypeError,
} from '@x/core-model'
import type { StoredValue } from './key-value-store.ts'

/** The node classes that a store may contain, in addition to those of `@x/core-model`. */
export interface NodeClassOptions {
  /** Your own node classes that the store may contain; those of `@x/core-model` are always known. */
  nodeClasses?: Iterable<ModelClass<TextNode>>
  /** Further classes that the store may contain. */
  registry?: ClassRegistry
}

/**
 * Converts nodes to the records of a store and back, for your own stores.
 * @throws {ModelValidationError} when two of `nodeClasses` have the same class name.
 * @example
 * const records = new NodeRecords()
 * const record = records.recordOf(new TextNode({ id: 'a', text: 'Hello' }))
 * records.nodeOf(record).text // => 'Hello'
 */
export class NodeRecords {
  private readonly classes: Pick<ClassRegistry, 'get'>

  constructor({ nodeClasses = [], registry }: NodeClassOptions = {}) {
    const own = new ClassRegistry(nodeClasses)
    this.classes = { get: (className) => own.get(className) ?? registry?.get(className) }
  }

  /**
   * Returns the record of a node, which `nodeOf` can read: its data, and the code of its type.
   * @throws {UnknownNodeTypeError} for a node of a class that is not known.
   * @throws {SerializationError} when the node contains a value that has no JSON form.
   */
  recordOf(node: TextNode): StoredValue {
    const className = (node.constructor as unknown as ModelClass).className()
    const isKnown = nodeClasses().classes.some((nodeClass) => nodeClass.className() === className)
    if (!isKnown && !this.classes.get(className)) throw new UnknownNodeTypeError(className)
    return { ...docToJson(node) }
  }

  /** Returns the node of a record. @throws {UnknownNodeTypeError} for a record of a class that is not known. */
  nodeOf(record: StoredValue): TextNode {
    return jsonToDoc(record, { registry: this.classes })
  }
}
