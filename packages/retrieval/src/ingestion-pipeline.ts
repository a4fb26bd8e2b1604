/**
 * @module
 * Writes documents to a store and to indexes: parses and embeds only what has changed, and can be repeated safely at any time.
 */
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  having,
  list,
  type OptionTable,
  required,
  text,
} from '@x/core/options'
import { merge, pick } from '@x/core/values'
import { ConfigurationError, type Durable, type TextNode } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { embedNodes, withVectors } from './embed-nodes.ts'
import { changeIndex, fillIndexes, followStore, inParts, missingIn } from './ingestion-index.ts'
import { checkOrigin, hasOrigin, isOfModel, isOfOrigin, modelMark, originPrefix } from './ingestion-origin.ts'
import { aDocument, DocumentTurns, IngestionRun, ofStorage } from './ingestion-run.ts'
import type {
  Embed,
  IngestedDocument,
  IngestionCounts,
  IngestionOutcome,
  IngestionPipelineOptions,
  IngestionResult,
  IngestionRunOptions,
  IngestionTarget,
  IngestOptions,
} from './ingestion-types.ts'
import type { CancelOptions } from './retriever.ts'

/** The stored hash while the nodes of a document are written. No document has this hash. */
const IN_PROGRESS = 'in progress'

const ingestionOptions: OptionTable<IngestionPipelineOptions> = {
  ...{ docstore: 'store', vectorStore: 'indexes', retrievers: 'indexes', embeddings: 'embedModel' },
  transformations: required('an array of steps', 'length'),
  store: required('a document store', 'getNodes'),
  indexes: list,
  transaction: callback,
  embedModel: having('an embedding model with getTextEmbeddingBatch', 'getTextEmbeddingBatch'),
  embedName: text,
  version: text,
  origin: text,
  excludedHashMetadataKeys: list,
}

const cancelOptions: OptionTable<CancelOptions> = { signal: callOptions.signal }

const ingestOptions: OptionTable<IngestOptions> = { ...cancelOptions, durable: callback }

