/**
 * @module
 * Writes documents to a store and to indexes: parses and embeds only what has changed, and can be repeated safely at any time.
 */
import { ConfigurationError, type Durable, type EmbeddingModel, type TextNode } from '@x/core-model'
import { embedNodes } from './embed-nodes.ts'
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
  /** Adds and replaces nodes, and deletes the other nodes of their sources. */
  upsert(nodes: readonly TextNode[]): Promise<unknown>
  getNodes(ids: readonly string[], options: { raiseError: false }): Promise<TextNode[]>
  getRefDocInfo(id: string): Promise<{ nodeIds: readonly string[] } | null>
  getAllRefDocInfo(): Promise<Readonly<Record<string, { nodeIds: readonly string[] }>>>
  deleteRefDoc(id: string, options: { raiseError: false }): Promise<void>
  getDocumentHash(id: string): Promise<string | null>
  setDocumentHash(id: string, hash: string): Promise<void>
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

/** The progress of a run. */
export interface IngestionProgress {
  /** The number of documents that are finished. */
  done: number
  /** The id of the document that was finished last. */
  documentId: string
  outcome: IngestionOutcome
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
  /** Embeds new and changed nodes without an embedding, so that the store contains the embeddings. @defaultValue no model */
  embedModel?: EmbeddingModel | undefined
  /** Change this string to parse all documents again, such as after a change of options. @defaultValue '' */
  version?: string | undefined
}

/** The options of one run. */
export interface IngestionRunOptions extends CancelOptions {
  /** Whether to remove the stored documents that are not passed to this run. @defaultValue false */
  removeMissing?: boolean | undefined
  /** Called after each document. */
  onProgress?: ((progress: IngestionProgress) => void) | undefined
}

/** The stored hash while the nodes of a document are written. No document has this hash. */
const IN_PROGRESS = 'in progress'

/**
 * Parses documents, stores their nodes and keeps indexes up to date. A document whose text and metadata have not changed since the last
 * run is skipped. Of a changed document, only the nodes whose content has changed are embedded again; for that, the parser must give the
 * same ids to the same content (`idFunc: fromContent()`). Store and indexes then contain the same nodes as after a first ingestion: also the
 * places and the links of nodes whose content is the same.
 *
 * A run that fails, is cancelled or is killed may be repeated: the document in progress is processed again, finished ones are skipped.
 * Different documents may be ingested at the same time, also by several processes if the store supports that. Calls for one document wait
 * for each other; two processes must not ingest the same document at the same time.
 * @example
 * import { fromContent, MarkdownNodeParser } from '@x/node-parser'
 * import { SimpleDocumentStore } from '@x/storage'
 *
 * const store = new SimpleDocumentStore()
 * const retriever = new Bm25Retriever()
 * const parser = new MarkdownNodeParser({ idFunc: fromContent() })
 * const pipeline = new IngestionPipeline({ transformations: [parser], store, indexes: [retriever] })
 * const document = new Document({ id: 'fruit.md', text: '# Pears\n\nThey are green.' })
 * await pipeline.run([document]) // => { unchanged: 0, changed: 0, added: 1, removed: 0 }
 * await pipeline.run([document]) // => { unchanged: 1, changed: 0, added: 0, removed: 0 }
 * ;(await retriever.retrieve('green')).map(({ text }) => text) // => ['# Pears\n\nThey are green.']
 */
export class IngestionPipeline {
  private readonly options: IngestionPipelineOptions
  private readonly target: IngestionTarget
  /** The last work on each document. */
  private readonly turns = new Map<string, Promise<unknown>>()

  constructor(options: IngestionPipelineOptions) {
    const { store, indexes = [] } = options
    this.options = options
    this.target = { store, indexes }
  }

  /**
   * Processes documents one after the other and returns how many were unchanged, changed, added and removed.
   * @throws {ConfigurationError} if two documents have the same id, or a transformation returns nodes of a different source.
   */
  async run(
    documents: Iterable<TextNode> | AsyncIterable<TextNode>,
    { signal, removeMissing = false, onProgress }: IngestionRunOptions = {},
  ): Promise<IngestionCounts> {
    const counts: IngestionCounts = { unchanged: 0, changed: 0, added: 0, removed: 0 }
    const seen = new Set<string>()
    let done = 0
    const finish = (documentId: string, outcome: IngestionOutcome) => {
      counts[outcome]++
      onProgress?.({ done: ++done, documentId, outcome })
    }
    for await (const document of documents) {
      signal?.throwIfAborted()
      if (seen.has(document.id))
        throw new ConfigurationError(
          `IngestionPipeline: expected documents with different ids, received ${document.id} twice.`,
        )
      seen.add(document.id)
      finish(document.id, await this.ingest(document, { signal }))
    }
    if (!removeMissing) return counts
    for (const id of Object.keys(await this.target.store.getAllRefDocInfo())) {
      if (seen.has(id)) continue
      signal?.throwIfAborted()
      await this.remove(id)
      finish(id, 'removed')
    }
    return counts
  }

