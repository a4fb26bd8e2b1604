/**
 * @module
 * Nodes as JSON text, for columns of a database.
 */
import { readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import type { StoredValue } from './key-value-store.ts'
import type { NodeRecords } from './node-records.ts'

/**
 * Returns the record of a node as JSON text, for your own database.
 * @param changes - fields with other values, such as the embedding, which an index stores in its own form
 * @example
 * const records = new NodeRecords()
 * nodeOfText(nodeText(new TextNode({ text: 'Hello', embedding: [1] }), records, { embedding: null }), records).embedding // => null
 */
export function nodeText(node: TextNode, records: NodeRecords, changes?: Readonly<Record<string, unknown>>): string {
  const record = records.recordOf(node)
  return writeJsonText(changes ? { ...record, __data__: { ...(record['__data__'] as object), ...changes } } : record)
}

/** Returns the node of a text of {@link nodeText}. @throws {UnknownNodeTypeError} for a record of a class that is not known. */
export function nodeOfText(text: string, records: NodeRecords): TextNode {
  return records.nodeOf(readJsonText(text) as StoredValue)
}