/**
 * Parses documents, stores their nodes and keeps indexes up to date. A document whose text and metadata have not changed since the last run
 * is skipped. Of a changed document, only the nodes whose content has changed are embedded again; for that, the parser must assign the same
 * ids to the same content (`idFunc: fromContent()`). Store and indexes then contain the same nodes as after a first ingestion: also the
 * offsets and the links of nodes whose content is the same.
 *
 * A run that fails, is cancelled or is killed may be repeated: the document in progress is processed again, finished ones are skipped.
 * Different documents may be ingested at the same time, also by several processes if the store supports that. Runs may overlap: calls for
 * one document wait for each other; two processes must not ingest the same document at the same time.
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
  /** What the stored hashes of this pipeline begin with. */
  private readonly origin: string
  /** What they contain of the embedding model. */
  private readonly model: string
  private readonly turns = new DocumentTurns()

  /** @throws {ModelValidationError} if an option is unknown, invalid or missing. */
  constructor(options: IngestionPipelineOptions) {
    checkOptions('IngestionPipeline', options, ingestionOptions)
    const { store, indexes = [] } = options
    this.options = options
    this.origin = originPrefix(options.origin)
    this.model = modelMark(options.embedName)
    this.target = { store, indexes }
  }

  /**
   * Processes documents and returns how many were unchanged, changed, added and removed.
   * @throws {ModelValidationError} if `documents` contains something else than documents, or an option is unknown or invalid.
   * @throws {ConfigurationError} if two documents have the same id, or a transformation returns nodes of a different source.
   * @throws {IngestionStoppedError} with `onError: 'skip'`, if the other documents would fail as well.
   */
  run(
    documents: Iterable<TextNode> | AsyncIterable<TextNode>,
    options: IngestionRunOptions & { onError: 'skip' },
  ): Promise<IngestionResult>
  run(
    documents: Iterable<TextNode> | AsyncIterable<TextNode>,
    options?: IngestionRunOptions,
  ): Promise<IngestionCounts & { errors?: IngestionResult['errors'] }>
  run(
    documents: Iterable<TextNode> | AsyncIterable<TextNode>,
    options: IngestionRunOptions = {},
  ): Promise<IngestionCounts> {
    const { embedModel } = this.options
    const work = {
      embedModel,
      turnOf: (id: string) => this.turns.turnOf(id, options.signal),
      ingest: (document: TextNode, embed: Embed) =>
        this.process(document, { signal: options.signal, durable: runAgain, embed }, (inside) => inside()),
      remove: (id: string) => this.removeNow(id),
      storedIds: () => this.storedIds(),
    }
    return new IngestionRun(work, documents, options).result()
  }

  /**
   * Processes one document: a unit of work that may run in any process. Versions of one document are ingested in the order of the calls.
   * In a workflow engine, pass `durable`; then the version that is written last stays.
   * @throws {ModelValidationError} if `document` is no document, or an option is unknown or invalid.
   * @throws {ConfigurationError} if a transformation returns nodes of a different source.
   * @example
   * import { fromContent, MarkdownNodeParser } from '@x/node-parser'
   * import { SimpleDocumentStore } from '@x/storage'
   *
   * const store = new SimpleDocumentStore()
   * const pipeline = new IngestionPipeline({ transformations: [new MarkdownNodeParser({ idFunc: fromContent() })], store })
   * await pipeline.ingest(new Document({ id: 'fruit.md', text: 'Pears' })) // => 'added'
   */
  async ingest(document: TextNode, options: IngestOptions = {}): Promise<IngestionOutcome> {
    checkOption('IngestionPipeline.ingest', 'document', document, aDocument)
    checkOptions('IngestionPipeline.ingest', options, ingestOptions)
    const { signal, durable } = options
    const inTurn: InTurn = (work) => this.turns.inTurn(document.id, work)
    const embed: Embed = (nodes) => this.embedded(nodes, signal)
    // A call of an engine may never end, so that others must not wait for it.
    return durable
      ? this.process(document, { signal, durable, embed }, inTurn)
      : inTurn(() => this.process(document, { signal, durable: runAgain, embed }, (work) => work()))
  }

  private async process(
    document: TextNode,
    { signal, durable, embed }: IngestOptions & { durable: Durable; embed: Embed },
    inTurn: InTurn,
  ): Promise<IngestionOutcome> {
    let before: IngestedDocument | undefined
    const compared = async () => {
      const known = await this.ingested(document.id)
      // When the parts of the work may run in several processes, the state is read again.
      if (durable === runAgain) before = known
      return this.compare(document, known, signal)
    }
    const outcome = await durable('known', () => untilAborted(signal, () => inTurn(compared)))
    if (outcome === 'unchanged') return outcome
    const nodes = await this.nodesOf(document, { signal, durable })
    await durable('store', async () => {
      await inTurn(async () => {
        const known = before ?? (await this.ingested(document.id))
        await this.write(document, nodes, { known, embed, signal })
      })
      return null
    })
    return outcome
  }

  /**
   * Returns the ids of the stored documents, with whether they have nodes: those that have a hash only are without nodes, or their first
   * ingestion was interrupted.
   */
  private async storedIds(): Promise<Map<string, boolean>> {
    const { store } = this.target
    const sources = await store.getAllRefDocInfo()
    const hashes = (await store.getAllDocumentHashes?.()) ?? {}
    const others = new Set(Object.values(hashes))
    for (const { nodeIds } of Object.values(sources)) for (const id of nodeIds) others.delete(id)
    for (const id of Object.keys(sources)) others.delete(id)
    // A node without a source is not a document.
    for (const { id } of await store.getNodes([...others], { raiseError: false })) others.delete(id)
    const all = new Map<string, boolean>()
    for (const id of Object.keys(sources)) all.set(id, true)
    for (const id of others) all.set(id, false)
    if (this.origin === '' && !Object.keys(hashes).some(hasOrigin)) return all
    for (const id of all.keys()) if (!isOfOrigin(this.origin, (await this.ingested(id)).hash)) all.delete(id)
    return all
  }

  /** Returns what the store knows about a document. */
  private async ingested(id: string): Promise<IngestedDocument> {
    const { store } = this.target
    return ofStorage(async () => {
      if (store.getIngested) return store.getIngested(id)
      const hash = await store.getDocumentHash(id)
      return { hash, nodeIds: (await store.getRefDocInfo(id))?.nodeIds ?? [] }
    })
  }

  /** Compares a document with the store and returns the outcome of its ingestion. */
  private async compare(
    document: TextNode,
    { hash, nodeIds }: IngestedDocument,
    signal: AbortSignal | undefined,
  ): Promise<IngestionOutcome> {
    checkOrigin(document.id, this.origin, hash)
    const isFilled = () => fillIndexes(this.target, nodeIds, signal)
    if (hash === this.hashOf(document) && (await ofStorage(isFilled))) return 'unchanged'
    return hash === null && nodeIds.length === 0 ? 'added' : 'changed'
  }

  private get inProgress(): string {
    return `${this.origin}${IN_PROGRESS}`
  }

  private hashOf(document: TextNode): string {
    const { version = '' } = this.options
    const { hash } = this.withoutUnhashed(document)
    return `${this.origin}${this.model}${version === '' ? hash : `${version}:${hash}`}`
  }

  /** Returns a node without the metadata that does not count. */
  private withoutUnhashed(node: TextNode): TextNode {
    const { excludedHashMetadataKeys: keys = [] } = this.options
    if (!keys.some((key) => Object.hasOwn(node.metadata, key))) return node
    const metadata = pick(node.metadata, (key) => !keys.includes(key))
    return node.copy({ update: { metadata } })
  }

  /** Whether two nodes have the same content for embeddings, without the metadata that does not count. */
  private isSameContent(node: TextNode, other: TextNode): boolean {
    const content = (one: TextNode) => this.withoutUnhashed(one).getContent('embed')
    return content(node) === content(other)
  }

  private async write(
    document: TextNode,
    nodes: readonly TextNode[],
    { known, embed, signal }: { known: IngestedDocument; embed: Embed; signal: AbortSignal | undefined },
  ): Promise<void> {
    checkOrigin(document.id, this.origin, known.hash)
    const { transaction } = this.options
    // The indexes may lack nodes that an interrupted run wrote to the store.
    const isPartial = !transaction && (known.hash === this.inProgress || known.hash === this.hashOf(document))
    const ids = [...new Set(nodes.map(({ id }) => id))]
    const isOtherModel = known.hash !== null && !isOfModel(this.model, known.hash)
    // The store has no node of a document that it does not know.
    const isNew = known.hash === null && known.nodeIds.length === 0
    const read = () => this.target.store.getNodes(ids, { raiseError: false })
    const found = isNew || ids.length === 0 ? [] : await ofStorage(read)
    const stored = new Map(found.map((node) => [node.id, node]))
    // The vectors that an interrupted run stored may be why an index refused them.
    const refused = new Set<string>()
    if (isPartial)
      for (const index of this.target.indexes)
        for (const id of await ofStorage(() => missingIn(index, ids))) refused.add(id)
    const withVector = (node: TextNode) => {
      const before = stored.get(node.id)
      const isKept =
        !isOtherModel &&
        !refused.has(node.id) &&
        node.embedding === null &&
        before?.embedding &&
        this.isSameContent(node, before)
      return isKept ? node.copy({ update: { embedding: before.embedding } }) : node
    }
    const embedded = await embed(nodes.map(withVector))
    const changes: Changes = { nodes: embedded, fresh: [], moved: [], gone: [] }
    for (const node of embedded) {
      const before = stored.get(node.id)
      if (isPartial || isOtherModel || !before || !this.isSameContent(node, before)) changes.fresh.push(node)
      // Places, links and metadata change without the content, so whole records are compared.
      else if (node.toJson() !== before.toJson()) changes.moved.push(node)
    }
    const kept = new Set(ids)
    changes.gone = known.nodeIds.filter((id) => !kept.has(id))
    signal?.throwIfAborted()
    // Until the end, the store lists every node that an index may contain, and the document counts as unfinished.
    const work = (target: IngestionTarget) => this.writeTo(target, document, changes, signal)
    await ofStorage(() => (transaction ? transaction(work) : work(this.target)))
  }

  private async writeTo(
    target: IngestionTarget,
    document: TextNode,
    { nodes, fresh, moved, gone }: Changes,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { store, indexes } = target
    const { id } = document
    const written = [...fresh, ...moved]
    if (store.beginIngestion) await store.beginIngestion(id, written, this.inProgress)
    else {
      if (!this.options.transaction) await store.setDocumentHash(id, this.inProgress)
      await inParts(written, signal, (part) => store.addDocuments(part))
    }
    const freshIds = new Set(fresh.map((node) => node.id))
    const ids = [...new Set(nodes.map((node) => node.id))]
    const kept = ids.filter((nodeId) => !freshIds.has(nodeId))
    for (const index of indexes) {
      const missing = await changeIndex(index, { added: fresh, updated: moved, removed: gone, kept }, signal)
      if (missing.length > 0) await index.add(await store.getNodes(missing, { raiseError: false }), { signal })
    }
    if (store.endIngestion) {
      const metadata = nodes.reduce((all, node) => merge(all, node.metadata), {})
      return store.endIngestion(id, ids, this.hashOf(document), metadata)
    }
    const upserted = nodes.length > 0 ? await store.upsert(nodes) : await store.deleteRefDoc(id, { raiseError: false })
    await store.setDocumentHash(id, this.hashOf(document))
    await followStore(target, upserted, { written: [...ids, ...gone], signal })
  }

  /**
   * Adds the stored nodes that indexes lack, without parsing or embedding: an index in memory after a start, in a process that only
   * searches or that follows changes. A run does the same for its documents.
   */
  async fill(options: CancelOptions = {}): Promise<void> {
    checkOptions('IngestionPipeline.fill', options, cancelOptions)
    const { signal } = options
    for (const id of (await this.storedIds()).keys()) {
      signal?.throwIfAborted()
      await this.turns.inTurn(id, async () => {
        await fillIndexes(this.target, (await this.ingested(id)).nodeIds, signal)
      })
    }
  }

  /**
   * Removes a document and its nodes. Does nothing if there is no document with this id.
   * @throws {ConfigurationError} if it belongs to another origin.
   */
  remove(id: string): Promise<void> {
    return this.turns.inTurn(id, () => this.removeNow(id))
  }

  private async removeNow(id: string): Promise<void> {
    const { hash, nodeIds } = await this.ingested(id)
    checkOrigin(id, this.origin, hash)
    if (nodeIds.length === 0) {
      // A document without nodes has a hash only. A node with this id is not a document.
      const { store } = this.target
      const isDocument = hash !== null && (await store.getNodes([id], { raiseError: false })).length === 0
      if (isDocument) await store.deleteDocument?.(id, { raiseError: false })
      return
    }
    const { transaction } = this.options
    const work = async ({ store, indexes }: IngestionTarget) => {
      if (!transaction) await store.setDocumentHash(id, this.inProgress)
      for (const index of indexes) await inParts(nodeIds, undefined, (part) => index.remove(part))
      await store.deleteRefDoc(id, { raiseError: false })
    }
    await ofStorage(() => (transaction ? transaction(work) : work(this.target)))
  }

  private async nodesOf(document: TextNode, options: IngestOptions): Promise<readonly TextNode[]> {
    let nodes: readonly TextNode[] = [document]
    for (const transformation of this.options.transformations)
      nodes = await untilAborted(options.signal, () => transformation.transform(nodes, options))
    const other = nodes.find(({ refDocId }) => refDocId !== document.id)
    if (other)
      throw new ConfigurationError(
        `IngestionPipeline: expected nodes with the source ${document.id}, received node ${other.id} with the source ${other.refDocId}; use a node parser as transformation.`,
      )
    return nodes
  }

  /** Returns the nodes with embeddings; nodes without one are copied. */
  private async embedded(nodes: readonly TextNode[], signal: AbortSignal | undefined): Promise<readonly TextNode[]> {
    const { embedModel } = this.options
    return embedModel ? withVectors(nodes, await embedNodes(nodes, embedModel, signal)) : nodes
  }
}

/** The nodes of a document, and those of them to write. */
interface Changes {
  nodes: readonly TextNode[]
  /** New nodes, and those whose content for embeddings has changed. */
  fresh: TextNode[]
  /** Nodes with the same content and other data, such as places and links. */
  moved: TextNode[]
  /** The ids of the nodes that the document no longer has. */
  gone: readonly string[]
}

const runAgain: Durable = (_name, fn) => fn()

/** Calls work on a document when earlier work is over. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>
