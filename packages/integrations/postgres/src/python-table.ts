/**
 * @module
 * The table of a vector index of LlamaIndex for Python.
 */
import { isPlainObject } from '@x/core/values'
import { nodeClasses, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { safeName } from '@x/core-model/data'
import { unitVector } from '@x/retrieval'
import type { NodeRecords, StoredValue } from '@x/storage'
import type { NodeRow } from './indexed-nodes.ts'
import { storedKey } from './stored-key.ts'
import { quotedName, type TableNames } from './table-names.ts'
import type { VectorTable } from './vector-table.ts'

/** A table of LlamaIndex for Python, made by {@link pythonTable}. */
export interface PythonTable {
  /** The `table_name` of the `PGVectorStore`. */
  readonly name: string
  /** Returns the table in a schema. @internal */
  tableIn(tables: TableNames): VectorTable
}

/**
 * Returns the table that a `PGVectorStore` of LlamaIndex for Python makes for a `table_name`, for the option `pythonTable` of
 * `PostgresVectorRetriever`: `data_` and the name in lower case. Its ids need not be unique.
 * @throws {ModelValidationError} when the name is not a string of 1 to 40 bytes, in lower case, that Postgres stores unchanged.
 * @example
 * pythonTable('essays').name // => 'essays'
 */
export function pythonTable(name: string): PythonTable {
  // Postgres cuts a longer name of the table or of its index, and two names would be one table.
  safeName('pythonTable.name', typeof name === 'string' ? name.toLowerCase() : name, { as: 'identifier', maxBytes: 40 })
  return {
    name,
    tableIn: ({ quotedSchema }) => {
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
    },
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
