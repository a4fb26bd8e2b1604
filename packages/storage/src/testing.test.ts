import { type ChatMessage, SimpleChatStore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { InMemoryKeyValueStore, KVDocumentStore, SimpleDocumentStore } from './index.ts'
import type { KeyValueOperations, StoredValue } from './key-value-store.ts'
import { FileChatStore } from './node.ts'
import { chatStoreChecks, documentStoreChecks, keyValueStoreChecks } from './testing.ts'

/** A store with transactions: they work on a copy of all values, which replaces the original if the work succeeds. */
class TransactionalStore extends InMemoryKeyValueStore {
  private last: Promise<unknown> = Promise.resolve()

  transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    const result = this.last.then(async () => {
      const inside = InMemoryKeyValueStore.fromDict(this.toDict())
      const value = await work(inside)
      for (const [collection, old] of Object.entries(this.toDict())) await this.deleteMany(Object.keys(old), collection)
      for (const [collection, values] of Object.entries(inside.toDict()))
        await this.putAll(Object.entries(values), collection)
      return value
    })
    this.last = result.catch(() => {})
    return result
  }
}

describe.each([
  ['in memory', () => new InMemoryKeyValueStore()],
  ['with transactions', () => new TransactionalStore()],
] as const)('a key-value store %s', (_, create) => {
  for (const { name, run } of keyValueStoreChecks(create)) it(name, run)
})

describe.each([
  ['in memory', () => new SimpleDocumentStore()],
  ['over a store with transactions', () => new KVDocumentStore(new TransactionalStore())],
] as const)('a document store %s', (_, create) => {
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

describe.each([
  ['in memory', () => new SimpleChatStore()],
  ['with files', () => new FileChatStore()],
] as const)('a chat store %s', (_, create) => {
  for (const { name, run } of chatStoreChecks(create)) it(name, run)
})

describe('chatStoreChecks', () => {
  it('fails for a store whose additions overwrite each other', async () => {
    class Racing {
      private readonly rows = new Map<string, ChatMessage[]>()
      getMessages = async (key: string) => this.rows.get(key) ?? []
      setMessages = async (key: string, messages: readonly ChatMessage[]) => void this.rows.set(key, [...messages])
      addMessage = async (key: string, message: ChatMessage) =>
        this.setMessages(key, [...(await this.getMessages(key)), message])
      deleteMessages = async () => null
    }
    const failed: string[] = []
    for (const { name, run } of chatStoreChecks(() => new Racing())) await run().catch(() => failed.push(name))
    expect(failed).toEqual([
      'adds a message before another one',
      'deletes a key and returns its messages, or null for an unknown key',
      'returns lists of its own',
      'loses no message when several are added at the same time',
    ])
  })
})

/** The names of the checks that a store fails. */
async function failedBy(create: () => InMemoryKeyValueStore): Promise<string[]> {
  const failed: string[] = []
  for (const { name, run } of keyValueStoreChecks(create)) await run().catch(() => failed.push(name))
  return failed
}

describe('keyValueStoreChecks', () => {
  it.each<[string, () => InMemoryKeyValueStore, string]>([
    [
      'sorts the keys of values, like jsonb',
      () =>
        new (class extends InMemoryKeyValueStore {
          override async get(key: string, collection?: string) {
            const value = await super.get(key, collection)
            return value && (Object.fromEntries(Object.entries(value).sort()) as StoredValue)
          }
        })(),
      'returns a value as it was written, with the order of its keys',
    ],
    [
      'joins collection and key without escaping',
      () =>
        new (class extends InMemoryKeyValueStore {
          override get(key: string, collection = 'data') {
            return super.get(`${collection}/${key}`)
          }
          override put(key: string, value: StoredValue, collection = 'data') {
            return super.put(`${collection}/${key}`, value)
          }
        })(),
      'keeps keys and collections apart',
    ],
    [
      'leaves missing values out',
      () =>
        new (class extends InMemoryKeyValueStore {
          override async getMany(keys: readonly string[], collection?: string) {
            return (await super.getMany(keys, collection)).filter((value) => value !== null)
          }
        })(),
      'returns many values in the order of the keys',
    ],
    [
      'does not undo the writes of a failed transaction',
      () =>
        new (class extends InMemoryKeyValueStore {
          transaction<T>(work: (store: KeyValueOperations) => Promise<T>) {
            return work(this)
          }
        })(),
      'transaction: undoes all writes and rejects with the error of the work',
    ],
  ])('fails for a store that %s', async (_, create, rule) => {
    expect(await failedBy(create)).toContain(rule)
  })
})

/** Counts the calls of its methods. */
class CountingStore extends InMemoryKeyValueStore {
  calls: string[] = []
  override get(key: string, collection?: string) {
    this.calls.push('get')
    return super.get(key, collection)
  }
  override async getMany(keys: readonly string[], collection?: string) {
    this.calls.push('getMany')
    return Promise.all(keys.map((key) => super.get(key, collection)))
  }
  override put(key: string, value: StoredValue, collection?: string) {
    this.calls.push('put')
    return super.put(key, value, collection)
  }
  override putAll(pairs: Iterable<readonly [string, StoredValue]>, collection?: string) {
    this.calls.push('putAll')
    return super.putAll(pairs, collection)
  }
  override delete(key: string, collection?: string) {
    this.calls.push('delete')
    return super.delete(key, collection)
  }
  override deleteMany(keys: readonly string[], collection?: string) {
    this.calls.push('deleteMany')
    return super.deleteMany(keys, collection)
  }
}

describe('KVDocumentStore', () => {
  const nodes = (size: number) =>
    Array.from({ length: size }, (_, i) => new TextNode({ id: `n${i}`, relationships: { 1: { nodeId: 'D' } } }))

  it('makes the same number of calls for 500 nodes as for two', async () => {
    const callsFor = async (size: number) => {
      const values = new CountingStore()
      const store = new KVDocumentStore(values)
      const counts: Record<string, number> = {}
      const count = async (name: string, operation: () => Promise<unknown>) => {
        values.calls = []
        await operation()
        counts[name] = values.calls.length
      }
      const ids = nodes(size).map(({ id }) => id)
      await count('add', () => store.addDocuments(nodes(size), { allowUpdate: false }))
      await count('get', () => store.getNodes(ids))
      await count('upsert', () => store.upsert(nodes(size).slice(1)))
      await count('delete', () => store.deleteRefDoc('D'))
      return counts
    }
    const counts = await callsFor(500)
    expect(counts).toEqual(await callsFor(2))
    expect(counts).toEqual({ add: 6, get: 1, upsert: 6, delete: 5 })
  })
})
