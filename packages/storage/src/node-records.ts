/**
 * @module
 * Converts nodes to records of a store and back.
 */
import { checkOptions, flag, type OptionTable, unchecked } from '@x/core/options'
import {
  ClassRegistry,
  docToJson,
  jsonToDoc,
  type ModelClass,
  nodeClasses,
  type TextNode,
  UnknownNodeTypeError,
  writeJsonText,
} from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { PythonLine } from '@x/core-model/python'
import { damagedRecord, type RecordPlace, readingRecord } from './errors.ts'
import type { StoredValue } from './key-value-store.ts'

/** The node classes that a store can read and write. */
export interface NodeClassOptions {
  /** Your own node classes, in addition to those of `@x/core-model`. */
  nodeClasses?: Iterable<ModelClass<TextNode>> | undefined
  /** A registry with further node classes. */
  registry?: ClassRegistry | undefined
  /** The line of LlamaIndex for Python whose records and hashes the store writes. @defaultValue those of 0.10 */
  line?: PythonLine | undefined
  /**
   * Whether each record is written with a checksum, so that a record that was altered on the disk is refused, not read. Records with a
   * checksum are always checked. LlamaIndex for Python ignores it. Costs a SHA-256 of each record. @defaultValue false
   */
  checksums?: boolean | undefined
}

/** The field of a record with its checksum. */
const CHECKSUM = '__checksum__'

/** The checks of {@link NodeClassOptions}. */
export const nodeClassOptions: OptionTable<NodeClassOptions> = {
  nodeClasses: unchecked,
  registry: unchecked,
  line: unchecked,
  checksums: flag,
}

/**
 * Converts nodes to records of a store and back; for your own stores.
 * @throws {ModelValidationError} if two of `nodeClasses` have the same class name.
 * @example
 * const records = new NodeRecords()
 * const record = records.recordOf(new TextNode({ id: 'a', text: 'Hello' }))
 * records.nodeOf(record).text // => 'Hello'
 */
export class NodeRecords {
  private classes: Pick<ClassRegistry, 'get'>

  /** The line of LlamaIndex for Python; undefined for 0.10. */
  readonly line: PythonLine | undefined
  private readonly checksums: boolean

  constructor(options: NodeClassOptions = {}) {
    checkOptions('NodeRecords', options, nodeClassOptions)
    const { nodeClasses = [], registry, line, checksums = false } = options
    this.line = line
    this.checksums = checksums
    const own = new ClassRegistry(nodeClasses)
    this.classes = { get: (className) => own.get(className) ?? registry?.get(className) }
  }

  /**
   * Returns the record of a node for `nodeOf`: its data and the code of its type.
   * @param changes - fields of the data with other values
   * @throws {UnknownNodeTypeError} for a node of a class that is not known, or that has the class name of the class that it extends.
   * @throws {SerializationError} if the node contains a value that has no JSON form.
   */
  recordOf(node: TextNode, changes?: Readonly<Record<string, unknown>>): StoredValue {
    const nodeClass = node.constructor as unknown as ModelClass<TextNode>
    const className = nodeClass.className()
    const known = this.classes.get(className) ?? nodeClasses().classes.find((one) => one.className() === className)
    if (!known) throw new UnknownNodeTypeError(className)
    // Classes of another copy of the core have the same name and extend none of these.
    if (known !== nodeClass && (extendsClass(nodeClass, known) || extendsClass(known, nodeClass)))
      throw new UnknownNodeTypeError(
        className,
        `the class ${nodeClass.name} has the class name of another class, "${className}"; extend fields(${className}, '${nodeClass.name}').`,
      )
    const record: StoredValue = { ...docToJson(node, this.line) }
    if (changes) record['__data__'] = { ...(record['__data__'] as object), ...changes }
    if (this.checksums) record[CHECKSUM] = checksumOf(record)
    return record
  }

  /** Returns the same classes with the records and hashes of another line. */
  inLine(line: PythonLine): NodeRecords {
    const records = new NodeRecords({ line, checksums: this.checksums })
    records.classes = this.classes
    return records
  }

  /** Returns the hash of a node, as the line of the store computes it. */
  hashOf(node: TextNode): string {
    return this.line?.hashOf(node) ?? node.hash
  }

  /**
   * Returns the node of a record.
   * @throws {UnknownNodeTypeError} for a record of a class that is not known.
   * @throws {StoreReadError} for a damaged record, with `place`; for one that has another checksum.
   */
  nodeOf(record: StoredValue, place?: RecordPlace): TextNode {
    const { [CHECKSUM]: checksum, ...rest } = record
    if (checksum !== undefined && checksum !== checksumOf(rest)) {
      const { id_ } = (record['__data__'] ?? {}) as { id_?: unknown }
      throw damagedRecord(
        place ?? { path: 'NodeRecords', nodeId: String(id_) },
        'it was altered: its checksum is another one',
      )
    }
    if (!place) return jsonToDoc(rest, { registry: this.classes })
    return readingRecord(place, () => jsonToDoc(rest, { registry: this.classes }))
  }
}

const checksumOf = (record: StoredValue): string => sha256(writeJsonText(record))

function extendsClass({ prototype }: ModelClass, base: ModelClass): boolean {
  return prototype instanceof base
}
