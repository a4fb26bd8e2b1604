/**
 * @module
 * The searchable index of documents, in a SQLite file or in memory.
 */
import { Document, isToolkitError, type NodeWithScore, TextNode } from '@x/core-model'
import { MarkdownElementNodeParser, MarkdownNodeParser, type MarkdownSyntax, mdx } from '@x/node-parser'
import {
  type CancelOptions,
  englishStopWords,
  IndexNodeFollower,
  IngestionPipeline,
  searchableText,
  wordTokenizer,
} from '@x/retrieval'
import { isTableNode, readTable, type Table } from '@x/retrieval/tables'
import { openDatabase, type SqliteDatabase, SqliteDocumentStore, SqliteKeywordRetriever } from '@x/sqlite'
// biome-ignore lint/correctness/noUndeclaredDependencies: the build contains it
import { stemmer } from 'stemmer'
import { DocsStoreError } from './errors.ts'
import { StoreLock } from './store-lock.ts'

/** The path of an index in memory. */
export const IN_MEMORY = ':memory:'

/** Changes when stored documents must be parsed again. */
export const INDEX_VERSION = '2'

/** The size of text nodes in tokens: small enough for precise line numbers. */
const CHUNK_SIZE = 150
/** The number of nodes that a search ranks. Each table has two, and several nodes may lead to the same table. */
const CANDIDATES = 100
/** The id of the stored node that names the folder. */
const OWNER_ID = 'folder of the index'

/** The terms of texts and queries: words without endings, and their runs of three characters, by which other languages find inflected words. */
export const searchTerms = wordTokenizer({ stem: stemmer, ngrams: 3 })

const stopWords = new Set(englishStopWords)
/** Code between backticks, or one word. */
const queryPart = /`[^`]*`|[\p{L}\p{M}\p{N}_'’]+/gu

/**
 * Returns a query without words such as "the". Words in code or in capitals (`if`, IT) stay, and all words stay if no others remain.
 */
export function searchedWords(query: string): string {
  const isCapital = (word: string) => word.length > 1 && word === word.toUpperCase()
  const parts = query.match(queryPart) ?? []
  const kept = parts.filter((part) => part.startsWith('`') || isCapital(part) || !stopWords.has(part.toLowerCase()))
  return kept.length > 0 ? kept.join(' ') : query
}

/** Whether a text contains one of the words, or at least half of its runs of characters: fewer are shared by chance. */
function isNear(words: string, text: string): boolean {
  const terms = new Set(searchTerms(text))
  return (words.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).some((word) => {
    const wanted = searchTerms(word)
    return terms.has(wanted[0] ?? '') || wanted.filter((term) => terms.has(term)).length * 2 >= wanted.length
  })
}

/** The documents that a search reads. */
export interface SearchScope {
  /** The paths of the documents. @defaultValue all documents */
  files?: readonly string[] | null
  /** Whether only tables are found. @defaultValue false */
  tablesOnly?: boolean
}

/** The index of a folder. One process at a time writes, any number of them read. */
export class DocsIndex {
  private readonly database: SqliteDatabase
  private readonly lock: StoreLock | null
  private readonly store: SqliteDocumentStore
  private readonly words: SqliteKeywordRetriever
  private readonly follower: IndexNodeFollower
  private readonly pipeline: IngestionPipeline

  private constructor(database: SqliteDatabase, lock: StoreLock | null) {
    this.database = database
    this.lock = lock
    this.store = new SqliteDocumentStore(database)
    this.words = new SqliteKeywordRetriever(database, { similarityTopK: CANDIDATES, tokenize: searchTerms })
    // Another process may be removing the document of a table that was just found.
    this.follower = new IndexNodeFollower({ store: this.store, onMissing: 'drop' })
    const parsers = { markdown: parserOf(), mdx: parserOf(mdx) }
    this.pipeline = new IngestionPipeline({
      transformations: [
        {
          transform: ([document], options) =>
            parsers[syntaxOf(document!.id) ? 'mdx' : 'markdown'].getNodesFromDocuments([document as Document], options),
        },
      ],
      store: this.store,
      indexes: [this.words],
      version: INDEX_VERSION,
    })
  }

  /**
   * Opens the index of a folder, or creates it.
   * @throws {DocsStoreError} when the file contains the documents of a different folder, or cannot be used.
   */
  static async open(path: string, folder: string): Promise<DocsIndex> {
    let database: SqliteDatabase | undefined
    try {
      // A crash may lose the last documents, which are parsed again then.
      database = await openDatabase(path, { durability: 'normal' })
      const index = new DocsIndex(database, path === IN_MEMORY ? null : new StoreLock(`${path}.lock`))
      await index.claim(path, folder)
      return index
    } catch (cause) {
      database?.close()
      if (cause instanceof DocsStoreError) throw cause
      const { message } = cause as Error
      const reason = isToolkitError(cause) ? message.replace(`${path}: `, '') : message
      throw new DocsStoreError(path, `the index cannot be used: ${reason}`, { cause })
    }
  }

