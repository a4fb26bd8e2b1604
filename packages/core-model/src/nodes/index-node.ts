import { type IndexNodeFields, type IndexNodeOptions, indexNodeSpec } from '../generated/models.ts'
import type { Dict, DictOptions, Model } from '../model/model.ts'
import { isPlainObject } from '../model/plain.ts'
import { jsonValue } from '../model/write-fields.ts'
import { ObjectType } from './codes.ts'
import { docToJson, isNode, jsonToDoc } from './node-record.ts'
import { TextNode } from './text-node.ts'

export interface IndexNode extends IndexNodeFields {}

/** A node that stands for another object, such as a table; `indexId` is that object's id. */
export class IndexNode extends TextNode {
  constructor(options: IndexNodeOptions) {
    super(options)
  }

  static override spec() {
    return indexNodeSpec
  }

  protected static override fromFields(fields: Dict): Model {
    return new IndexNode({ ...(fields as Dict & IndexNodeOptions), obj: readObject(fields['obj']) })
  }

  /** A node with all fields of `node` that stands for the object `indexId`. */
  static fromTextNode(node: TextNode, indexId: string): IndexNode {
    const fields: Dict = {}
    for (const name in TextNode.spec().fields) fields[name] = (node as unknown as Dict)[name]
    return new IndexNode({ ...(fields as Dict & IndexNodeOptions), indexId })
  }

  override getType(): ObjectType {
    return ObjectType.index
  }

  /** The wire form; `obj` is written as a stored node, as its own dict, or as JSON text. */
  override toDict(options: DictOptions = {}): Dict {
    const dict = super.toDict(options)
    if ('obj' in dict) dict['obj'] = writeObject(this.obj, dict['obj'])
    return dict
  }
}

/** `written` is the plain form of the object. */
function writeObject(obj: unknown, written: unknown): unknown {
  if (obj === null) return null
  if (isNode(obj)) return docToJson(obj)
  const { toDict } = obj as { toDict?: () => unknown }
  if (typeof toDict === 'function') return toDict.call(obj)
  return JSON.stringify(jsonValue(written, {}, ['IndexNode.obj']))
}

function readObject(value: unknown): unknown {
  if (isPlainObject(value) && '__data__' in value) return jsonToDoc(value)
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value)
  } catch {
    return value // a text that is no JSON is the object itself
  }
}
