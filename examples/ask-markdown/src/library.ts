/**
 * @module
 * The documents: parsed into nodes, stored and indexed.
 */
import { createHash } from 'node:crypto'
import { type BaseEmbedding, type Document, NodeWithScore, TextNode } from '@x/core-model'
import { MarkdownElementNodeParser, MarkdownNodeParser, type MarkdownSyntax, mdx } from '@x/node-parser'
import { LongContextReorder, SimilarityPostprocessor } from '@x/postprocessors'
import {
  Bm25Retriever,
  HybridRetriever,
  IndexNodeFollower,
  IngestionPipeline,
  type Retriever,
  VectorRetriever,
} from '@x/retrieval'
import { headingOf, isTableNode, readTable, type Table } from '@x/retrieval/tables'
import {
  openDatabase,
  type SqliteDatabase,
  SqliteDocumentStore,
  SqliteKeywordRetriever,
  SqliteVectorRetriever,
} from '@x/sqlite'
import { SimpleDocumentStore } from '@x/storage'
import { ExitCode, ProgramError } from './program-error.ts'
import { Vocabulary } from './vocabulary.ts'
import { stemsOf } from './words.ts'

/** The size of text nodes in tokens: small enough for precise line numbers. */
const CHUNK_SIZE = 150
/** The number of nodes that a search retrieves, and the maximum number that it returns. */
const CANDIDATES = 100
const RESULTS = 10
/** The maximum number of results of each kind, so that many similar tables do not displace all texts, or the reverse. */
const RESULTS_OF_A_KIND = 6
/** The lowest score of a result, relative to the best score. */
const CUTOFF = 0.35

/** Moves the nodes to the front whose section has the query as its heading: "Node" for "node". They receive the best score. */
function calledLike(query: string, found: readonly NodeWithScore[]): NodeWithScore[] {
  const asked = new Set(stemsOf(query))
  const best = found[0]?.score ?? 1
  const isCalledLike = ({ node }: NodeWithScore) => {
    const own = stemsOf(headingOf(node).split(' > ').at(-1) ?? '')
    return own.length === asked.size && own.every((word) => asked.has(word))
  }
  const first = found.filter(isCalledLike).map(({ node }) => new NodeWithScore({ node, score: best }))
  return [...first, ...found.filter((entry) => !isCalledLike(entry))]
}

/** The numbers of files, texts and tables. */
export interface Counts {
  files: number
  texts: number
  tables: number
}

/** The options of `add`. */
export interface AddOptions {
  signal?: AbortSignal | undefined
  /** Called after each document. */
  onProgress?: (done: number) => void
}

/** Changes when documents of older versions of this program must be parsed again. */
const VERSION = '2'
/** The id of the stored node with the counts and the vocabulary. */
const SUMMARY_ID = 'summary of the library'

/** The options of a {@link Library}. */
export interface LibraryOptions {
  /** @defaultValue in memory */
  database?: SqliteDatabase | null
  /** Also finds passages by their meaning. @defaultValue search by words only */
  embedModel?: BaseEmbedding | null
  /** @defaultValue MarkdownElementNodeParser */
  Parser?: typeof MarkdownElementNodeParser
}

function meaningRetriever(database: SqliteDatabase | null, embedModel: BaseEmbedding) {
  const options = { embedModel, similarityTopK: CANDIDATES }
  return database ? new SqliteVectorRetriever(database, options) : new VectorRetriever(options)
}

/** Parsed documents, in memory or in a SQLite file. */
export class Library {
  /** The ids of the documents. */
  files: string[] = []
  /** The words of all nodes. */
  vocabulary = new Vocabulary()
  private texts = 0
  private tables = 0
  private readonly database: SqliteDatabase | null
  private readonly store: SimpleDocumentStore | SqliteDocumentStore
  private readonly retriever: Retriever
  /** Replaces index nodes by their tables. */
  private readonly follower: IndexNodeFollower
  private readonly pipeline: IngestionPipeline
  private readonly postprocessors = [
    new SimilarityPostprocessor({ similarityCutoff: CUTOFF }),
    new LongContextReorder(),
  ]
  /** The name of the embedding model; null for search by words alone. */
  private readonly embedding: string | null

  /** Opens a library in a file, which keeps the parsed documents, or creates it. */
  static async open(path: string, options: LibraryOptions = {}): Promise<Library> {
    // A crash may lose the last documents, which are parsed again then.
    return new Library({ ...options, database: await openDatabase(path, { durability: 'normal' }) })
  }

