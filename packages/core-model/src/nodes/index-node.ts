/**
 * @module
 * Nodes that represent other objects, and the list of all node classes: an index node may contain any node.
 */

import type { Dict, DictOptions, Model, ModelClass, ModelConstructor, ReadOptions, WireLine } from '@x/core'
import { SerializationError, writeJsonText } from '@x/core'
import { checkGiven } from '@x/core/options'
import { type AnyModel, type AnyModelClass, remember, wireLine } from '@x/core/reading'
import { isPlainObject, mapValues, parseExactly } from '@x/core/values'
import { IndexNodeModel, type IndexNodeOptions } from '../generated/index-node.ts'
import { pythonText } from '../python-text.ts'
import { ObjectType } from './codes.ts'
import { Document } from './document.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { UnknownNodeTypeError } from './node-errors.ts'
import { builtInNodes } from './node-hash.ts'
import { docToJson, isNode } from './node-record.ts'
import { TextNode } from './text-node.ts'

/** An index node whose object may have been read from a dict that is not a node. Then it is written as a dict again. */
type ReadNode = IndexNode & { objIsDict?: true }

/** Among the options: the node is the object of an index node, which writes a record of it instead. */
const AS_OBJECT = Symbol('object')
type ObjectOptions = DictOptions & { [AS_OBJECT]?: boolean }

/** How many index nodes in index nodes are being written. */
let levels = 0
/** Each is two levels of JSON, of at most 1,000. */
const maxObjects = 500

/** A node that represents another object, such as a table; `indexId` is the id of that object. */
export class IndexNode extends IndexNodeModel {
  protected static override wireForm(data: Dict): Dict {
    const read = super.wireForm(data)
    // A copy, so that the text or the record of the object is written again.
    return read === data && (data['obj'] ?? null) !== null ? { ...data } : read
  }

  protected static override fromFields(fields: Dict, options: ReadOptions = {}): Model {
    const { obj } = fields
    const node = super.fromFields({ ...fields, obj: readObject(obj, options) }) as ReadNode
    if (isPlainObject(obj) && !('__data__' in obj)) node.objIsDict = true
    return node
  }

  /** Returns a node with all fields of `node` that represents the object `indexId`. */
  static fromTextNode(node: TextNode, indexId: string): IndexNode {
    checkGiven('IndexNode.fromTextNode', { node }, 'a node', 'text')
    const fields: Dict = {}
    for (const name in TextNode.spec().fields) fields[name] = (node as unknown as Dict)[name]
    return new IndexNode({ ...(fields as Dict & IndexNodeOptions), indexId })
  }

  override getType(): ObjectType {
    return ObjectType.index
  }

  /**
   * Returns the wire form. `obj` is written as a store record if it is a node, as its dict if it has `toDict`, otherwise as JSON text of
   * Python.
   */
  override toDict(options: DictOptions = {}): Dict {
    const line = wireLine(options.line, 'IndexNode')
    // The object is a part of what the line writes.
    const others = line && { ...line, write: (dict: Dict, of: AnyModel) => (of === this ? dict : line.write(dict, of)) }
    if ((options as ObjectOptions)[AS_OBJECT]) return {}
    const dict = super.toDict({ ...options, line: others, [AS_OBJECT]: isNode(this.obj) } as ObjectOptions)
    if ('obj' in dict) dict['obj'] = writeObject(this.obj, dict['obj'], (this as ReadNode).objIsDict, line)
    return line?.write(dict, this) ?? dict
  }
}

/** Reads the class `Node` of newer versions of LlamaIndex for Python: an image node if there is an image, else a text node. */
class MultimodalNode extends ImageNode {
  static override className(): string {
    return 'Node'
  }

  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    { class_name: _, ...data }: Dict,
    overrides?: Dict,
    options?: ReadOptions,
  ): T {
    const node = (hasImage(data) ? ImageNode : TextNode).fromDict(data, overrides, options)
    return remember(node, { ...data, class_name: 'Node' }) as Model as T
  }

  override getType(): ObjectType {
    return ObjectType.multimodal
  }
}

