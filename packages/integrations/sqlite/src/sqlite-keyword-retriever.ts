/**
 * @module
 * A keyword index in a database, with its retriever.
 */

import { callback, checkOption, checkOptions, type OptionTable, unchecked, wholeNumber } from '@x/core/options'
import {
  type CallbackManager,
  ConfigurationError,
  type NodeWithScore,
  type QueryBundle,
  type TextNode,
} from '@x/core-model'
import {
  type FiltersInput,
  nodeFilter,
  type RetrieveOptions,
  Retriever,
  type SqlCondition,
  scopeKeys,
  searchableText,
  tokenizerFingerprint,
  tokenizeText,
  tokenizeWords,
  type WordTokenizer,
} from '@x/retrieval'
import type { NodeClassOptions } from '@x/storage'
import { conditionOf } from './filter-condition.ts'
import { IndexedNodes, type IndexMatch } from './indexed-nodes.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { SqlValue } from './sqlite-driver.ts'

/** The options of {@link SqliteKeywordRetriever}. */
export interface SqliteKeywordRetrieverOptions extends NodeClassOptions {
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
  /** Conditions on the metadata of the nodes returned. @defaultValue no conditions */
  filters?: FiltersInput | undefined
  /** Splits a string or a query into terms; see `wordTokenizer` of `@x/retrieval`. @defaultValue `tokenizeText` of `@x/retrieval`; `tokenizeWords` for an index that was created with it */
  tokenize?: WordTokenizer | undefined
  /** The metadata keys for which each search must state a value, such as `['tenant']`: no search can forget them. @defaultValue no keys */
  scope?: readonly string[] | undefined
  callbackManager?: CallbackManager | null | undefined
}

const keywordOptions: OptionTable<SqliteKeywordRetrieverOptions> = {
  tokenize: callback,
  similarityTopK: wholeNumber(0),
  filters: unchecked,
  scope: scopeKeys,
  callbackManager: unchecked,
  nodeClasses: unchecked,
  registry: unchecked,
  line: unchecked,
}

/**
 * Ranks nodes by the words they share with the query: `Bm25Retriever` of `@x/retrieval` over the full-text search of SQLite (FTS5), for more
 * nodes than fit into memory. It searches the same terms, with the BM25 weights of SQLite (k1 1.2, b 0.75); a term that most nodes
 * contain counts almost nothing. Nodes are returned without their embeddings. A database contains one keyword index.
 * @throws {ModelValidationError} when `similarityTopK` or `filters` is not valid.
 * @throws {ConfigurationError} when the index was made with a different tokenizer.
 * @example
 * const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
 * retriever.add(['Pears are green.', 'Apples are red.'].map((text) => new TextNode({ text })))
 * const [best] = await retriever.retrieve('Which apple?')
 * best.text // => 'Apples are red.'
 */
export class SqliteKeywordRetriever extends Retriever {
  similarityTopK: number
  private readonly filters: FiltersInput | undefined
  private readonly tokenize: WordTokenizer
  private readonly database: SqliteDatabase
  private readonly nodes: IndexedNodes

  constructor(database: SqliteDatabase, options: SqliteKeywordRetrieverOptions = {}) {
    checkOptions('SqliteKeywordRetriever', options, keywordOptions)
    const { similarityTopK = 10, filters, tokenize, scope, callbackManager, ...classes } = options
    super(callbackManager, scope)
    if (filters !== undefined) nodeFilter(filters)
    this.similarityTopK = similarityTopK
    this.filters = filters
    this.database = database
    this.nodes = new IndexedNodes(database, 'keywords', classes)
    const row = database.get(`select value from settings where name = 'tokenizer'`)
    // The default of earlier versions.
    const isOlder = row && row['value'] === tokenizerFingerprint(tokenizeWords) && this.size > 0
    this.tokenize = tokenize ?? (isOlder ? tokenizeWords : tokenizeText)
    if (row && row['value'] !== tokenizerFingerprint(this.tokenize) && this.size > 0)
      throw new ConfigurationError(
        'SqliteKeywordRetriever.tokenize: expected the tokenizer that the index was created with; its terms differ. Use that tokenizer, or a new database.',
      )
  }

  /** The number of nodes. */
  get size(): number {
    return this.nodes.size
  }

  /** Whether the index contains a node with this id. */
  has(id: string): boolean {
    return this.nodes.seqOf(id) !== null
  }

  /** Adds nodes to the index, in one transaction. A node replaces the node with the same id. */
  add(nodes: Iterable<TextNode>): void {
    const sql = `insert into settings values ('tokenizer', ?) on conflict (name) do update set value = excluded.value`
    this.database.transaction(() => {
      this.database.run(sql, tokenizerFingerprint(this.tokenize))
      for (const node of nodes) {
        const terms = this.tokenize(searchableText(node)).map(encoded).join(' ')
        const known = this.nodes.seqOf(node.id)
        const seq = this.nodes.put(node)
        if (known !== null) this.database.run('delete from keywords where rowid = ?', seq)
        this.database.run('insert into keywords (rowid, terms) values (?, ?)', seq, terms)
      }
    })
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.removeAll(ids, 'delete from keywords where rowid = ?')
  }

  protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[] {
    checkOption('SqliteKeywordRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const all = [this.filters, filters]
    // Without conditions SQLite itself selects the best matches, in half of the time.
    const limit = all.every((conditions) => conditions === undefined) ? this.similarityTopK : null
    return this.nodes.best(this.matches(query.queryStr, limit, conditionOf(all)), this.similarityTopK, all)
  }

  /** @param limit - the number of the best matches to return, or null for all matches in any order */
  private *matches(
    query: string,
    limit: number | null,
    condition: SqlCondition<SqlValue> | null,
  ): Generator<IndexMatch> {
    const terms = (this.tokenize.query ?? this.tokenize)(query).map((term) => `"${encoded(term)}"`)
    if (terms.length === 0) return
    const sql = 'select rowid as seq, -bm25(keywords) as score from keywords where keywords match ?'
    const filtered = condition
      ? `select keywords.rowid as seq, -bm25(keywords) as score from keywords join indexed on indexed.seq = keywords.rowid
        where keywords match ? and ${condition.sql}`
      : sql
    const rows =
      limit === null
        ? this.database.each(filtered, terms.join(' OR '), ...(condition?.values ?? []))
        : this.database.all(`${sql} order by score desc, seq limit ?`, terms.join(' OR '), limit)
    for (const { seq, score } of rows) yield { seq: Number(seq), score: Number(score) }
  }
}

/** Returns a term as one word of the full-text search: its letters and digits, and the codes of other characters. */
function encoded(term: string): string {
  return term.replace(/[^0-9a-z\u0080-\uffff]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`)
}
