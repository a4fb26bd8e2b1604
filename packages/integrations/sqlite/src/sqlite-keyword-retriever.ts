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
import { IndexedNodes } from './indexed-nodes.ts'
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
 * nodes than fit into memory. It searches the same terms, and its scores are equal to nine digits. Nodes are returned without their embeddings. A database contains one keyword index.
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
        const terms = this.tokenize(searchableText(node)).map(encoded)
        const known = this.nodes.seqOf(node.id)
        const seq = this.nodes.put(node)
        if (known !== null) this.database.run('delete from keywords where rowid = ?', seq)
        this.database.run('insert into keywords (rowid, terms) values (?, ?)', seq, terms.join(' '))
        this.database.run('insert or replace into keyword_lengths values (?, ?)', seq, terms.length)
      }
    })
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.removeAll(ids, [
      'delete from keywords where rowid = ?',
      'delete from keyword_lengths where seq = ?',
    ])
  }

  protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[] {
    checkOption('SqliteKeywordRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const all = [this.filters, filters]
    return this.nodes.best(this.scores(query.queryStr, conditionOf(all)), this.similarityTopK, all)
  }

  /** Returns the score of each node that shares a term with the query and meets a condition, by its number. */
  private scores(query: string, condition: SqlCondition<SqlValue> | null): Map<number, number> {
    const scores = new Map<number, number>()
    const repetitions = new Map<string, number>()
    for (const term of (this.tokenize.query ?? this.tokenize)(query))
      repetitions.set(term, (repetitions.get(term) ?? 0) + 1)
    if (repetitions.size === 0) return scores
    const own = this.totals('select count(*) as nodes, sum(length) as terms from keyword_lengths')
    const ofSqlite = this.totalsOfSqlite()
    const perTerm = (0.75 * own.nodes) / own.terms
    const matching = 'from keywords cross join keyword_lengths l on l.seq = keywords.rowid'
    const meeting = condition ? `join indexed on indexed.seq = l.seq and ${condition.sql}` : ''
    const sql = `select l.seq, -bm25(keywords) as score, length ${matching} ${meeting} where keywords match ?`
    for (const [term, count] of repetitions) {
      const match = `"${encoded(term)}"`
      const rows = this.database.scores(sql, ...(condition?.values ?? []), match)
      const having = condition ? this.having(match) : rows.length
      const rarity = (nodes: number) => (nodes - having + 0.5) / (having + 0.5)
      const weight = count * 2.5 * Math.log(1 + rarity(own.nodes))
      const frequencyOf = frequencies(Math.log(rarity(ofSqlite.nodes)), ofSqlite.terms / ofSqlite.nodes)
      for (const { seq, score, length } of rows) {
        const frequency = frequencyOf(score, length)
        const gain = (weight * frequency) / (frequency + 1.5 * (0.25 + perTerm * length))
        scores.set(seq, (scores.get(seq) ?? 0) + gain)
      }
    }
    return scores
  }

  /** Returns the number of nodes with a term. */
  private having(match: string): number {
    return Number(this.database.get('select count(*) as n from keywords where keywords match ?', match)!['n'])
  }

  private totals(sql: string): Totals {
    const { nodes, terms } = this.database.get(sql)!
    return { nodes: Number(nodes), terms: Number(terms) }
  }

  /** Returns the totals that SQLite computes scores with. Before its version 3.54 it does not subtract removed nodes. */
  private totalsOfSqlite(): Totals {
    const { block } = this.database.get('select block from keywords_data where id = 1')!
    const [nodes = 0, terms = 0] = variableLengthIntegers(block as Uint8Array)
    return { nodes, terms }
  }
}

/** The number of nodes of an index, and of their terms. */
interface Totals {
  nodes: number
  terms: number
}

/**
 * Returns a function that returns how often a node contains a term, from the score that SQLite computes for the term alone:
 * `rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average))`.
 */
function frequencies(rarity: number, average: number): (score: number, length: number) => number {
  const positive = rarity <= 0 ? 1e-6 : rarity
  return (score, length) => Math.round((1.2 * (0.25 + (0.75 * length) / average)) / ((2.2 * positive) / score - 1))
}

/** Returns integers of seven bits per byte; the highest bit of a byte says that another one follows. */
function variableLengthIntegers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte > 127) continue
    numbers.push(value)
    value = 0
  }
  return numbers
}

/** Returns a term as one word of the full-text search: its letters and digits, and the codes of other characters. */
function encoded(term: string): string {
  return term.replace(/[^0-9a-z\u0080-\uffff]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`)
}
