/**
 * @module
 * Nodes as JSON text, for columns of a database.
 */
import { checkOption, required, text as string } from '@x/core/options'
import { readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { type RecordPlace, readingRecord } from './errors.ts'
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
  checkOption('nodeText', 'node', node, required('a node', 'metadata'))
  checkOption('nodeText', 'records', records, required('records of nodes', 'recordOf'))
  return writeJsonText(records.recordOf(node, changes))
}

/**
 * Returns the node of a string that {@link nodeText} returned.
 * @param place - where the text is stored, for errors
 * @throws {UnknownNodeTypeError} for a record of a class that is not known.
 * @throws {StoreReadError} for a damaged record, with `place`.
 */
export function nodeOfText(text: string, records: NodeRecords, place?: RecordPlace): TextNode {
  checkOption('nodeOfText', 'text', text, required(string))
  checkOption('nodeOfText', 'records', records, required('records of nodes', 'nodeOf'))
  const read = () => {
    const record = readJsonText(text)
    if (typeof record !== 'object' || record === null) throw new TypeError('expected an object')
    return record as StoredValue
  }
  return records.nodeOf(place ? readingRecord(place, read) : read(), place)
}
