/**
 * @module
 * A keyword index in a database, with its retriever.
 */

import { callback, checkOption, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import type { NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import {
  allOf,
  bm25Defaults,
  bm25Factors,
  countTerms,
  otherTokenizer,
  type RetrieveOptions,
  Retriever,
  type RetrieverOptions,
  retrieverOptions,
  type SqlCondition,
  searchableText,
  tokenizerFingerprint,
  tokenizeText,
  type WordTokenizer,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { conditionOf } from './filter-condition.ts'
import { IndexedNodes } from './indexed-nodes.ts'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { SqlValue } from './sqlite-driver.ts'

/** The options of {@link SqliteKeywordRetriever}. */
interface SqliteKeywordRetrieverOptions extends NodeClassOptions, RetrieverOptions {
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
  /** Splits a string or a query into terms; see `wordTokenizer` of `@x/retrieval`. @defaultValue `tokenizeText` of `@x/retrieval` */
  tokenize?: WordTokenizer | undefined
}

const keywordOptions: OptionTable<SqliteKeywordRetrieverOptions> = {
  ...retrieverOptions,
  ...nodeClassOptions,
  tokenize: callback,
  similarityTopK: wholeNumber(0),
}

/**
 * Ranks nodes by the words they share with the query: `Bm25Retriever` of `@x/retrieval` over the full-text search of SQLite (FTS5), for
 * more nodes than fit into memory. It searches the same terms, and its scores are equal to nine digits. Nodes are returned without their
 * embeddings. A database contains one keyword index.
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
  private readonly tokenize: WordTokenizer
  private readonly database: SqliteDatabase
  private readonly nodes: IndexedNodes

  constructor(database: SqliteDatabase, options: SqliteKeywordRetrieverOptions = {}) {
    checkOptions('SqliteKeywordRetriever', options, keywordOptions)
    const { similarityTopK = 10, filters, tokenize = tokenizeText, scope, callbackManager, ...classes } = options
    super(callbackManager, scope, filters)
    this.similarityTopK = similarityTopK
    this.tokenize = tokenize
    this.database = opened('SqliteKeywordRetriever', database)
    this.nodes = new IndexedNodes(database, 'keywords', classes)
    const row = database.get(`select value from settings where name = 'tokenizer'`)
    if (row && row['value'] !== tokenizerFingerprint(this.tokenize) && this.size > 0)
      throw otherTokenizer('SqliteKeywordRetriever.tokenize', 'a new database')
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
    const all = allOf(nodes, 'SqliteKeywordRetriever.add')
    this.database.transaction(() => {
      this.database.run(sql, tokenizerFingerprint(this.tokenize))
      for (const node of all) {
        const terms = this.tokenize(searchableText(node))
        const tokens = Array.from(countTerms(terms), ([term, count]) => `${encoded(term)}_${count}`)
        const known = this.nodes.seqOf(node.id)
        const seq = this.nodes.put(node)
        if (known !== null) this.database.run('delete from postings where rowid = ?', seq)
        this.database.run('insert into postings (rowid, terms) values (?, ?)', seq, tokens.join(' '))
        this.database.run('insert or replace into keyword_lengths values (?, ?)', seq, terms.length)
      }
    })
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.removeAll(ids, [
      'delete from postings where rowid = ?',
      'delete from keyword_lengths where seq = ?',
    ])
  }

  protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[] {
    checkOption('SqliteKeywordRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    return this.nodes.best(this.scores(query.queryStr, conditionOf(filters)), this.similarityTopK, filters)
  }

  /** Returns the score of each node that shares a term with the query and meets a condition, by its number. */
  private scores(query: string, condition: SqlCondition<SqlValue> | null): Map<number, number> {
    const scores = new Map<number, number>()
    const terms = countTerms((this.tokenize.query ?? this.tokenize)(query))
    if (terms.size === 0) return scores
    const row = this.database.get('select count(*) as nodes, sum(length) as terms from keyword_lengths')!
    const index = { size: Number(row['nodes']), terms: Number(row['terms']) }
    const allowed = condition && this.meeting(condition)
    for (const [term, repetitions] of terms) {
      const found = this.occurrences(term)
      const having = found.reduce((sum, { seqs }) => sum + seqs.length, 0)
      const { weight, base, perTerm } = bm25Factors(bm25Defaults, { repetitions, having }, index)
      for (const { frequency, seqs, lengths } of found)
        for (const [at, seq] of seqs.entries()) {
          if (allowed && !allowed.has(seq)) continue
          const gain = (weight * frequency) / (frequency + base + perTerm * lengths[at]!)
          scores.set(seq, (scores.get(seq) ?? 0) + gain)
        }
    }
    return scores
  }

  /** Returns the nodes that contain a term, by the number of its occurrences. */
  private occurrences(term: string) {
    const start = `${encoded(term)}_`
    // The codes of characters begin with a digit too, and end with the sign that no number contains.
    const tokens = this.database
      .all('select term from posted_terms where term >= ? and term < ?', `${start}1`, `${start}:`)
      .map((row) => String(row['term']))
      .filter((token) => /^\d+$/.test(token.slice(start.length)))
    // Two columns as JSON take a third of the time of a row per node.
    const sql = `select json_group_array(l.seq) as seqs, json_group_array(l.length) as lengths
      from postings cross join keyword_lengths l on l.seq = postings.rowid where postings match ?`
    return tokens.map((token) => {
      const row = this.database.get(sql, `"${token}"`)!
      const numbersOf = (column: string) => JSON.parse(String(row[column])) as number[]
      return { frequency: Number(token.slice(start.length)), seqs: numbersOf('seqs'), lengths: numbersOf('lengths') }
    })
  }

  /** Returns the numbers of the nodes that meet a condition. */
  private meeting({ sql, values }: SqlCondition<SqlValue>): Set<number> {
    const rows = this.database.stored<Record<'seq', number>>(
      `select seq from indexed where in_keywords = 1 and ${sql}`,
      ...values,
    )
    return new Set(rows.map(({ seq }) => seq))
  }
}

/**
 * Returns a term as a word of the full-text search: its letters and digits, and the codes of other characters between two underscores. The
 * number of occurrences follows after a single underscore.
 */
function encoded(term: string): string {
  return term.replace(/[^0-9a-z\u0080-\uffff]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`)
}
