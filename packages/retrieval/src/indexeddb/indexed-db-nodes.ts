/**
 * @module
 * The nodes of an index in an IndexedDB database. What a search compares is also in memory; the nodes that it finds are read.
 */
import {
  ClassRegistry,
  ConfigurationError,
  docToJson,
  jsonToDoc,
  type ModelClass,
  NodeWithScore,
  type TextNode,
} from '@x/core-model'
import type { ChangeOutcome } from '../database-retriever.ts'
import { type FiltersInput, nodeFilter } from '../metadata-filters.ts'
import { otherTokenizer } from '../tokenizer-fingerprint.ts'
import type { ScoredPosition } from '../top-matches.ts'

/** The options of an index in IndexedDB. */
export interface IndexedDBIndexOptions {
  /** The database factory. @defaultValue `globalThis.indexedDB` */
  indexedDB?: IDBFactory | undefined
  /**
   * `strict`: a completed write is on the disk. `relaxed`: the operating system may still be writing it, which is faster.
   * @defaultValue 'strict'
   */
  durability?: 'strict' | 'relaxed' | undefined
  /** Your own node classes, in addition to those of `@x/core-model`. @defaultValue no classes */
  nodeClasses?: Iterable<ModelClass<TextNode>> | undefined
}

/** What searches entries in memory; positions are those that `add` returns. */
export interface MemoryIndex<D> {
  add(data: D): number
  replace(position: number, data: D): unknown
  remove(position: number): void
}

/** A node to write. Without data, it replaces a node that is stored, which keeps its data. */
export type NodeToWrite<D> = readonly [node: TextNode, data: D | null]

/** An entry of the database, by the number of the node. */
interface Entry<D> {
  id: string
  metadata: Record<string, unknown>
  data: D
}

/** A change of an entry in memory. */
type Applied<D> = (entries: EntryTable<D>) => void

const VERSION = 1
const [ENTRIES, RECORDS, SETTINGS] = ['entries', 'records', 'settings'] as const
const CHANGES = 'changes'

/** The nodes of one index. */
export class IndexedDBNodes<D> {
  private readonly name: string
  private readonly database: IDBDatabase
  private readonly durability: 'strict' | 'relaxed'
  private readonly classes: ClassRegistry
  private readonly createIndex: () => MemoryIndex<D>
  private entries: EntryTable<D>
  /** The number of changes of the database that the memory contains; -1 before the first search. */
  private changes = -1
  private last: Promise<unknown> = Promise.resolve()

  private constructor(
    name: string,
    database: IDBDatabase,
    { durability = 'strict', nodeClasses = [] }: IndexedDBIndexOptions,
    createIndex: () => MemoryIndex<D>,
  ) {
    this.name = name
    this.database = database
    this.durability = durability
    this.classes = new ClassRegistry(nodeClasses)
    this.createIndex = createIndex
    this.entries = new EntryTable(createIndex())
  }