  /** Replaces all documents of the index. Unchanged documents are not parsed again. Returns the number of documents that were parsed. */
  async replaceAll(
    documents: AsyncIterable<Document>,
    options: CancelOptions & { onDocument?: () => void } = {},
  ): Promise<number> {
    const { signal, onDocument } = options
    const onProgress = () => onDocument?.()
    const run = () => this.pipeline.run(documents, { signal, removeMissing: true, onProgress })
    const { added, changed } = await this.writing(run, signal)
    return added + changed
  }

  /** Adds and replaces documents, and removes those whose paths `removed` returns afterwards. */
  async update(
    documents: AsyncIterable<Document>,
    removed: () => Iterable<string>,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.writing(async () => {
      await this.pipeline.run(documents, { signal })
      for (const path of removed()) await this.remove(path)
    }, signal)
  }

  /** Returns the texts and tables that match a query, best first. */
  async search(query: string, limit: number, scope: SearchScope, signal?: AbortSignal): Promise<NodeWithScore[]> {
    const { files = null, tablesOnly = false } = scope
    const filters = [
      ...(files ? [{ key: 'file', operator: 'in' as const, value: [...files] }] : []),
      // Only table nodes have this entry.
      ...(tablesOnly ? [{ key: 'table_df', operator: '!=' as const, value: '' }] : []),
    ]
    const found = await this.words.retrieve(searchedWords(query), { signal, ...(filters.length > 0 && { filters }) })
    const near = found.filter(({ node }) => isNear(searchedWords(query), searchableText(node)))
    return (await this.follower.postprocessNodes(near, { signal })).slice(0, limit)
  }

  /** Returns the tables of a document, in order. */
  async tablesOf(path: string): Promise<Table[]> {
    const { nodeIds = [] } = (await this.store.getRefDocInfo(path)) ?? {}
    const nodes = await this.store.getNodes(nodeIds, { raiseError: false })
    return nodes.filter(isTableNode).map(readTable)
  }

  /** Returns the table with this id, or null. */
  async table(id: string): Promise<Table | null> {
    const node = await this.store.getNode(id, { raiseError: false })
    return node && isTableNode(node) ? readTable(node) : null
  }

  /** Closes the file. */
  close(): void {
    this.database.close()
    this.lock?.close()
  }

  /** Stores which folder the index belongs to. @throws {DocsStoreError} when it belongs to a different folder. */
  private async claim(path: string, folder: string): Promise<void> {
    const ownerOf = async () => (await this.store.getNode(OWNER_ID, { raiseError: false }))?.metadata['folder']
    if ((await ownerOf()) === undefined && this.words.size === 0) {
      const owner = new TextNode({ id: OWNER_ID, metadata: { folder } })
      // Another process may have stored it first.
      await this.store.addDocuments([owner], { allowUpdate: false }).catch((error: unknown) => {
        if (!isToolkitError(error, 'node_exists')) throw error
      })
    }
    const owner = await ownerOf()
    if (owner === folder) return
    throw new DocsStoreError(
      path,
      `expected the index of ${folder}, found that of ${owner ?? 'another program'}; pass another file, or delete this one.`,
    )
  }

  private async remove(id: string): Promise<void> {
    const { nodeIds = [] } = (await this.store.getRefDocInfo(id)) ?? {}
    let deleted: Promise<void> | undefined
    this.database.transaction(() => {
      this.words.remove(nodeIds)
      deleted = this.store.deleteRefDoc(id, { raiseError: false })
    })
    await deleted
  }

  private writing<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.lock ? this.lock.during(work, signal) : work()
  }
}

/** Returns the syntax of a document by its name. */
export function syntaxOf(path: string): MarkdownSyntax | undefined {
  return /\.mdx$/i.test(path) ? mdx : undefined
}

/** Returns a document in the form that the index requires. */
export function documentOf(path: string, text: string): Document {
  return new Document({ id: path, text, metadata: { file: path } })
}

function parserOf(syntax?: MarkdownSyntax): MarkdownElementNodeParser {
  return new MarkdownElementNodeParser({
    summarizer: 'headers',
    htmlTables: 'table',
    headerPath: true,
    lineNumbers: true,
    includePrevNextRel: false,
    // Text is split at headings, so that each node belongs to one section.
    nestedNodeParser: new MarkdownNodeParser({
      chunkSize: CHUNK_SIZE,
      includeMetadata: false,
      includePrevNextRel: false,
      syntax,
    }),
    idFunc: (index, document) => `${document.id}#${index}`,
    syntax,
  })
}
