/**
 * @module
 * The records of a document store in a key-value store: nodes, hashes and source documents.
 *
 * A store without transactions may stop between any two writes. Therefore the hash of a node, by which `upsert` recognizes
 * a complete node, is written last and deleted first, and a source lists its nodes before they are written and until they are deleted.
 * When the list of a source and the hash of a node disagree about the source of the node, the hash is right.
 */
import { checkGiven } from '@x/core/options'
import { addToList, deepEqual, merge } from '@x/core/values'
import type { TextNode } from '@x/core-model'
import type { KeyValueOperations, StoredCollections, StoredValue } from './key-value-store.ts'
import type { NodeRecords } from './node-records.ts'

/** The nodes of one source document. */
export interface RefDocInfo {
  /** The ids of the nodes, in the order of the last `upsert` of the source, or else in the order in which they were added. */
  nodeIds: string[]
  /** The merged metadata of the nodes; later values override earlier ones. */
  metadata: Record<string, unknown>
}

/** The ids of the nodes that `upsert` added, changed, left unchanged and removed. */
export interface UpsertResult {
  added: string[]
  changed: string[]
  unchanged: string[]
  removed: string[]
}

/** The names of the collections of a document store. */
export interface DocumentCollections {
  nodes: string
  hashes: string
  sources: string
}

interface HashRecord extends StoredValue {
  doc_hash?: string
  ref_doc_id?: string
}

/** The node ids and metadata that are added to a source. */
interface SourceAddition {
  nodeIds: Set<string>
  metadata: Record<string, unknown>
}

/** The operations of a document store. Each is one transaction of the key-value store if the store supports transactions. */
export class DocumentRecords {
  private readonly values: KeyValueOperations
  private readonly names: DocumentCollections
  private readonly records: NodeRecords

  constructor(values: KeyValueOperations, names: DocumentCollections, records: NodeRecords) {
    this.values = values
    this.names = names
    this.records = records
  }

  /** Returns the nodes with these ids; null for a missing one. */
  async nodesOf(ids: readonly string[]): Promise<(TextNode | null)[]> {
    const found = await this.values.getMany(ids, this.names.nodes)
    return found.map(
      (record, at) => record && this.records.nodeOf(record, { path: this.names.nodes, nodeId: ids[at]! }),
    )
  }

  /** Adds nodes, or replaces nodes with the same id. Returns the sources that were changed, still with the nodes that have left them. */
  async add(
    nodes: readonly TextNode[],
    storeText: boolean,
    known?: ReadonlyMap<string, HashRecord>,
  ): Promise<Map<string, RefDocInfo>> {
    const data = new Map<string, StoredValue>()
    const hashes = new Map<string, HashRecord>()
    const additions = new Map<string, SourceAddition>()
    const touch = (id: string) => {
      const addition = additions.get(id) ?? { nodeIds: new Set(), metadata: {} }
      additions.set(id, addition)
      return addition
    }
    // All records are created before the first write, so that a node that cannot be serialized leaves the store unchanged.
    for (const node of nodes) {
      if (storeText) data.set(node.id, this.records.recordOf(node))
      // The source record contains the metadata of the nodes, so it must be JSON even if the nodes are not stored.
      else node.toJson()
    }
    const before = known ?? (await this.hashesOf(nodes.map(({ id }) => id)))
    for (const node of nodes) {
      const { id, refDocId } = node
      const old = (hashes.get(id) ?? before.get(id))?.ref_doc_id
      if (old !== undefined) touch(old).nodeIds.delete(id)
      hashes.set(id, { doc_hash: this.records.hashOf(node), ...(refDocId !== null && { ref_doc_id: refDocId }) })
      if (refDocId === null) continue
      const source = touch(refDocId)
      source.nodeIds.add(id)
      source.metadata = merge(source.metadata, node.metadata)
    }
    const sources = await this.listed(additions)
    await this.putSources(new Map([...sources].filter(([id]) => additions.get(id)!.nodeIds.size > 0)))
    if (data.size > 0) await this.values.putAll(data, this.names.nodes)
    if (hashes.size > 0) await this.values.putAll(hashes, this.names.hashes)
    await this.unlistMoved(sources, hashes)
    return sources
  }

