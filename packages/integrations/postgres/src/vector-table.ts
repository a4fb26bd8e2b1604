/**
 * @module
 * The tables of a vector index: that of this package, and that of `PGVectorStore` of LlamaIndex for Python.
 */
import { isPlainObject } from '@x/core/values'
import { ModelValidationError, nodeClasses, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { unitVector } from '@x/retrieval'
import type { NodeRecords, StoredValue } from '@x/storage'
import { type NodeRow, type NodeTable, ownNodeTable } from './indexed-nodes.ts'
import { storedKey } from './stored-key.ts'
import { quotedName, type TableNames } from './table-names.ts'

/** A table with nodes and vectors. Expressions are those of its columns. */
export interface VectorTable extends NodeTable {
  /** Numbers that grow in the order of adding. */
  seq: string
  record: string
  metadata: string
  /** The number of numbers of a vector. */
  dimension: string
  /** Returns the expression of a vector with so many numbers, which an HNSW index is made of. */
  vector(dimension: number): string
  /** The operator of a distance, its class for indexes, and the expression of a score. */
  operator: string
  operatorClass: string
  score(distance: string): string
  hnswIndex: string
  /** Returns the numbers to store for an embedding. */
  numbersOf(embedding: readonly number[]): ArrayLike<number> & Iterable<number>
  /** Parts of a statement that write the rows of `input`: id, record, metadata, vector and at. Rows without a vector keep that of the table. */
  writes: string
}

/** Returns the table of this package. */
export function ownVectorTable({ vectorNodes, hnswIndex }: TableNames): VectorTable {
  return {
    ...ownNodeTable(vectorNodes),
    seq: 'seq',
    record: 'record',
    metadata: 'metadata',
    dimension: 'cardinality(vector)',
    vector: (dimension) => `(vector::vector(${dimension}))`,
    // Vectors have the length 1.
    operator: '<#>',
    operatorClass: 'vector_ip_ops',
    score: (distance) => `-(${distance})`,
    hnswIndex,
    numbersOf: (embedding) => unitVector(embedding, 'PostgresVectorRetriever'),
    writes: `changed as (
        update ${vectorNodes} n set record = t.record, metadata = t.metadata::jsonb from input t where n.id = t.id and t.vector is null
      ),
      put as (
        insert into ${vectorNodes} (id, record, metadata, vector)
        select id, record, metadata::jsonb, vector::real[] from input where vector is not null order by at
        on conflict (id) do update set record = excluded.record, metadata = excluded.metadata, vector = excluded.vector
      )`,
  }
}

/** Returns the table that `PGVectorStore` makes for a name: `data_` and the name in lower case. Its ids need not be unique. */
export function pythonVectorTable({ quotedSchema }: TableNames, name: string): VectorTable {
  if (typeof name !== 'string' || name === '' || /[\0\p{Surrogate}]/u.test(name) || name.length > 40)
    throw new ModelValidationError('PostgresVectorRetriever', [
      { path: 'pythonTable', message: 'expected the name of a table, of 1 to 40 characters', code: 'type' },
    ])
  const base = `data_${name.toLowerCase()}`
  const table = `${quotedSchema}.${quotedName(base)}`
  return {
    table,
    id: 'node_id',
    seq: 'id',
    record: 'json_build_array(node_id, text, metadata_)::text',
    metadata: 'metadata_::jsonb',
    dimension: 'vector_dims(embedding)',
    vector: () => 'embedding',
    operator: '<=>',
    operatorClass: 'vector_cosine_ops',
    // The distance to a zero vector is not a number.
    score: (distance) => `coalesce(nullif(1 - (${distance}), 'NaN'), 0)`,
    hnswIndex: quotedName(`${base}_embedding_idx`),
    numbersOf: (embedding) => {
      unitVector(embedding, 'PostgresVectorRetriever')
      return embedding
    },
    writes: `replaced as (
        update ${table} n set text = t.record, metadata_ = t.metadata::json, embedding = coalesce(t.vector::real[]::vector, n.embedding)
        from input t where n.node_id = t.id returning n.node_id
      ),
      put as (
        insert into ${table} (node_id, text, metadata_, embedding)
        select id, record, metadata::json, vector::real[]::vector from input
        where vector is not null and id not in (select node_id from replaced) order by at
      )`,
    rowOf: pythonRow,
    nodeOf: pythonNode,
  }
}

/** Returns the columns of a node as Python writes them: its text, and its metadata with the rest of the node. */
function pythonRow(node: TextNode, records: NodeRecords): NodeRow {
  const data = records.recordOf(node)['__data__'] as Record<string, unknown>
  const content = { ...data, text: '', embedding: null }
  const source = node.refDocId ?? 'None'
  const more = { _node_content: writeJsonText(content), _node_type: data['class_name'] }
  const sources = { document_id: source, doc_id: source, ref_doc_id: source }
  const metadata = writeJsonText({ ...(data['metadata'] as object), ...more, ...sources })
  return { id: storedKey(node.id), record: node.text, metadata }
}

/** Returns the node of a row of Python. */
function pythonNode(record: string, records: NodeRecords): TextNode {
  const [id, text, metadata] = readJsonText(record) as [string, string, Record<string, unknown> | null]
  const { _node_content: content, _node_type: type, ...own } = metadata ?? {}
  const data = typeof content === 'string' ? readJsonText(content) : { id_: id, metadata: own }
  const className = typeof type === 'string' && type !== 'Node' ? type : 'TextNode'
  const known = nodeClasses().classes.find((one) => one.className() === className)
  const fields = { ...(isPlainObject(data) ? data : {}), class_name: className, text, embedding: null }
  return records.nodeOf({ __type__: known?.prototype.getType() ?? '1', __data__: fields } as StoredValue)
}
