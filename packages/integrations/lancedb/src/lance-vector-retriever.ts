/**
 * @module
 * A vector index in LanceDB, with its retriever.
 */
import type { Connection, Table } from '@lancedb/lancedb'
import { checkOptions, type OptionTable } from '@x/core/options'
import type { NodeWithScore } from '@x/core-model'
import {
  checkDimension,
  DatabaseVectorRetriever,
  type FiltersInput,
  type IndexChanges,
  type NodeVector,
  unitVector,
  type VectorRetrieverOptions,
  vectorOptions,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { type LanceRow, LanceTable, labelCondition } from './lance-table.ts'

/** The options of {@link LanceVectorRetriever}. */
interface LanceVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {
  /** The name of the table. It is made with the first node. @defaultValue 'x_vectors' */
  table?: string | undefined
}

/** Checks the name of a table. */
export const tableName = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]+$/.test(value) ? undefined : 'a name of letters, digits, _, - and .'

const ownOptions: OptionTable<LanceVectorRetrieverOptions> = { ...vectorOptions, ...nodeClassOptions, table: tableName }

/** How many more nodes than asked for are read, so that equal scores at the limit are in the order of adding. */
const TIES = 100

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query, in a table of LanceDB. The search is exact until you make
 * an index on the column `vector`, with the distance `dot`: the vectors have the length 1. Nodes are returned without their embeddings.
 * @throws {ModelValidationError} when `similarityTopK`, `filters` or `table` is not valid.
 * @example
 * import { connect } from '@lancedb/lancedb'
 * import { TableEmbedding } from '@x/llm/testing'
 * const embedModel = new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] }, queries: { fruit: [1, 0.2] } })
 * const retriever = new LanceVectorRetriever(await connect('memory://'), { embedModel, similarityTopK: 1 })
 * await retriever.add(['pear', 'wine'].map((text) => new TextNode({ text })))
 * ;(await retriever.retrieve('fruit')).map(({ text }) => text) // => ['pear']
 */
export class LanceVectorRetriever extends DatabaseVectorRetriever {
  /** @internal */
  declare protected readonly nodes: LanceTable

  /** @param connection - of `connect` of `@lancedb/lancedb` */
  constructor(connection: Connection, options: LanceVectorRetrieverOptions) {
    checkOptions('LanceVectorRetriever', options, ownOptions)
    const { table = 'x_vectors', ...others } = options
    super(new LanceTable(connection, table, options), others)
  }

  protected async nearest(
    vector: readonly number[],
    limit: number,
    filters: FiltersInput | undefined,
  ): Promise<NodeWithScore[]> {
    const unit = unitVector(vector, 'LanceVectorRetriever')
    const table = await this.nodes.open()
    if (!table || limit === 0) return []
    checkDimension(await lengthIn(table), unit.length)
    const condition = labelCondition(filters)
    return this.best(limit, filters, async (count) => {
      const query = table
        .query()
        .nearestTo(unit)
        .distanceType('dot')
        .limit(count + TIES)
      if (condition) query.where(condition)
      const rows = (await query.select(['seq', 'record', '_distance']).toArray()) as (LanceRow & {
        _distance: number
      })[]
      const scored = rows.map((row) => ({ row, score: 1 - row._distance }))
      scored.sort((one, other) => other.score - one.score || one.row.seq - other.row.seq)
      return scored.slice(0, count).map(({ row, score }) => ({ node: this.nodes.nodeOf(row), score }))
    })
  }

  protected async write(nodes: readonly NodeVector[], changes: IndexChanges) {
    let length: number | null = null
    const rows = nodes.map(([node, embedding]) => {
      const vector = embedding && unitVector(embedding, 'LanceVectorRetriever')
      if (vector) checkDimension((length ??= vector.length), vector.length)
      return [node, vector && { vector: [...vector] }] as const
    })
    return this.nodes.change(rows, changes, async (table, others) => {
      const known = await lengthIn(table)
      if (length === null || length === known) return false
      // Vectors of another length can only replace all.
      if ((await table.countRows(others)) > 0) checkDimension(known, length)
      return true
    })
  }
}

/** Returns the length of the vectors of a table. */
async function lengthIn(table: Table): Promise<number> {
  const field = (await table.schema()).fields.find(({ name }) => name === 'vector')
  return (field?.type as { listSize?: number } | undefined)?.listSize ?? 0
}
