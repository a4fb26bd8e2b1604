/// <reference types="node" />
/**
 * @module
 * The records of indexes and vectors in a storage folder of LlamaIndex for Python.
 */

import { basename } from 'node:path'
import { checkGiven, checkOption, required } from '@x/core/options'
import { errorMessage, isPlainObject, merge } from '@x/core/values'
import { type Dict, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { isPythonText, pythonText, pythonVector } from '@x/core-model/python'
import { notAStore } from './errors.ts'
import { readJsonFileVersion } from './json-file.ts'

/** What a vector store of a storage folder contains in addition to a vector: the source of the node, and its metadata for filters. */
export interface VectorEntry {
  source: unknown
  metadata: unknown
}

/** A vector store in memory. Its order is that of the file. */
export interface StoredVectors {
  readonly embeddings: Map<string, number[]>
  readonly entries: Map<string, VectorEntry>
  /** Whether its file has the blanks and escapes of Python. */
  readonly isPython: boolean
}

export function emptyVectors(isPython = false): StoredVectors {
  return { embeddings: new Map(), entries: new Map(), isPython }
}

/** Returns the JSON text of a vector store in pieces. */
export function* vectorPieces({ embeddings, entries, isPython }: StoredVectors): Generator<string> {
  const style = isPython ? pythonText : (text: string) => text
  const object = (part: keyof VectorEntry) => {
    const given = [...entries].map(([id, entry]) => [id, entry[part]] as const)
    return writeJsonText(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  }
  yield style('{"embedding_dict":{')
  let between = ''
  for (const [id, vector] of embeddings) {
    yield style(`${between}${JSON.stringify(id)}:`) + (isPython ? pythonVector(vector) : writeJsonText(vector))
    between = ','
  }
  yield style(`},"text_id_to_ref_doc_id":${object('source')},"metadata_dict":${object('metadata')}}`)
}

/** Reads a vector store. Vectors with values that are not finite numbers are named and left out. */
export async function readVectors(path: string, leftOut: { key: string; reason: string }[]): Promise<StoredVectors> {
  const { data: file, text } = await readJsonFileVersion(path)
  if (!isPlainObject(file) || !isPlainObject(file['embedding_dict']))
    throw notAStore(path, 'vector store', new TypeError('expected an object "embedding_dict"'))
  const { embedding_dict: vectors, text_id_to_ref_doc_id: sources, metadata_dict: metadata } = file
  const vectorsRead = emptyVectors(isPythonText(text))
  for (const [id, vector] of Object.entries(vectors as Dict)) {
    if (!Array.isArray(vector) || !vector.every(Number.isFinite)) {
      leftOut.push({
        key: `${basename(path)}: embedding_dict.${id}`,
        reason: 'the vector is not a list of finite numbers',
      })
      continue
    }
    vectorsRead.embeddings.set(id, vector)
    vectorsRead.entries.set(id, { source: Object(sources)[id], metadata: Object(metadata)[id] })
  }
  return vectorsRead
}

/** Returns what a vector store of a storage folder contains in addition to the vector of a node, as Python writes it. */
export function vectorEntry(node: TextNode): VectorEntry {
  checkOption('vectorEntry', 'node', node, required('a node', 'metadata'))
  const source = node.refDocId ?? 'None'
  const nodeClass = node.constructor as unknown as { className(): string }
  return {
    source,
    metadata: merge(node.metadata, {
      _node_type: nodeClass.className(),
      document_id: source,
      doc_id: source,
      ref_doc_id: source,
    }),
  }
}

/** The types of indexes whose nodes are found by vector. */
const vectorTypes: readonly unknown[] = ['vector_store', 'simple_dict', 'multimodal']

/**
 * Returns the ids of the nodes of a vector index by those of their vectors, or why the index has no counterpart.
 * @param record - the record of the index in `index_store.json`.
 */
export function readIndex(id: string, record: unknown): { nodesDict: Dict } | { reason: string } {
  const { __type__: type, __data__: given } = Object(record) as Dict
  if (!vectorTypes.includes(type)) return { reason: `indexes of the type ${String(type)} have no counterpart` }
  let data = given
  try {
    if (typeof given === 'string') data = readJsonText(given)
  } catch (error) {
    return { reason: `the record of the index is not JSON: ${errorMessage(error)}` }
  }
  if (!isPlainObject(data) || !isPlainObject(data['nodes_dict'])) return { reason: `the index ${id} has no nodes_dict` }
  return { nodesDict: data['nodes_dict'] }
}

/** Returns the record of a vector index for `index_store.json`. @param nodes - the ids of the nodes by those of the vectors. */
export function indexRecord(id: string, nodes: ReadonlyMap<string, string>, isPython = false): Dict {
  checkGiven('indexRecord', { nodes }, 'a Map of nodes', 'entries')
  const data = {
    index_id: id,
    summary: null,
    nodes_dict: Object.fromEntries(nodes),
    doc_id_dict: {},
    embeddings_dict: {},
  }
  const text = writeJsonText(data)
  return { __type__: 'vector_store', __data__: isPython ? pythonText(text) : text }
}