  /**
   * Processes one document: a unit of work that may run in any process. Versions of one document are ingested in the order of the calls.
   * In a workflow engine, pass `durable`; then the version that is written last stays.
   * @throws {ConfigurationError} if a transformation returns nodes of a different source.
   * @example
   * import { fromContent, MarkdownNodeParser } from '@x/node-parser'
   * import { SimpleDocumentStore } from '@x/storage'
   *
   * const store = new SimpleDocumentStore()
   * const pipeline = new IngestionPipeline({ transformations: [new MarkdownNodeParser({ idFunc: fromContent() })], store })
   * await pipeline.ingest(new Document({ id: 'fruit.md', text: 'Pears' })) // => 'added'
   */
  ingest(document: TextNode, { signal, durable }: IngestOptions = {}): Promise<IngestionOutcome> {
    const inTurn: InTurn = (work) => this.inTurn(document.id, work)
    // A call of an engine may never end, so that others must not wait for it.
    return durable
      ? this.process(document, { signal, durable }, inTurn)
      : inTurn(() => this.process(document, { signal, durable: runAgain }, (work) => work()))
  }

  private async process(
    document: TextNode,
    { signal, durable }: IngestOptions & { durable: Durable },
    inTurn: InTurn,
  ): Promise<IngestionOutcome> {
    const outcome = await durable('known', () => inTurn(() => this.compare(document, signal)))
    if (outcome === 'unchanged') return outcome
    const nodes = await this.nodesOf(document, { signal, durable })
    await durable('store', async () => {
      await inTurn(() => this.write(document, nodes, signal))
      return null
    })
    return outcome
  }

