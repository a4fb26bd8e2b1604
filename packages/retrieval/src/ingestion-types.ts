/**
 * @module
 * What an ingestion reads and writes.
 */
import type { Durable, EmbeddingModel, TextNode } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'

/** A step that turns documents or nodes into nodes, such as a node parser. */
export interface Transformation {
  transform(nodes: readonly TextNode[], options?: IngestOptions): Promise<readonly TextNode[]>
}

/** The options of the ingestion of one document. */
export interface IngestOptions extends CancelOptions {
  /**
   * Runs each part of the work once; when the ingestion is repeated, it returns the saved results. The parts: `known` compares the document
   * with the store, `table/<key>` is a model call of a parser, `store` writes the nodes. @defaultValue runs every part
   */
  durable?: Durable | undefined
}

/** The methods of a document store that ingestion uses; the stores of `@x/storage` have them. */
export interface IngestionStore {
  addDocuments(nodes: readonly TextNode[]): Promise<void>
  /**
   * Adds and replaces nodes, and deletes the other nodes of their sources. Returns the ids of those that it has `added` and `removed`, so
   * that the indexes follow when several processes ingest one document at the same time.
   */
  upsert(nodes: readonly TextNode[]): Promise<unknown>
  getNodes(ids: readonly string[], options: { raiseError: false }): Promise<TextNode[]>
  getRefDocInfo(id: string): Promise<{ nodeIds: readonly string[] } | null>
  getAllRefDocInfo(): Promise<Readonly<Record<string, { nodeIds: readonly string[] }>>>
  deleteRefDoc(id: string, options: { raiseError: false }): Promise<void>
  /** Deletes the hash of a document that has no nodes. @defaultValue the hash stays */
  deleteDocument?(id: string, options: { raiseError: false }): Promise<void>
  getDocumentHash(id: string): Promise<string | null>
  setDocumentHash(id: string, hash: string): Promise<void>
  /** Returns document ids by hash. `removeMissing` reads it to find documents without nodes. @defaultValue those stay */
  getAllDocumentHashes?(): Promise<Readonly<Record<string, string>>>
  /** Returns the hash of a document and the ids of its nodes, with one request. @defaultValue `getDocumentHash` and `getRefDocInfo` */
  getIngested?(id: string): Promise<IngestedDocument>
  /** Adds nodes of a document and sets its hash, both or neither. @defaultValue `setDocumentHash`, then `addDocuments` */
  beginIngestion?(id: string, nodes: readonly TextNode[], hash: string): Promise<void>
  /**
   * Deletes the nodes of a document that are not among `nodeIds`, brings the others into this order, and sets its hash and the merged
   * metadata of its nodes, all or nothing.
   * @defaultValue `upsert`, then `setDocumentHash`
   */
  endIngestion?(
    id: string,
    nodeIds: readonly string[],
    hash: string,
    metadata: Readonly<Record<string, unknown>>,
  ): Promise<void>
}

/** What a store knows about a document. */
export interface IngestedDocument {
  /** The hash; null if the store has none. */
  hash: string | null
  nodeIds: readonly string[]
}

/** An index that ingestion keeps up to date, such as `Bm25Retriever` and `VectorRetriever`. */
export interface IngestionIndex {
  /** Adds nodes; a node replaces the node with the same id. */
  add(nodes: readonly TextNode[], options?: CancelOptions): unknown
  /**
   * Replaces nodes whose content for embeddings is unchanged, so that they keep their vectors; ids that the index does not contain are
   * ignored. @defaultValue `add`
   */
  update?(nodes: readonly TextNode[]): unknown
  /** Removes nodes; ids that the index does not contain are ignored. */
  remove(ids: readonly string[]): unknown
  /** Whether the index contains a node. With it, an index that starts empty is filled from the store. */
  has?(id: string): boolean | Promise<boolean>
  /** Returns those of the ids that the index does not contain, with one request. @defaultValue `has` for each */
  missing?(ids: readonly string[]): readonly string[] | Promise<readonly string[]>
  /**
   * Makes the changes of one document with one request, all or none, and returns those of the ids `kept` that the index does not contain.
   * @defaultValue `add`, `update`, `remove`, and `missing` or `has`
   */
  apply?(changes: IndexChanges, options?: CancelOptions): Promise<readonly string[]>
}

/** What the ingestion of a document changes in an index. */
export interface IndexChanges {
  /** Nodes to add or to replace. */
  added?: readonly TextNode[] | undefined
  /** Nodes to replace if the index contains them; they keep their vectors. */
  updated?: readonly TextNode[] | undefined
  /** The ids of nodes to remove. */
  removed?: readonly string[] | undefined
  /** The ids of nodes that the index should contain. */
  kept?: readonly string[] | undefined
}

