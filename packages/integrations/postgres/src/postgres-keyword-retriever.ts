/**
 * @module
 * A keyword index in a database, with its retriever.
 */
import { checkGiven, checkOptions, type OptionTable } from '@x/core/options'
import type { NodeWithScore, QueryBundle } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import {
  type Bm25Options,
  bm25Defaults,
  bm25Options,
  type ChangeOutcome,
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
import { columnsOf } from './batches.ts'
import { conditionOf } from './filter-condition.ts'
import { IndexedNodes, type NodeRow, ownNodeTable, type Put } from './indexed-nodes.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { conflict } from './postgres-driver.ts'
import { storedText } from './stored-key.ts'

/** The options of {@link PostgresKeywordRetriever}. */
interface PostgresKeywordRetrieverOptions extends NodeClassOptions, Bm25Options, DatabaseRetrieverOptions {}

const keywordOptions: OptionTable<PostgresKeywordRetrieverOptions> = {
  ...databaseRetrieverOptions,
  ...nodeClassOptions,
  ...bm25Options,
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
 * Ranks nodes by the words they share with the query: `Bm25Retriever` of `@x/retrieval` over Postgres, for any number of processes. The
 * terms are the same, and the scores are equal to nine digits; a search is one statement. Nodes are returned without their embeddings. A
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
  /** @internal */
  declare protected readonly nodes: IndexedNodes
  private readonly k1: number
  private readonly b: number
  private readonly tokenize: WordTokenizer
  private readonly fingerprint: string

  constructor(database: PostgresDatabase, options: PostgresKeywordRetrieverOptions = {}) {
    checkGiven('PostgresKeywordRetriever', { database }, 'a PostgresDatabase', 'tables')
    checkOptions('PostgresKeywordRetriever', options, keywordOptions)
    super(new IndexedNodes(database, ownNodeTable(database.tables.keywordNodes), options), options)
    const { k1 = bm25Defaults.k1, b = bm25Defaults.b, tokenize = tokenizeText } = options
    this.k1 = k1
    this.b = b
    this.tokenize = tokenize
    this.fingerprint = storedText(tokenizerFingerprint(tokenize))
  }

  protected async search(query: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    const { limit } = this
    const terms = countTerms((this.tokenize.query ?? this.tokenize)(query.queryStr).map(storedTerm))
    if (terms.size === 0) return []
    const condition = conditionOf(filters, 'metadata', 5)
    const sql = this.searchStatement(condition?.sql)
    return this.best(limit, filters, async (count) => {
      const values = [[...terms.keys()], [...terms.values()], count, this.fingerprint]
      const { rows } = await this.nodes.database.query(sql, condition ? [...values, condition.values] : values)
      if (rows[0].is_other) throw otherTokens()
      return this.nodes.found(rows)
    })
  }

  /**
   * @returns a statement with the parameters terms, their repetitions, limit, tokenizer and that of the condition. Its first row says
   * whether the index was made with a different tokenizer, also without matches.
   */
  private searchStatement(condition: string | undefined): string {
    const { settings, keywordNodes, keywordPostings, keywordTotals } = this.nodes.database.tables
    const { k1, b } = this
    return `with weights as materialized (
        select term, repetitions * ${k1 + 1}::float8 * ln(1 + (nodes - having_it + 0.5) / (having_it + 0.5)) as weight,
          ${k1 * b}::float8 * nodes / nullif(terms, 0) as per_term
        from unnest($1::text[], $2::int[]) as t (term, repetitions),
          lateral (select count(*)::float8 as having_it from ${keywordPostings} p where p.term = t.term) as h,
          (select sum(nodes)::float8 as nodes, sum(terms)::float8 as terms from ${keywordTotals}) as totals
      ),
      ${condition ? `accepted as materialized (select seq from ${keywordNodes} where ${condition}),` : ''}
      best as (
        select seq, (sum((weight * count / (count + ${k1 * (1 - b)}::float8 + per_term * length) * ${UNIT})::bigint) / ${UNIT})::float8 as score
        from ${keywordPostings} join weights using (term) ${condition ? 'join accepted using (seq)' : ''}
        group by seq order by score desc, seq limit $3
      )
      select ${isOther(settings, 4)} as is_other, record, score
      from (select) as always left join (best join ${keywordNodes} using (seq)) on true order by score desc, seq`
  }

  protected async change(changes: IndexChanges): Promise<ChangeOutcome> {
    const { added = [], updated = [] } = changes
    const rows = new Map<string, readonly [Terms & NodeRow, string]>()
    for (const node of [...added, ...updated]) {
      const terms = this.tokenize(searchableText(node)).map(storedTerm)
      const row = { ...this.nodes.rowOf(node), length: terms.length, counts: countTerms(terms) }
      rows.set(row.id, [row, row.record])
    }
    return this.nodes.change(rows, changes, (...put) => this.put(...put))
  }

  /**
   * Writes and removes nodes with one statement, which locks the old nodes first. Postings that a node keeps are updated, because a
   * statement changes a row once. Totals that other transactions are changing stay: the sums over all rows are right. The tokenizer changes
   * if no other node is in the index.
   */
  private async put(inside: PostgresDatabase, { rows, removed, kept }: Put<NodeRow & Terms>): Promise<ChangeOutcome> {
    const { settings, keywordNodes, keywordPostings, keywordTotals } = inside.tables
    const sql = `with old as (
        select seq, id, length, xmin as version from ${keywordNodes} where id = any($1) or id = any($5) order by id for update
      ),
      input as (select * from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality as t (id, record, metadata, length, at)),
      put as (
        insert into ${keywordNodes} (id, record, metadata, length)
        select id, record, metadata::jsonb, length from input where (select count(*) from old) >= 0 order by at
        on conflict (id) do update set record = excluded.record, metadata = excluded.metadata, length = excluded.length
        returning seq, id, length, xmax <> 0 as existed
      ),
      gone as (delete from ${keywordNodes} where seq in (select seq from old where id = any($5)) returning 1),
      terms as (select id, term, count from unnest($7::int[], $8::text[], $9::int[]) as t (at, term, count) join input using (at)),
      cleared as (
        delete from ${keywordPostings} p using old
        where p.seq = old.seq and not exists (select from terms t where t.id = old.id and t.term = p.term)
      ),
      posted as (
        insert into ${keywordPostings} (term, seq, count, length)
        select term, seq, count, length from terms join put using (id) order by term, seq
        on conflict (term, seq) do update set count = excluded.count, length = excluded.length
      ),
      named as (insert into ${settings} values ('tokenizer', $10) on conflict (name) do nothing),
      renamed as (
        update ${settings} set value = $10 where name = 'tokenizer' and value <> $10
          and exists (select from put) and (select count(*) from ${keywordNodes}) = (select count(*) from old) returning 1
      ),
      merged as (
        delete from ${keywordTotals} where ctid = any(array(select ctid from ${keywordTotals} limit 100 for update skip locked))
        returning nodes, terms
      ),
      total as (
        insert into ${keywordTotals} select sum(nodes), sum(terms)
        from (select * from merged union all select 1, length from put union all select -1, -length from old) as t having count(*) > 0
      )
      select ${isOther(settings, 10)} and not exists (select from renamed) as is_other, (select count(*)::int from gone) as removed,
        (select count(*) from put where existed) <> (select count(*) from old where id = any($1))
          or exists (select from old join ${keywordNodes} n using (seq) where n.xmin <> old.version) as is_conflict,
        array(${this.nodes.missingStatement(6)} and key <> all($1)) as missing`
    const postings = rows.flatMap(({ counts }, at) => Array.from(counts, ([term, count]) => [at + 1, term, count]))
    const { rows: results } = await inside.query(sql, [
      ...columnsOf(rows, 'id', 'record', 'metadata', 'length'),
      removed,
      kept,
      ...columnsOf(postings, 0, 1, 2),
      this.fingerprint,
    ])
    const [result] = results
    // Another transaction has written one of these nodes since this statement began: it does not see those postings.
    if (result.is_conflict) throw conflict()
    if (result.is_other && rows.length > 0) throw otherTokens()
    return result
  }
}

const otherTokens = () => otherTokenizer('PostgresKeywordRetriever.tokenize', 'other tables')

/** Returns the condition that the index was made with a different tokenizer than that of a parameter. */
const isOther = (settings: string, parameter: number) =>
  `exists (select from ${settings} where name = 'tokenizer' and value <> $${parameter})`

/** The terms of a node. */
interface Terms {
  length: number
  counts: ReadonlyMap<string, number>
}