  /**
   * Opens a database, and creates it when it does not exist. The indexes and the store of one name are databases of their own.
   * @param kind - what the name of the database ends with
   * @param tag - a property of the data, such as the terms of a tokenizer; an index with a different one is refused unless it is empty
   * @throws {ConfigurationError} if the platform has no IndexedDB, the database cannot be opened, or has a different tag.
   */
  static async open<D>(
    name: string,
    options: IndexedDBIndexOptions,
    { kind, createIndex, tag }: { kind: string; createIndex: () => MemoryIndex<D>; tag: string },
  ): Promise<IndexedDBNodes<D>> {
    const { indexedDB = globalThis.indexedDB } = options
    if (!indexedDB) throw new ConfigurationError(`${name}: this platform has no IndexedDB.`)
    const request = indexedDB.open(`${name}/${kind}`, VERSION)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ENTRIES, { autoIncrement: true }).createIndex('id', 'id', { unique: true })
      request.result.createObjectStore(RECORDS)
      request.result.createObjectStore(SETTINGS)
    }
    let database: IDBDatabase
    try {
      database = await resultOf(request)
    } catch (cause) {
      throw new ConfigurationError(`${name}: the database cannot be opened.`, { cause })
    }
    // Allows another tab to delete or upgrade the database.
    database.onversionchange = () => database.close()
    const nodes = new IndexedDBNodes(name, database, options, createIndex)
    const isSame = await nodes.run('readwrite', async (stores) => {
      const [known, size] = [await resultOf(stores.settings.get('tag')), await resultOf(stores.entries.count())]
      if (known !== undefined && known !== tag && size > 0) return false
      if (known !== tag) stores.settings.put(tag, 'tag')
      return true
    })
    if (isSame) return nodes
    database.close()
    throw otherTokenizer(name, 'another database')
  }

  close(): void {
    this.database.close()
  }

  /** Returns the number of nodes. */
  count(): Promise<number> {
    return this.run('readonly', ({ entries }) => resultOf(entries.count()))
  }

  /** Returns those of the ids that the database does not contain. */
  missing(ids: readonly string[]): Promise<string[]> {
    return this.run('readonly', async ({ entries }) => {
      const keys = await Promise.all(ids.map((id) => resultOf(entries.index('id').getKey(id))))
      return ids.filter((_, at) => keys[at] === undefined)
    })
  }

  /** Makes changes in one transaction. @param kept - the ids of nodes that the database should contain */
  change(
    written: readonly NodeToWrite<D>[],
    removed: readonly string[],
    kept: readonly string[],
  ): Promise<ChangeOutcome> {
    const nodes = new Map(written.map(([node, data]) => [node.id, { record: this.recordOf(node), data }]))
    return this.inOrder(async () => {
      const applied: Applied<D>[] = []
      const { before, outcome } = await this.run('readwrite', async (stores) => {
        const before = Number((await resultOf(stores.settings.get(CHANGES))) ?? 0)
        stores.settings.put(before + 1, CHANGES)
        for (const [id, { record, data }] of nodes) await put(stores, id, record, data, applied)
        const outcome: ChangeOutcome = { removed: 0, missing: [] }
        for (const id of removed) if (await remove(stores, id, applied)) outcome.removed++
        for (const id of kept)
          if ((await resultOf(stores.entries.index('id').getKey(id))) === undefined) outcome.missing.push(id)
        return { before, outcome }
      })
      // When another tab has changed the database, the next search reads it again.
      if (before === this.changes) {
        for (const apply of applied) apply(this.entries)
        this.changes++
      }
      return outcome
    })
  }

  /** Returns the nodes that a search in memory finds. @param search - searches the positions that are accepted */
  search(
    filters: FiltersInput | undefined,
    search: (index: MemoryIndex<D>, accepts: ((position: number) => boolean) | undefined) => readonly ScoredPosition[],
  ): Promise<NodeWithScore[]> {
    return this.inOrder(async () => {
      await this.refresh()
      const { entries } = this
      const matches = search(entries.index, entries.accepting(filters))
      const records = await this.run('readonly', (stores) =>
        Promise.all(matches.map(({ index }) => resultOf(stores.records.get(entries.seqAt(index))))),
      )
      return matches.flatMap(({ score }, at) => {
        // Another tab may have removed the node since.
        if (records[at] === undefined) return []
        return new NodeWithScore({ node: jsonToDoc(records[at], { registry: this.classes }), score })
      })
    })
  }

  /** Calls `work` with the index in memory, which contains all changes. */
  withMemory<T>(work: (index: MemoryIndex<D>) => T): Promise<T> {
    return this.inOrder(async () => {
      await this.refresh()
      return work(this.entries.index)
    })
  }

  /** Reads the entries again if another tab has changed them, or there was no search yet. */
  private async refresh(): Promise<void> {
    const { changes, keys, values } = await this.run('readonly', async (stores) => {
      const changes = Number((await resultOf(stores.settings.get(CHANGES))) ?? 0)
      if (changes === this.changes) return { changes, keys: [], values: [] }
      const [keys, values] = await Promise.all([
        resultOf(stores.entries.getAllKeys()),
        resultOf(stores.entries.getAll()),
      ])
      return { changes, keys: keys as number[], values: values as Entry<D>[] }
    })
    if (changes === this.changes) return
    this.entries = new EntryTable(this.createIndex())
    for (const [at, entry] of values.entries()) this.entries.set(keys[at]!, entry)
    this.changes = changes
  }

  private recordOf(node: TextNode): Record<string, unknown> {
    const record = docToJson(node)
    return { ...record, __data__: { ...record.__data__, embedding: null } }
  }

  /** Calls `work` when earlier work is over, so that the memory changes in the order of the database. */
  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work)
    this.last = result.catch(() => {})
    return result
  }

  private async run<T>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<T>): Promise<T> {
    let transaction: IDBTransaction
    try {
      transaction = this.database.transaction([ENTRIES, RECORDS, SETTINGS], mode, { durability: this.durability })
    } catch (cause) {
      const reason = 'the database is closed, by `close()` or because its data was deleted; open it again'
      throw new ConfigurationError(`${this.name}: ${reason}.`, { cause })
    }
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    // Awaited below; if `work` fails, its error is thrown instead.
    done.catch(() => {})
    const [entries, records, settings] = [ENTRIES, RECORDS, SETTINGS].map((name) => transaction.objectStore(name))
    try {
      const result = await work({ entries: entries!, records: records!, settings: settings! })
      await done
      return result
    } catch (error) {
      // Requests of a transaction that the browser has ended have an error of their own.
      const { error: cause } = transaction
      if (cause?.name !== 'QuotaExceededError') throw error
      const reason = 'the browser gives this site no more space; delete data of the site, and write again'
      throw new ConfigurationError(`${this.name}: ${reason}.`, { cause })
    }
  }
}