  /** Creates a library in memory, or in a database. */
  constructor({ database = null, embedModel = null, Parser = MarkdownElementNodeParser }: LibraryOptions = {}) {
    const options = { similarityTopK: CANDIDATES, tokenize: stemsOf }
    const words = database ? new SqliteKeywordRetriever(database, options) : new Bm25Retriever(options)
    const meaning = embedModel && meaningRetriever(database, embedModel)
    const parserOf = (syntax?: MarkdownSyntax) =>
      new Parser({
        summarizer: 'headers',
        htmlTables: 'table',
        headerPath: true,
        lineNumbers: true,
        // Text is split at headings, so that each node belongs to one section.
        nestedNodeParser: new MarkdownNodeParser({ chunkSize: CHUNK_SIZE, includeMetadata: false, syntax }),
        idFunc: (index, document) => `${document.id}#${index}`,
        syntax,
      })
    const markdown = parserOf()
    const withJsx = parserOf(mdx)
    this.database = database
    this.store = database ? new SqliteDocumentStore(database) : new SimpleDocumentStore()
    this.retriever = meaning
      ? new HybridRetriever({ retrievers: [words, meaning], mode: 'relative_score', similarityTopK: CANDIDATES })
      : words
    this.embedding = embedModel?.modelName ?? null
    this.follower = new IndexNodeFollower({ store: this.store })
    this.pipeline = new IngestionPipeline({
      // All nodes, not only index nodes with their tables inside, because tables are also found and looked up directly.
      transformations: [
        {
          transform: ([document], options) =>
            (document!.id.endsWith('.mdx') ? withJsx : markdown).getNodesFromDocuments([document as Document], options),
        },
      ],
      store: this.store,
      indexes: meaning ? [words, meaning] : [words],
      version: `${VERSION} ${this.embedding ?? ''}`,
    })
  }

  /** Closes the file of the library. */
  close(): void {
    this.database?.close()
  }

  /**
   * Replaces the documents of the library: parses documents into text nodes, table nodes and their index nodes, and stores and
   * indexes them. Unchanged documents are not parsed again; other documents are removed.
   */
  async add(documents: readonly Document[], { signal, onProgress }: AddOptions = {}): Promise<void> {
    const before = (await this.store.getNode(SUMMARY_ID, { raiseError: false }))?.metadata['embedding'] ?? null
    if (before !== null && this.embedding !== null && before !== this.embedding)
      throw new ProgramError(
        ExitCode.documents,
        `--store: this file contains vectors of the embedding model ${before}; use a separate file for ${this.embedding}.`,
      )
    await this.pipeline.run(documents, { signal, removeMissing: true, onProgress: ({ done }) => onProgress?.(done) })
    this.files = documents.map(({ id }) => id)
    const key = keyOf(documents, this.embedding)
    const stored = await this.store.getNode(SUMMARY_ID, { raiseError: false })
    if (stored?.metadata['key'] === key) this.readSummary(stored)
    else await this.summarize(key, before)
  }

  /** Returns the numbers of files, texts and tables. */
  counts(): Counts {
    return { files: this.files.length, texts: this.texts, tables: this.tables }
  }

  /** Returns the texts and tables that match a query. The best ones are first and last. */
  async search(query: string, signal?: AbortSignal): Promise<NodeWithScore[]> {
    const retrieved = await this.retriever.retrieve(query, { signal })
    const found = calledLike(query, await this.follower.postprocessNodes(retrieved, { signal }))
    const best = found[0]?.score || 1
    const kinds = [found.filter(({ node }) => isTableNode(node)), found.filter(({ node }) => !isTableNode(node))]
    const chosen = new Set(kinds.flatMap((kind) => kind.slice(0, RESULTS_OF_A_KIND)))
    let results = found
      .filter((entry) => chosen.has(entry))
      .slice(0, RESULTS)
      .map(({ node, score }) => new NodeWithScore({ node, score: (score ?? 0) / best }))
    for (const postprocessor of this.postprocessors) {
      results = await postprocessor.postprocessNodes(results, { queryStr: query, signal })
    }
    return results
  }

  /** Returns the table with this id, or null. */
  async table(id: string): Promise<Table | null> {
    const node = await this.store.getNode(id, { raiseError: false })
    return node && isTableNode(node) ? readTable(node) : null
  }

  /** Counts the nodes and their words, and stores the counts. */
  private async summarize(key: string, embeddingBefore: unknown): Promise<void> {
    this.vocabulary = new Vocabulary()
    this.texts = 0
    this.tables = 0
    for (const file of this.files) {
      this.vocabulary.add(file)
      const { nodeIds = [] } = (await this.store.getRefDocInfo(file)) ?? {}
      for (const node of await this.store.getNodes(nodeIds, { raiseError: false })) {
        this.vocabulary.add(`${node.text} ${headingOf(node)}`)
        // Each table consists of two nodes: an index node and a table node.
        if (isTableNode(node)) this.tables++
        else if (!('indexId' in node)) this.texts++
      }
    }
    if (this.database === null) return
    const embedding = this.embedding ?? embeddingBefore
    const metadata = { key, texts: this.texts, tables: this.tables, embedding }
    const text = JSON.stringify(this.vocabulary.words())
    await this.store.addDocuments([new TextNode({ id: SUMMARY_ID, text, metadata })])
  }

  private readSummary({ metadata, text }: TextNode): void {
    this.texts = Number(metadata['texts'])
    this.tables = Number(metadata['tables'])
    this.vocabulary = new Vocabulary(JSON.parse(text) as Record<string, number>)
  }
}

/** Returns a hash that changes when a document is changed, added or removed. */
function keyOf(documents: readonly Document[], embedding: string | null): string {
  const hash = createHash('sha256').update(JSON.stringify([VERSION, embedding]))
  for (const { id, hash: own } of documents) hash.update(JSON.stringify([id, own]))
  return hash.digest('hex')
}
