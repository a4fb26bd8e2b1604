import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, type ChatStore, SimpleChatStore } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import {
  InMemoryKeyValueStore,
  type KeyValueOperations,
  KVDocumentStore,
  SimpleDocumentStore,
  type StoredValue,
} from '@x/storage'
import { IndexedDBDocumentStore, IndexedDBKeyValueStore } from '@x/storage/indexeddb'
import { FileChatStore, FileKeyValueStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { chatStoreChecks, documentStoreChecks, keyValueStoreChecks } from './storage.ts'

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
  ['in a file', () => new FileKeyValueStore(join(mkdtempSync(join(tmpdir(), 'values-')), 'values.json'))],
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

// The same checks run in a real browser: `npm run browser`.
describe('a key-value store in IndexedDB', () => {
  const create = () => IndexedDBKeyValueStore.open('test', { indexedDB: new IDBFactory(), durability: 'relaxed' })
  for (const { name, run } of keyValueStoreChecks(create)) {
    // The database of the tests is slow with many values.
    const tags = name.includes('batches of any size') ? ['nightly'] : []
    it(name, { timeout: 60_000, tags }, run)
  }
})

describe('a document store in IndexedDB', () => {
  const create = () => IndexedDBDocumentStore.open('test', { indexedDB: new IDBFactory() })
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

/** An asynchronous chat store. */
class Texts implements ChatStore {
  readonly rows = new Map<string, string[]>()

  async read(key: string): Promise<ChatMessage[]> {
    return (this.rows.get(key) ?? []).map((text) => ChatMessage.fromJson(text))
  }

  async add(key: string, message: ChatMessage, index?: number): Promise<void> {
    const texts = this.rows.get(key) ?? []
    texts.splice(index ?? texts.length, 0, message.toJson())
    this.rows.set(key, texts)
  }

  getMessages(key: string): Promise<ChatMessage[]> {
    return this.read(key)
  }

  addMessage(key: string, message: ChatMessage, index?: number): Promise<void> {
    return this.add(key, message, index)
  }

  async setMessages(key: string, messages: readonly ChatMessage[]): Promise<void> {
    this.rows.set(
      key,
      messages.map((message) => message.toJson()),
    )
  }

  async deleteMessages(key: string): Promise<ChatMessage[] | null> {
    const messages = await this.read(key)
    return this.rows.delete(key) ? messages : null
  }
}

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
      'returns messages in the order in which they were added',
      'adds a message before another one',
      'deletes a key and returns its messages, or null for an unknown key',
      'returns lists of its own',
      'loses no message when several are added at the same time',
      'turns: one that was removed stays so',
    ])
  })

  /** A store of texts in which one method is wrong. */
  const wrong = (change: (store: Texts) => Partial<ChatStore>) => () => {
    const store = new Texts()
    return Object.assign(store, change(store))
  }

  it.each<[string, () => ChatStore, string]>([
    [
      'returns the newest 1,000 messages',
      wrong((store) => ({ getMessages: async (key) => (await store.read(key)).slice(-1000) })),
      'returns messages in the order in which they were added',
    ],
    [
      'drops messages that are too long for a column',
      wrong((store) => ({
        addMessage: async (key, message, index) => {
          if (message.toJson().length < 65_536) await store.add(key, message, index)
        },
      })),
      'keeps messages whole',
    ],
    [
      'makes null an empty text',
      wrong((store) => ({
        getMessages: async (key) =>
          (await store.read(key)).map((found) =>
            ChatMessage.fromDict({ ...found.toDict(), content: found.content ?? '' }),
          ),
      })),
      'keeps messages whole',
    ],
    [
      'deletes before it writes',
      wrong((store) => ({
        setMessages: async (key, messages) => {
          store.rows.delete(key)
          for (const message of messages) {
            await pause(0)
            await store.add(key, message)
          }
        },
      })),
      'replaces messages at once: who reads meanwhile sees those before or after',
    ],
    [
      'cuts NUL out of keys',
      wrong((store) => ({ addMessage: (key, message, index) => store.add(key.replaceAll('\0', ''), message, index) })),
      'keeps keys apart',
    ],
    [
      'appends instead of replacing',
      wrong((store) => ({
        setMessages: async (key, messages) => {
          for (const message of messages) await store.add(key, message)
        },
      })),
      'chats: ids and titles are kept whole',
    ],
  ])('fails for a store that %s', async (_, create, check) => {
    const failed: string[] = []
    for (const { name, run } of chatStoreChecks(create)) await run().catch(() => failed.push(name))
    expect(failed).toContain(check)
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
      'returns a page of 1,000 values',
      () =>
        new (class extends InMemoryKeyValueStore {
          override async getAll(collection?: string) {
            return Object.fromEntries(Object.entries(await super.getAll(collection)).slice(0, 1000))
          }
        })(),
      'takes batches of any size',
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