  /**
   * Replaces the nodes of source documents, their order and their merged metadata. Of nodes with the same id, the last one counts, at the
   * position of the first one.
   */
  async upsert(nodes: readonly TextNode[]): Promise<UpsertResult> {
    const result: UpsertResult = { added: [], changed: [], unchanged: [], removed: [] }
    const last = new Map(nodes.map((node) => [node.id, node]))
    const ids = new Set(last.keys())
    const known = await this.hashesOf([...ids])
    const sources = await this.sourcesOf([...new Set(nodes.flatMap(({ refDocId }) => refDocId ?? []))])
    const lists = new Map([...sources].map(([id, source]) => [id, new Set(source.nodeIds)]))
    const fresh = [...last.values()].filter((node) => {
      const { id, refDocId } = node
      const hash = known.get(id)
      const isSame = hash?.doc_hash === this.records.hashOf(node) && (hash.ref_doc_id ?? null) === refDocId
      result[!hash ? 'added' : isSame ? 'unchanged' : 'changed'].push(id)
      // An interrupted operation can leave a node that its source does not list.
      return !isSame || (refDocId !== null && !lists.get(refDocId)?.has(id))
    })
    for (const [id, source] of await this.add(fresh, true, known)) sources.set(id, source)
    const changed = new Map<string, RefDocInfo>()
    const gone: string[] = []
    const empty: string[] = []
    const merged = mergedMetadata(last.values())
    const own = new Map<string | null, string[]>()
    for (const { id, refDocId } of last.values()) addToList(own, refDocId, id)
    for (const id of new Set(nodes.flatMap(({ refDocId }) => refDocId ?? []))) {
      const source = sources.get(id)
      if (!source) continue
      const nodeIds = own.get(id) ?? []
      const metadata = merged.get(id) ?? {}
      if (deepEqual(source.nodeIds, nodeIds) && deepEqual(source.metadata, metadata)) continue
      gone.push(
        ...(await this.ownOf(
          id,
          source.nodeIds.filter((nodeId) => !ids.has(nodeId)),
        )),
      )
      if (nodeIds.length > 0) changed.set(id, { nodeIds, metadata })
      else empty.push(id)
    }
    await this.drop(gone)
    await this.putSources(changed)
    for (const id of empty) await this.dropSource(id, ids.has(id))
    result.removed = gone
    return result
  }

  /** Deletes a node and removes it from its source; returns whether the node or its hash existed. */
  async remove(id: string): Promise<boolean> {
    const hash = (await this.hashesOf([id])).get(id)
    if (!hash && (await this.values.get(id, this.names.nodes)) === null) return false
    await this.drop([id])
    const refDocId = hash?.ref_doc_id
    const source = refDocId === undefined ? null : await this.sourceOf(refDocId)
    if (refDocId === undefined || !source) return true
    const nodeIds = source.nodeIds.filter((nodeId) => nodeId !== id)
    if (nodeIds.length > 0) await this.putSources(new Map([[refDocId, { ...source, nodeIds }]]))
    else await this.dropSource(refDocId)
    return true
  }

  /** Deletes a source document and its nodes; returns whether the store had any. */
  async removeSource(id: string): Promise<boolean> {
    const source = await this.sourceOf(id)
    if (!source) return false
    // A node with the id of the source may belong to another source.
    await this.drop(await this.ownOf(id, [...source.nodeIds, id]))
    await this.values.delete(id, this.names.sources)
    return true
  }

