/**
 * @module
 * The table of a vector index.
 */
import { unitVector } from '@x/retrieval'
import { type NodeTable, ownNodeTable } from './indexed-nodes.ts'
import type { TableNames } from './table-names.ts'

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
  /**
   * Parts of a statement that write the rows of `input`: id, record, metadata, vector and at. Rows without a vector keep that of the table.
   */
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