interface Stores {
  entries: IDBObjectStore
  records: IDBObjectStore
  settings: IDBObjectStore
}

async function put<D>(
  { entries, records }: Stores,
  id: string,
  record: Record<string, unknown>,
  data: D | null,
  applied: Applied<D>[],
): Promise<void> {
  const known = (await resultOf(entries.index('id').getKey(id))) as number | undefined
  if (data === null && known === undefined) return
  const { metadata } = record['__data__'] as Pick<Entry<D>, 'metadata'>
  const stored = data ?? ((await resultOf(entries.get(known!))) as Entry<D>).data
  const entry: Entry<D> = { id, metadata, data: stored }
  const seq = (await resultOf(known === undefined ? entries.add(entry) : entries.put(entry, known))) as number
  await resultOf(records.put(record, seq))
  applied.push((table) => table.set(seq, entry))
}

async function remove<D>({ entries, records }: Stores, id: string, applied: Applied<D>[]): Promise<boolean> {
  const seq = (await resultOf(entries.index('id').getKey(id))) as number | undefined
  if (seq === undefined) return false
  entries.delete(seq)
  records.delete(seq)
  applied.push((table) => table.delete(seq))
  return true
}

/** The entries in memory, by their position in the index. */
class EntryTable<D> {
  readonly index: MemoryIndex<D>
  private readonly positions = new Map<number, number>()
  private readonly seqs: number[] = []
  private readonly metadata: Record<string, unknown>[] = []

  constructor(index: MemoryIndex<D>) {
    this.index = index
  }

  set(seq: number, { metadata, data }: Entry<D>): void {
    const known = this.positions.get(seq)
    const replaced = known === undefined ? this.index.add(data) : this.index.replace(known, data)
    // The position stays the same where `replace` returns none.
    const position = typeof replaced === 'number' ? replaced : known!
    this.positions.set(seq, position)
    this.seqs[position] = seq
    this.metadata[position] = metadata
  }

  delete(seq: number): void {
    this.index.remove(this.positions.get(seq)!)
    this.positions.delete(seq)
  }

  seqAt(position: number): number {
    return this.seqs[position]!
  }

  accepting(filters: FiltersInput | undefined): ((position: number) => boolean) | undefined {
    if (filters === undefined) return undefined
    const accepts = nodeFilter(filters)
    return (position) => accepts({ metadata: this.metadata[position]! } as TextNode)
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
