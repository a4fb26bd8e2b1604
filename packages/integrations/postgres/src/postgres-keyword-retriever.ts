/**
 * @module
 * A keyword index in a database, with its retriever.
 */
import { checkOption, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import type { NodeWithScore, QueryBundle } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import {
  type Bm25Options,
  bm25Defaults,
  bm25Options,
  type ChangeOutcome,
  countTerms,
  DatabaseRetriever,
  type FiltersInput,
  type IndexChanges,
  otherTokenizer,
  type RetrieveOptions,
  type RetrieverOptions,
  retrieverOptions,
  searchableText,
  tokenizerFingerprint,
  tokenizeText,
  type WordTokenizer,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { conditionOf, numbered } from './filter-condition.ts'
import { type FoundRow, IndexedNodes, type NodeRow, ownNodeTable, type Put } from './indexed-nodes.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { conflict } from './postgres-driver.ts'
import { storedText } from './stored-key.ts'

/** The options of {@link PostgresKeywordRetriever}. */
export interface PostgresKeywordRetrieverOptions extends NodeClassOptions, Bm25Options, RetrieverOptions {
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
}

const keywordOptions: OptionTable<PostgresKeywordRetrieverOptions> = {
  ...retrieverOptions,
  ...nodeClassOptions,
  ...bm25Options,
  similarityTopK: wholeNumber(0),
}

/** The maximum number of characters of a term that is stored as it is: an entry of an index has at most 2,704 bytes. */
const MAX_CHARACTERS = 300

/** Returns a term in the form in which it is stored. */
function storedTerm(term: string): string {
  if (term.length <= MAX_CHARACTERS) return storedText(term)
  return `${storedText(term.slice(0, 100))}\u001b${sha256(term)}`
}

/** Scores are summed as integers, so that equal nodes have equal scores in whatever order Postgres adds. */
const UNIT = '1e12'

/**
 * Ranks nodes by the words they share with the query: `Bm25Retriever` of `@x/retrieval` over Postgres, for any number of processes. The terms
 * are the same, and the scores are equal to nine digits; a search is one statement. Nodes are returned without their embeddings. A
 * database contains one keyword index. Writers of the same nodes wait for each other, others do not.
 * @throws {ModelValidationError} when `similarityTopK`, `k1`, `b` or `filters` is not valid.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const retriever = new PostgresKeywordRetriever(await openDatabase(pool, { schema: 'words' }))
 * await retriever.add(['Pears are green.', 'Apples are red.'].map((text) => new TextNode({ text })))
 * const [best] = await retriever.retrieve('Which apple?')
 * best.text // => 'Apples are red.'
 * await pool.end()
 */
export class PostgresKeywordRetriever extends DatabaseRetriever {
  similarityTopK: number
  private readonly k1: number
  private readonly b: number
  private readonly tokenize: WordTokenizer
  private readonly fingerprint: string
  private readonly database: PostgresDatabase
  private readonly nodes: IndexedNodes

  constructor(database: PostgresDatabase, options: PostgresKeywordRetrieverOptions = {}) {
    checkOptions('PostgresKeywordRetriever', options, keywordOptions)
    const {
      similarityTopK = 10,
      filters,
      k1 = bm25Defaults.k1,
      b = bm25Defaults.b,
      tokenize = tokenizeText,
      scope,
      callbackManager,
      ...classes
    } = options
    const nodes = new IndexedNodes(database, ownNodeTable(database.tables.keywordNodes), classes)
    super(nodes, { callbackManager, scope, filters })
    this.similarityTopK = similarityTopK
    this.k1 = k1
    this.b = b
    this.tokenize = tokenize
    this.fingerprint = storedText(tokenizerFingerprint(tokenize))
    this.database = database
    this.nodes = nodes
  }

  protected async search(query: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('PostgresKeywordRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const terms = countTerms((this.tokenize.query ?? this.tokenize)(query.queryStr).map(storedTerm))
    if (terms.size === 0) return []
    const { sql, values } = this.searchStatement(filters)
    return this.nodes.best(this.similarityTopK, filters, async (limit) => {
      const { rows } = await this.database.query(sql, [[...terms.keys()], [...terms.values()], limit, ...values])
      this.checkTokenizer(rows[0]?.tokenizer)
      return rows.filter(({ record }) => record !== null) as FoundRow[]
    })
  }

  /** @returns a statement with the parameters terms, their repetitions and limit. Its first row has the tokenizer, also without matches. */
  private searchStatement(filters: FiltersInput | undefined): { sql: string; values: unknown[] } {
    const { settings, keywordNodes, keywordPostings, keywordTotals } = this.database.tables
    const { k1, b } = this
    const condition = conditionOf(filters, 'metadata')
    const accepted = condition
      ? `accepted as materialized (select seq from ${keywordNodes} where ${numbered(condition.sql, 3)}),`
      : ''
    const sql = `with ${accepted} totals as (select sum(nodes)::float8 as nodes, sum(terms)::float8 as terms from ${keywordTotals}),
      having_term as materialized (
        select t.*, (select count(*) from ${keywordPostings} p where p.term = t.term)::float8 as having_it
        from unnest($1::text[], $2::int[]) as t (term, repetitions)
      ),
      weights as materialized (
        select term, repetitions * (${k1} + 1)::float8 * ln(1 + (nodes - having_it + 0.5) / (having_it + 0.5)) as weight,
          ${k1} * (1 - ${b})::float8 as base, ${k1} * ${b}::float8 * nodes / nullif(terms, 0) as per_term
        from having_term cross join totals
      ),
      best as (
        select seq, (sum((weight * count / (count + base + per_term * p.length) * ${UNIT})::bigint) / ${UNIT})::float8 as score
        from ${keywordPostings} p join weights using (term) ${condition ? 'join accepted using (seq)' : ''}
        group by seq order by score desc, seq limit $3
      )
      select (select value from ${settings} where name = 'tokenizer') as tokenizer, record, score
      from (select) as always left join (best join ${keywordNodes} using (seq)) on true order by score desc, seq`
    return { sql, values: condition?.values ?? [] }
  }

  protected async change(changes: IndexChanges): Promise<ChangeOutcome> {
    const { added = [], updated = [] } = changes
    const rows = new Map<string, readonly [Terms & NodeRow, string]>()
    for (const node of [...added, ...updated]) {
      const row = { ...this.nodes.rowOf(node), ...termsOf(this.tokenize(searchableText(node))) }
      rows.set(row.id, [row, row.record])
    }
    return this.nodes.change(
      rows,
      changes,
      () => true,
      (...put) => this.put(...put),
    )
  }

  /** Writes and removes nodes with one statement. Postings that a node keeps are updated, because a statement changes a row once. */
  private async put(inside: PostgresDatabase, { rows, removed, kept }: Put<NodeRow & Terms>): Promise<ChangeOutcome> {
    const { settings, keywordNodes, keywordPostings, keywordTotals } = inside.tables
    const sql = `with old as (
        select seq, id, length, xmin::text as version from ${keywordNodes} where id = any($1) or id = any($2) order by id for update
      ),
      input as (select * from unnest($1::text[], $4::text[], $5::text[], $6::int[]) with ordinality as t (id, record, metadata, length, at)),
      put as (
        insert into ${keywordNodes} as n (id, record, metadata, length)
        -- after the old nodes were locked
        select id, record, metadata::jsonb, length from input where (select count(*) from old) >= 0 order by at
        on conflict (id) do update set record = excluded.record, metadata = excluded.metadata, length = excluded.length
        returning seq, id, length, xmax <> 0 as existed
      ),
      gone as (delete from ${keywordNodes} n using old where n.seq = old.seq and n.id = any($2) returning n.length),
      terms as (
        select id, term, count, length
        from unnest($7::int[], $8::text[], $9::int[]) as t (at, term, count) join input using (at)
      ),
      cleared as (
        delete from ${keywordPostings} p using old
        where p.seq = old.seq and not exists (select from terms t where t.id = old.id and t.term = p.term)
      ),
      posted as (
        insert into ${keywordPostings} (term, seq, count, length)
        select term, seq, count, terms.length from terms join put using (id) order by term, seq
        on conflict (term, seq) do update set count = excluded.count, length = excluded.length
      ),
      named as (insert into ${settings} values ('tokenizer', $10) on conflict (name) do nothing),
      -- Rows that other transactions are changing stay: the sums over all rows are right.
      merged as (
        delete from ${keywordTotals} where ctid = any(array(select ctid from ${keywordTotals} limit 100 for update skip locked))
        returning nodes, terms
      ),
      total as (
        insert into ${keywordTotals} select
          coalesce(sum(nodes), 0) + (select count(*) from put) - (select count(*) from old),
          coalesce(sum(terms), 0) + (select coalesce(sum(length), 0) from put) - (select coalesce(sum(length), 0) from old)
        from merged
      )
      select (select value from ${settings} where name = 'tokenizer') as tokenizer, (select count(*)::int from gone) as removed,
        exists (select from put where existed and not exists (select from old where old.id = put.id))
          or exists (select from old join ${keywordNodes} n using (seq) where n.xmin::text <> old.version) as is_conflict,
        array(select id from unnest($3::text[]) as t (id) where not exists (select from ${keywordNodes} n where n.id = t.id)) as missing`
    const postings = rows.flatMap(({ counts }, at) => Array.from(counts, ([term, count]) => [at + 1, term, count]))
    const { rows: results } = await inside.query(sql, [
      rows.map(({ id }) => id),
      removed,
      kept,
      rows.map(({ record }) => record),
      rows.map(({ metadata }) => metadata),
      rows.map(({ length }) => length),
      ...[0, 1, 2].map((at) => postings.map((posting) => posting[at])),
      this.fingerprint,
    ])
    const [result] = results
    // Another transaction has written one of these nodes since this statement began: it does not see those postings.
    if (result.is_conflict) throw conflict()
    if (result.tokenizer !== null && result.tokenizer !== this.fingerprint && rows.length > 0)
      await this.changeTokenizer(inside, rows.length)
    return result
  }

  /** @param written - the number of nodes that are in the index and have the terms of this tokenizer */
  private async changeTokenizer(inside: PostgresDatabase, written: number): Promise<void> {
    const { settings, keywordNodes } = inside.tables
    const sql = `update ${settings} set value = $1 where name = 'tokenizer' and (select count(*) from ${keywordNodes}) <= $2 returning 1`
    const { rows } = await inside.query(sql, [this.fingerprint, written])
    if (rows.length === 0) this.checkTokenizer('')
  }

  private checkTokenizer(stored: string | null | undefined): void {
    if (stored === null || stored === undefined || stored === this.fingerprint) return
    throw otherTokenizer('PostgresKeywordRetriever.tokenize', 'other tables')
  }
}

/** The terms of a node. */
interface Terms {
  length: number
  counts: ReadonlyMap<string, number>
}

function termsOf(terms: readonly string[]): Terms {
  return { length: terms.length, counts: countTerms(terms.map(storedTerm)) }
}