  /** Sets the hashes of documents, which need not be stored. */
  async setHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    const before = await this.hashesOf(Object.keys(hashes))
    const records = Object.entries(hashes).map(([id, hash]) => [id, { ...before.get(id), doc_hash: hash }] as const)
    await this.values.putAll(records, this.names.hashes)
  }

  /** Returns the hash of a document; null if it has no hash. */
  async hashOf(id: string): Promise<string | null> {
    return (await this.hashesOf([id])).get(id)?.doc_hash ?? null
  }

  /** Returns document ids by hash; for equal hashes the document whose hash was written last. */
  async idsByHash(): Promise<Record<string, string>> {
    const entries = Object.entries((await this.values.getAll(this.names.hashes)) as Record<string, HashRecord>)
    return Object.fromEntries(entries.flatMap(([id, { doc_hash }]) => (doc_hash === undefined ? [] : [[doc_hash, id]])))
  }

  /** Returns the nodes of a source document; null if it has no nodes. */
  async sourceOf(id: string): Promise<RefDocInfo | null> {
    return (await this.sourcesOf([id])).get(id) ?? null
  }

  private async hashesOf(ids: readonly string[]): Promise<Map<string, HashRecord>> {
    const found = ids.length === 0 ? [] : await this.values.getMany(ids, this.names.hashes)
    return new Map(ids.flatMap((id, i) => (found[i] ? [[id, found[i] as HashRecord]] : [])))
  }

  private async sourcesOf(ids: readonly string[]): Promise<Map<string, RefDocInfo>> {
    const found = ids.length === 0 ? [] : await this.values.getMany(ids, this.names.sources)
    return new Map(ids.flatMap((id, i) => (found[i] ? [[id, readSource(found[i])]] : [])))
  }

  /** Returns the `nodeIds` that belong to a source: all except those whose hash record names a different source. */
  private async ownOf(id: string, nodeIds: readonly string[]): Promise<string[]> {
    const hashes = await this.hashesOf(nodeIds)
    return nodeIds.filter((nodeId) => (hashes.get(nodeId)?.ref_doc_id ?? id) === id)
  }

  /** Returns the source records after the additions. */
  private async listed(additions: ReadonlyMap<string, SourceAddition>): Promise<Map<string, RefDocInfo>> {
    const stored = await this.sourcesOf([...additions.keys()])
    const sources = new Map<string, RefDocInfo>()
    for (const [id, { nodeIds, metadata }] of additions) {
      const before = stored.get(id)
      if (!before && nodeIds.size === 0) continue
      sources.set(id, {
        nodeIds: [...new Set([...(before?.nodeIds ?? []), ...nodeIds])],
        metadata: merge(before?.metadata ?? {}, metadata),
      })
    }
    return sources
  }

  /** Removes nodes from the lists of sources they no longer belong to. */
  private async unlistMoved(
    sources: ReadonlyMap<string, RefDocInfo>,
    hashes: ReadonlyMap<string, HashRecord>,
  ): Promise<void> {
    const shrunk = new Map<string, RefDocInfo>()
    for (const [id, source] of sources) {
      const nodeIds = source.nodeIds.filter((nodeId) => (hashes.get(nodeId) ?? { ref_doc_id: id }).ref_doc_id === id)
      if (nodeIds.length === source.nodeIds.length) continue
      if (nodeIds.length > 0) shrunk.set(id, { ...source, nodeIds })
      else await this.dropSource(id, hashes.has(id))
    }
    await this.putSources(shrunk)
  }

  private async putSources(sources: ReadonlyMap<string, RefDocInfo>): Promise<void> {
    const records = [...sources].map(([id, { nodeIds, metadata }]) => [id, { node_ids: nodeIds, metadata }] as const)
    if (records.length > 0) await this.values.putAll(records, this.names.sources)
  }

  /** Deletes nodes and their hashes. */
  private async drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.values.deleteMany(ids, this.names.hashes)
    await this.values.deleteMany(ids, this.names.nodes)
  }

  /** Deletes a source that has no nodes. Its hash is kept if the source itself is a node. */
  private async dropSource(id: string, isWritten?: boolean): Promise<void> {
    if (!isWritten && (await this.values.get(id, this.names.nodes)) === null)
      await this.values.deleteMany(await this.ownOf(id, [id]), this.names.hashes)
    await this.values.delete(id, this.names.sources)
  }
}

/**
 * Returns the merged metadata of the nodes of each source, by its id; later values override earlier ones. For your own stores.
 * @example
 * const node = (metadata: Record<string, unknown>) => new TextNode({ metadata, relationships: { 1: { nodeId: 'a.md' } } })
 * mergedMetadata([node({ page: 1 }), node({ page: 2, lang: 'en' })]).get('a.md') // => { page: 2, lang: 'en' }
 */
export function mergedMetadata(nodes: Iterable<TextNode>): Map<string, Record<string, unknown>> {
  checkGiven('mergedMetadata', { nodes }, 'an iterable of nodes', Symbol.iterator)
  const merged = new Map<string, Record<string, unknown>>()
  for (const node of nodes) {
    checkGiven('mergedMetadata', { node }, 'a node')
    const { refDocId, metadata } = node
    if (refDocId !== null) merged.set(refDocId, merge(merged.get(refDocId) ?? {}, metadata))
  }
  return merged
}

/** Reads a source record, also with the key names of older versions of LlamaIndex. */
export function readSource(record: StoredValue): RefDocInfo {
  const ids = record['node_ids'] ?? record['doc_ids']
  return {
    // Files of LlamaIndex for Python repeat ids.
    nodeIds: Array.isArray(ids) ? [...new Set(ids)].filter((id) => typeof id === 'string') : [],
    metadata: (record['metadata'] ?? record['extra_info'] ?? {}) as Record<string, unknown>,
  }
}

/**
 * Returns the collections of a store with the records and hashes of another line. A hash that is not that of the stored node, such as that
 * of a document that is not stored itself, stays.
 */
export function inLine(
  data: StoredCollections,
  names: DocumentCollections,
  from: NodeRecords,
  to: NodeRecords,
): StoredCollections {
  const records = { ...data[names.nodes] }
  const hashes = { ...data[names.hashes] } as Record<string, HashRecord>
  for (const [id, record] of Object.entries(records)) {
    const node = from.nodeOf(record)
    records[id] = to.recordOf(node)
    const known = hashes[id]
    if (known?.doc_hash === from.hashOf(node)) hashes[id] = { ...known, doc_hash: to.hashOf(node) }
  }
  return { ...data, [names.nodes]: records, [names.hashes]: hashes }
}