  /** Calls `work` when earlier work on the same document is over. */
  private inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(id) ?? Promise.resolve()).then(work, work)
    this.turns.set(id, turn)
    const end = () => this.turns.get(id) === turn && this.turns.delete(id)
    turn.then(end, end)
    return turn
  }

  /** Compares a document with the store and returns the outcome of its ingestion. */
  private async compare(document: TextNode, signal: AbortSignal | undefined): Promise<IngestionOutcome> {
    const { store } = this.target
    const known = await store.getDocumentHash(document.id)
    const storedIds = (await store.getRefDocInfo(document.id))?.nodeIds ?? []
    if (known === this.hashOf(document) && (await this.fillIndexes(this.target, storedIds, signal))) return 'unchanged'
    return known === null && storedIds.length === 0 ? 'added' : 'changed'
  }

  private hashOf({ hash }: TextNode): string {
    const { version = '' } = this.options
    return version === '' ? hash : `${version}:${hash}`
  }

  private async write(document: TextNode, nodes: readonly TextNode[], signal: AbortSignal | undefined): Promise<void> {
    const { transaction } = this.options
    const known = await this.target.store.getDocumentHash(document.id)
    // The indexes may lack nodes that an interrupted run wrote to the store.
    const isPartial = !transaction && (known === IN_PROGRESS || known === this.hashOf(document))
    const ids = [...new Set(nodes.map(({ id }) => id))]
    const found = await this.target.store.getNodes(ids, { raiseError: false })
    const stored = new Map(found.map((node) => [node.id, node]))
    const embedded = await this.embed(
      nodes.map((node) => withStoredVector(node, stored.get(node.id))),
      signal,
    )
    const changes: Changes = { nodes: embedded, fresh: [], moved: [] }
    for (const node of embedded) {
      const before = stored.get(node.id)
      if (isPartial || !before || !isSameContent(node, before)) changes.fresh.push(node)
      // Places, links and metadata change without the content, so whole records are compared.
      else if (node.toJson() !== before.toJson()) changes.moved.push(node)
    }
    signal?.throwIfAborted()
    await this.change(document.id, (target) => this.writeTo(target, document, changes, signal))
  }

  /** Changes the nodes of a document: in a transaction, or in an order that lets the next run detect an interruption. */
  private async change(id: string, work: (target: IngestionTarget) => Promise<void>): Promise<void> {
    const { transaction } = this.options
    if (transaction) return transaction(work)
    // Until `work` ends, the store lists every node that an index may contain, and the document counts as unfinished.
    await this.target.store.setDocumentHash(id, IN_PROGRESS)
    return work(this.target)
  }

  private async writeTo(
    target: IngestionTarget,
    document: TextNode,
    { nodes, fresh, moved }: Changes,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { store, indexes } = target
    const storedIds = (await store.getRefDocInfo(document.id))?.nodeIds ?? []
    await store.addDocuments([...fresh, ...moved])
    const freshIds = new Set(fresh.map(({ id }) => id))
    const ids = new Set(nodes.map(({ id }) => id))
    const gone = storedIds.filter((id) => !ids.has(id))
    for (const index of indexes) {
      if (index.update) {
        await index.add(fresh, { signal })
        await index.update(moved)
      } else await index.add([...fresh, ...moved], { signal })
      await index.remove(gone)
    }
    const kept = [...ids].filter((id) => !freshIds.has(id))
    await this.fillIndexes(target, kept, signal)
    if (nodes.length > 0) await store.upsert(nodes)
    else await store.deleteRefDoc(document.id, { raiseError: false })
    await store.setDocumentHash(document.id, this.hashOf(document))
  }

  /** Removes a document and its nodes. Does nothing if there is no document with this id. */
  remove(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      const info = await this.target.store.getRefDocInfo(id)
      if (!info) return
      const { nodeIds } = info
      await this.change(id, async ({ store, indexes }) => {
        for (const index of indexes) await index.remove(nodeIds)
        await store.deleteRefDoc(id, { raiseError: false })
      })
    })
  }

  /** Adds stored nodes to the indexes that lack them. Returns false when the store lacks one of these nodes. */
  private async fillIndexes(
    { store, indexes }: IngestionTarget,
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    let isComplete = true
    for (const index of indexes) {
      if (!index.has) continue
      const missing: string[] = []
      for (const id of ids) if (!(await index.has(id))) missing.push(id)
      if (missing.length === 0) continue
      const nodes = await store.getNodes(missing, { raiseError: false })
      await index.add(nodes, { signal })
      if (nodes.length < missing.length) isComplete = false
    }
    return isComplete
  }

  private async nodesOf(document: TextNode, options: IngestOptions): Promise<readonly TextNode[]> {
    let nodes: readonly TextNode[] = [document]
    for (const transformation of this.options.transformations) nodes = await transformation.transform(nodes, options)
    const other = nodes.find(({ refDocId }) => refDocId !== document.id)
    if (other)
      throw new ConfigurationError(
        `IngestionPipeline: expected nodes with the source ${document.id}, received node ${other.id} with the source ${other.refDocId}; use a node parser as transformation.`,
      )
    return nodes
  }

  /** Returns the nodes with embeddings; nodes without one are copied. */
  private async embed(nodes: readonly TextNode[], signal: AbortSignal | undefined): Promise<readonly TextNode[]> {
    const { embedModel } = this.options
    if (!embedModel) return nodes
    const vectors = await embedNodes(nodes, embedModel, signal)
    return nodes.map((node) => {
      const embedding = vectors.get(node)
      return embedding ? node.copy({ update: { embedding } }) : node
    })
  }
}

/** The nodes of a document, and those of them to write. */
interface Changes {
  nodes: readonly TextNode[]
  /** New nodes, and those whose content for embeddings has changed. */
  fresh: TextNode[]
  /** Nodes with the same content and other data, such as places and links. */
  moved: TextNode[]
}

const isSameContent = (node: TextNode, other: TextNode) => node.getContent('embed') === other.getContent('embed')

/** Returns a node with the vector of the stored node with the same id, if both have the same content for embeddings. */
function withStoredVector(node: TextNode, stored: TextNode | undefined): TextNode {
  const isKept = node.embedding === null && stored?.embedding && isSameContent(node, stored)
  return isKept ? node.copy({ update: { embedding: stored.embedding } }) : node
}

const runAgain: Durable = (_name, fn) => fn()

/** Calls work on a document when earlier work is over. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>
