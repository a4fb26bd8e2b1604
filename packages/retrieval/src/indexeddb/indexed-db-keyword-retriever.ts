/**
 * @module
 * A keyword index in the database of browsers, with its retriever.
 */
import {
  checkGiven,
  checkOption,
  checkOptions,
  choice,
  having,
  type OptionTable,
  required,
  text,
  unchecked,
} from '@x/core/options'
import type { NodeWithScore, QueryBundle } from '@x/core-model'
import { Bm25Index, type Bm25Options, bm25Options } from '../bm25-index.ts'
import { searchableText } from '../bm25-retriever.ts'
import { bm25Defaults } from '../bm25-score.ts'
import {
  type ChangeOutcome,
  DatabaseRetriever,
  type DatabaseRetrieverOptions,
  databaseRetrieverOptions,
} from '../database-retriever.ts'
import type { IndexChanges } from '../ingestion-types.ts'
import { nodeFilter } from '../metadata-filters.ts'
import type { RetrieveOptions } from '../retriever.ts'
import { tokenizeText } from '../tokenize-text.ts'
import { tokenizerFingerprint } from '../tokenizer-fingerprint.ts'
import type { WordTokenizer } from '../word-tokenizer.ts'
import { type IndexedDBIndexOptions, IndexedDBNodes } from './indexed-db-nodes.ts'

/** The options of {@link IndexedDBKeywordRetriever}. */
interface IndexedDBKeywordRetrieverOptions extends IndexedDBIndexOptions, Bm25Options, DatabaseRetrieverOptions {}

const keywordOptions: OptionTable<IndexedDBKeywordRetrieverOptions> = {
  ...databaseRetrieverOptions,
  ...bm25Options,
  indexedDB: having('an IDBFactory', 'open'),
  durability: choice('strict', 'relaxed'),
  nodeClasses: unchecked,
}

/** The terms of a node in the database: a JSON array. */
const termsOf = (json: string): string[] => JSON.parse(json) as string[]

/**
 * Ranks nodes by the words they share with the query: `Bm25Retriever` over an IndexedDB database, for browsers and their workers. The terms
 * and the metadata of all nodes are in memory while it is open, their text is not. A search sees the changes of other tabs. The scores are
 * those of `Bm25Retriever`. Nodes are returned without their embeddings.
 * @example
 * async function search(nodes: TextNode[], question: string): Promise<string[]> {
 *   const retriever = await IndexedDBKeywordRetriever.open('words')
 *   await retriever.add(nodes)
 *   return (await retriever.retrieve(question)).map(({ text }) => text)
 * }
 */
export class IndexedDBKeywordRetriever extends DatabaseRetriever {
  /** @internal */
  declare protected readonly nodes: IndexedDBNodes<string>
  private readonly tokenize: WordTokenizer

  private constructor(nodes: IndexedDBNodes<string>, options: IndexedDBKeywordRetrieverOptions) {
    checkGiven('IndexedDBKeywordRetriever', { options }, 'an object of options')
    const { tokenize = tokenizeText } = options
    super(nodes, options)
    this.tokenize = tokenize
  }

  /**
   * Opens an index, and creates it when it does not exist.
   * @param name - the name of the index; its database has this name with `/words` behind it. A store and other indexes may have the same
   * name. Each origin has its own
   * @throws {ModelValidationError} if an option is not valid.
   * @throws {ConfigurationError} if the platform has no IndexedDB, the database cannot be opened, or the index was made with a different
   * tokenizer.
   */
  static async open(name: string, options: IndexedDBKeywordRetrieverOptions = {}): Promise<IndexedDBKeywordRetriever> {
    checkOption('IndexedDBKeywordRetriever.open', 'name', name, required(text))
    checkOptions('IndexedDBKeywordRetriever', options, keywordOptions)
    if (options.filters !== undefined) nodeFilter(options.filters)
    const { tokenize = tokenizeText, k1 = bm25Defaults.k1, b = bm25Defaults.b } = options
    const createIndex = () => new Bm25Index({ k1, b, tokenize: termsOf })
    const tag = tokenizerFingerprint(tokenize)
    return new IndexedDBKeywordRetriever(
      await IndexedDBNodes.open(name, options, { kind: 'words', createIndex, tag }),
      options,
    )
  }

  /** Closes the database. */
  close(): void {
    this.nodes.close()
  }

  protected search(query: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    const { limit } = this
    const terms = JSON.stringify((this.tokenize.query ?? this.tokenize)(query.queryStr))
    return this.nodes.search(filters, (index, accepts) => (index as Bm25Index).search(terms, limit, accepts))
  }

  protected change({ added = [], updated = [], removed = [], kept = [] }: IndexChanges): Promise<ChangeOutcome> {
    const written = [...added, ...updated].map((node) => {
      return [node, JSON.stringify(this.tokenize(searchableText(node)))] as const
    })
    return this.nodes.change(written, removed, kept)
  }
}