/** The store and the indexes that the nodes of a document are written to. */
export interface IngestionTarget {
  store: IngestionStore
  indexes: readonly IngestionIndex[]
}

/** The outcome for a document. */
export type IngestionOutcome = 'unchanged' | 'changed' | 'added' | 'removed'

/** The number of documents per outcome. */
export type IngestionCounts = Record<IngestionOutcome, number>

/** A document that could not be ingested. */
export interface IngestionError {
  documentId: string
  error: unknown
}

/** The number of documents per outcome, and the documents that could not be ingested. */
export interface IngestionResult extends IngestionCounts {
  errors: IngestionError[]
}

/** Returns nodes with embeddings. */
export type Embed = (nodes: readonly TextNode[]) => Promise<readonly TextNode[]>

/** The progress of a run. */
export interface IngestionProgress {
  /** The number of documents that are finished. */
  done: number
  /** The number of all documents, at the end with those to remove; absent if the documents are not an array. */
  total?: number
  /** The id of the document that was finished last. */
  documentId: string
  /** `failed` only with `onError: 'skip'`. */
  outcome: IngestionOutcome | 'failed'
}

/** The options of {@link IngestionPipeline}. */
export interface IngestionPipelineOptions {
  /** The steps from a document to its nodes, such as a node parser; at least one. */
  transformations: readonly Transformation[]
  store: IngestionStore
  /** @defaultValue no indexes */
  indexes?: readonly IngestionIndex[] | undefined
  /**
   * Runs `work` in one database transaction, with the store and the indexes of that transaction: a document is written as a whole or not at
   * all. Model calls happen before the transaction. @defaultValue no transaction: the next run completes interrupted writes
   */
  transaction?: (<T>(work: (inside: IngestionTarget) => Promise<T>) => Promise<T>) | undefined
  /**
   * Embeds new and changed nodes without an embedding, so that the store contains the embeddings. A run fills each request with texts of
   * several documents: `embedBatchSize` of the model, else 100. @defaultValue no model
   */
  embedModel?: EmbeddingModel | undefined
  /**
   * Names the embedding model. When it changes, all nodes are embedded and indexed again; nodes of an interrupted run are too. The vectors
   * of an index have one length: begin with an empty index for a model with another one. A search does not compare the name: pass the same
   * model to its index. @defaultValue vectors stay while the content does
   */
  embedName?: string | undefined
  /** Change this string to parse all documents again, such as after a change of options. @defaultValue '' */
  version?: string | undefined
  /**
   * Whose documents these are, such as the name of an MCP server. The pipeline replaces and removes the documents of its own origin alone:
   * one with the id of a document of another origin, or of none, is refused. @defaultValue none
   */
  origin?: string | undefined
  /**
   * Metadata keys whose values do not count as a change, such as the time of a file: a document that differs in them alone is skipped, and
   * nodes that differ in them alone keep their vectors. What is stored stays then. @defaultValue all keys count, as in Python
   */
  excludedHashMetadataKeys?: readonly string[] | undefined
}

/** The options of one run. */
export interface IngestionRunOptions extends CancelOptions {
  /**
   * Whether to remove the stored documents that are not passed to this run, also those without nodes and those whose ingestion was
   * interrupted. A document that others store after the run has begun stays. A function decides for each id, so that the documents of files
   * that could not be read stay.
   * @defaultValue false
   */
  removeMissing?: boolean | ((id: string) => boolean) | undefined
  /** How many documents are compared, parsed and written at the same time. @defaultValue 1, in the order of the documents */
  maxConcurrency?: number | undefined
  /** How many requests to the embedding model run at the same time. @defaultValue 1 */
  maxEmbedConcurrency?: number | undefined
  /**
   * What happens when a document cannot be ingested. `throw`: no further document is started, those that were started are finished, and
   * `run` rejects with the first error. `skip`: the others are ingested, and the result contains `errors`; if they would fail as well,
   * because the embedding model refuses a harmless word too, its vectors have another length than those of an index, or the store or an
   * index fails with a retryable error or for the third document in a row, `run` rejects with {@link IngestionStoppedError}. An error
   * `model_validation` of a store is of the document. @defaultValue 'throw'
   */
  onError?: 'throw' | 'skip' | undefined
  /** Called after each document, also a removed one. */
  onProgress?: ((progress: IngestionProgress) => void) | undefined
}