const hasImage = (data: Dict): boolean => isPlainObject(data['image_resource'])

/** @param written - the plain form of the object. */
function writeObject(obj: unknown, written: unknown, isDict = false, line?: WireLine): unknown {
  if (obj === null) return null
  if (isNode(obj)) {
    if (levels >= maxObjects)
      throw new SerializationError(
        'IndexNode.obj',
        `more than ${maxObjects} nodes in each other; one may contain itself`,
      )
    levels++
    try {
      return docToJson(obj, line)
    } finally {
      levels--
    }
  }
  const { toDict } = obj as { toDict?: () => unknown }
  if (typeof toDict === 'function' || (isDict && isPlainObject(obj))) return written
  return pythonText(writeJsonText(written, {}, ['IndexNode.obj']))
}

function readObject(value: unknown, options: ReadOptions): unknown {
  if (isPlainObject(value) && '__data__' in value) return jsonToDoc(value, options)
  if (typeof value !== 'string') return value ?? null
  try {
    return parseExactly(value)
  } catch {
    return value // A string that is not JSON is the object itself.
  }
}

/** Returns all node classes. The first one reads data without a class name. */
export function nodeClasses(): { classes: readonly ModelClass<TextNode>[]; unknown: (className: string) => Error } {
  return {
    classes: [
      TextNode,
      ImageNode,
      IndexNode,
      Document,
      ImageDocument,
      MultimodalNode,
    ] as readonly ModelClass<TextNode>[],
    unknown: (className) => new UnknownNodeTypeError(className),
  }
}

/**
 * Reads a node from a record, including those of old versions. The class name selects a class of this package or of `options.registry`;
 * without a class name, the type code selects the class.
 * @throws {UnknownNodeTypeError} for an unknown code or class name.
 */
export function jsonToDoc(record: unknown, options: ReadOptions = {}): TextNode {
  const { __type__: type, __data__: data } = isPlainObject(record) ? record : {}
  if (typeof type !== 'string' || !isPlainObject(data)) throw new UnknownNodeTypeError(type)
  const { class_name: name, ...rest } = data
  const fields = 'extra_info' in rest ? fromLegacy(rest) : rest
  const own = typeof name === 'string' ? options.registry?.get(name) : undefined
  if (own && isNodeClass(own)) return withClass(own.fromDict(fields, {}, options), fields === rest ? data : null)
  const { classes } = nodeClasses()
  const byCode = classes.find((nodeClass) => nodeClass.prototype.getType() === type)
  if (byCode === undefined) throw new UnknownNodeTypeError(type)
  if (typeof name === 'string' && !builtInNodes.includes(name)) throw new UnknownNodeTypeError(name)
  const byName = classes.find((known) => known.className() === name && known.prototype.getType() === type)
  const nodeClass = byName ?? byCode
  const found: AnyModelClass<TextNode> = nodeClass === Document && hasImage(fields) ? ImageDocument : nodeClass
  return withClass(found.fromDict(fields, {}, options), fields === rest ? data : null)
}

/** Returns a node whose data, if it keeps the data that it was read from, has its class. */
function withClass(node: TextNode, data: Dict | null): TextNode {
  return '~read' in node && data ? remember(node, data) : node
}

function isNodeClass(modelClass: AnyModelClass): modelClass is AnyModelClass<TextNode> {
  return typeof (modelClass.prototype as Partial<TextNode>).getType === 'function'
}

function fromLegacy({ doc_id, extra_info, relationships, ...rest }: Dict): Dict {
  const related = isPlainObject(relationships) ? relationships : {}
  return {
    ...rest,
    ...(doc_id !== undefined && { id_: doc_id }),
    metadata: extra_info ?? {},
    relationships: mapValues(related, (nodeId) => (typeof nodeId === 'string' ? { node_id: nodeId } : nodeId)),
  }
}
