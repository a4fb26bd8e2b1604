/**
 * @module
 * A keyword index in LanceDB, with its retriever.
 */
import type { Connection } from '@lancedb/lancedb'
import { callback, checkOptions, type OptionTable } from '@x/core/options'
import type { NodeWithScore, QueryBundle } from '@x/core-model'
import {
  bm25Defaults,
  bm25Factors,
  type CancelOptions,
  countTerms,
  DatabaseRetriever,
  type DatabaseRetrieverOptions,
  databaseRetrieverOptions,
  type IndexChanges,
  otherTokenizer,
  type RetrieveOptions,
  searchableText,
  tokenizerFingerprint,
  tokenizeText,
  type WordTokenizer,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { hasAny, type LanceRow, LanceTable } from './lance-table.ts'
import { tableName } from './lance-vector-retriever.ts'

/** The options of {@link LanceKeywordRetriever}. */
interface LanceKeywordRetrieverOptions extends NodeClassOptions, DatabaseRetrieverOptions {
  /** Splits a string or a query into terms; see `wordTokenizer` of `@x/retrieval`. @defaultValue `tokenizeText` of `@x/retrieval` */
  tokenize?: WordTokenizer | undefined
  /** The name of the table. It is made with the first node. @defaultValue 'x_keywords' */
  table?: string | undefined
}

const ownOptions: OptionTable<LanceKeywordRetrieverOptions> = {
  ...databaseRetrieverOptions,
  ...nodeClassOptions,
  tokenize: callback,
  table: tableName,
}

/** A row of the index. */
interface KeywordRow extends LanceRow {
  /** How often each term occurs, as JSON. */
  readonly frequencies: string
  readonly length: number
  /** The fingerprint of the tokenizer. */
  readonly tokenizer: string
}

/**
 * Ranks nodes by the words they share with the query: `Bm25Retriever` of `@x/retrieval` over a table of LanceDB, with the same terms and
 * scores. A search reads the nodes that have one of its terms; make an index of the type `labelList` on the column `terms` for large
 * tables.
 * @throws {ModelValidationError} when `similarityTopK`, `filters` or `table` is not valid.
 * @example
 * import { connect } from '@lancedb/lancedb'
 * const retriever = new LanceKeywordRetriever(await connect('memory://'))
 * await retriever.add(['Pears are green.', 'Apples are red.'].map((text) => new TextNode({ text })))
 * ;(await retriever.retrieve('Which apple?')).map(({ text }) => text) // => ['Apples are red.']
 */
export class LanceKeywordRetriever extends DatabaseRetriever {
  /** @internal */
  declare protected readonly nodes: LanceTable
  private readonly tokenize: WordTokenizer
  /** The sum of all lengths, of one version of the table. */
  private total = { version: -1, terms: 0, nodes: 0 }

  /** @param connection - of `connect` of `@lancedb/lancedb` */
  constructor(connection: Connection, options: LanceKeywordRetrieverOptions = {}) {
    checkOptions('LanceKeywordRetriever', options, ownOptions)
    const { table = 'x_keywords', tokenize = tokenizeText, ...others } = options
    super(new LanceTable(connection, table, options), others)
    this.tokenize = tokenize
  }

  protected async search({ queryStr }: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    const { limit } = this
    const terms = countTerms((this.tokenize.query ?? this.tokenize)(queryStr))
    const ranked = terms.size === 0 ? [] : await this.ranked(terms)
    return this.best(limit, filters, async (count) => {
      const best = ranked.slice(0, count)
      const rows = await this.nodes.byKey(
        best.map(({ id }) => id),
        ['id', 'record'],
      )
      return best.flatMap(({ id, score }) => {
        const row = rows.get(id)
        return row ? [{ node: this.nodes.nodeOf(row), score }] : []
      })
    })
  }

  protected async change({ added = [], updated = [], ...changes }: IndexChanges, { signal }: CancelOptions = {}) {
    signal?.throwIfAborted()
    await this.checkTokenizer()
    const tokenizer = tokenizerFingerprint(this.tokenize)
    const rows = added.map((node) => {
      const terms = this.tokenize(searchableText(node))
      const counts = countTerms(terms)
      const columns = { frequencies: JSON.stringify(Object.fromEntries(counts)), length: terms.length, tokenizer }
      // A column of empty arrays has no type.
      return [node, { terms: counts.size > 0 ? [...counts.keys()] : [''], ...columns }] as const
    })
    return this.nodes.change([...updated.map((node) => [node, null] as const), ...rows], changes)
  }

  /** Returns the ids of the nodes that share a term with the query, best first. */
  private async ranked(terms: ReadonlyMap<string, number>): Promise<{ id: string; score: number }[]> {
    const table = await this.nodes.open()
    if (!table) return []
    await this.checkTokenizer()
    const size = await this.sizes()
    const columns = ['id', 'seq', 'frequencies', 'length']
    const rows = (await table
      .query()
      .where(hasAny('terms', [...terms.keys()]))
      .select(columns)
      .toArray()) as KeywordRow[]
    const found = rows.map(({ id, seq, length, frequencies }) => {
      const counts = new Map<string, number>(Object.entries(JSON.parse(frequencies)))
      return { id, seq, length, counts, score: 0 }
    })
    for (const [term, repetitions] of terms) {
      const having = found.filter(({ counts }) => counts.has(term))
      const { weight, base, perTerm } = bm25Factors(bm25Defaults, { repetitions, having: having.length }, size)
      for (const row of having) {
        const frequency = row.counts.get(term)!
        row.score += (weight * frequency) / (frequency + base + perTerm * row.length)
      }
    }
    return found.sort((one, other) => other.score - one.score || one.seq - other.seq)
  }

  /** Returns the number of nodes and of their terms. */
  private async sizes(): Promise<{ size: number; terms: number }> {
    const table = (await this.nodes.open())!
    const version = await table.version()
    if (version !== this.total.version) {
      const rows = (await table.query().select(['length']).toArray()) as KeywordRow[]
      this.total = { version, nodes: rows.length, terms: rows.reduce((sum, { length }) => sum + length, 0) }
    }
    return { size: this.total.nodes, terms: this.total.terms }
  }

  private async checkTokenizer(): Promise<void> {
    const [row] = ((await (await this.nodes.open())?.query().select(['tokenizer']).limit(1).toArray()) ??
      []) as KeywordRow[]
    if (row && row.tokenizer !== tokenizerFingerprint(this.tokenize))
      throw otherTokenizer('LanceKeywordRetriever.tokenize', 'another table')
  }
}
