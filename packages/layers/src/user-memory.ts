/**
 * @module
 * What is remembered about one user, in a key-value store.
 */
import {
  callback,
  checkGiven,
  checkOption,
  checkOptions,
  flag,
  having,
  numberFrom,
  type OptionTable,
  text as string,
  wholeNumber,
} from '@x/core/options'
import { ConfigurationError, type EmbeddingModel } from '@x/core-model'
import { cosine } from '@x/core-model/data'
import type { KeyValueStore } from '@x/storage'
import { clearAll } from './steady-store.ts'

/** Something that is remembered about a user. */
export interface MemoryEntry {
  id: string
  text: string
  /** When it was remembered, in milliseconds since 1970. */
  at: number
  /** Whether it may come from text from outside. */
  untrusted: boolean
}

/** Options of {@link UserMemory}: how memories are found. */
export interface UserMemoryOptions {
  /** Finds them by their meaning. @defaultValue none: by words */
  embed?: EmbeddingModel | undefined
  /** The name of the embedding model: memories with vectors of another one are embedded again. @defaultValue '' */
  embedName?: string | undefined
  /**
   * Returns a score per text, 0 for none in common with the query, such as `byBm25` of `@x/layers/bm25`. @defaultValue the number of
   * common words
   */
  rank?: ((query: string, texts: readonly string[]) => readonly number[]) | undefined
  /** Returns the time, in milliseconds since 1970. @defaultValue Date.now */
  now?: (() => number) | undefined
}

export const MEMORY_OPTIONS: OptionTable<UserMemoryOptions> = {
  embed: having('an embedding model', 'getQueryEmbedding'),
  embedName: string,
  rank: callback,
  now: callback,
}

interface Stored extends MemoryEntry {
  vector?: number[] | undefined
  model?: string
}

/**
 * The memories of one user, for the application: to list, add and delete them. Users are compared as a whole.
 * @throws {ConfigurationError} if the user is not a string, or empty.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { InMemoryKeyValueStore } from '@x/storage'
 * const memory = new UserMemory(new InMemoryKeyValueStore(), 'ann')
 * await memory.add('Ann drinks tea without milk.')
 * ;(await memory.recall('Which tea?')).map(({ text }) => text) // => ['Ann drinks tea without milk.']
 * await memory.clear()
 * await memory.list() // => []
 */
export class UserMemory {
  private readonly store: KeyValueStore
  private readonly options: UserMemoryOptions
  private readonly collection: string

  constructor(store: KeyValueStore, user: string, options: UserMemoryOptions = {}) {
    if (typeof user !== 'string' || user === '')
      throw new ConfigurationError('UserMemory.user: expected the id of a user.')
    checkGiven('UserMemory', { store }, 'a store', 'getAll', 'putAll')
    checkOptions('UserMemory', options, MEMORY_OPTIONS)
    this.store = store
    this.options = options
    this.collection = JSON.stringify(['memory', user])
  }

  /** Returns what is remembered, oldest first. */
  async list(): Promise<MemoryEntry[]> {
    return (await this.stored()).map(entryOf)
  }

  /** Stores a string, and returns its id. A string with the same id is replaced. */
  async add(text: string, options: AddOptions = {}): Promise<string> {
    checkGiven('UserMemory.add', { text }, string)
    checkOptions('UserMemory.add', options, ADD_OPTIONS)
    const { at = (this.options.now ?? Date.now)(), untrusted = false } = options
    const id = options.id ?? globalThis.crypto.randomUUID()
    await this.save([{ id, text, at, untrusted }])
    return id
  }

  /** Returns the memories that have most in common with a query, best first. @param limit - at most this many. */
  async recall(query: string, limit = 5): Promise<MemoryEntry[]> {
    checkGiven('UserMemory.recall', { query }, string)
    checkOption('UserMemory.recall', 'limit', limit, wholeNumber(0))
    const { embed, embedName = '', rank = byWords } = this.options
    let stored = await this.stored()
    if (embed && stored.some(({ model }) => model !== embedName)) {
      await this.save(stored.filter(({ model }) => model !== embedName))
      stored = await this.stored()
    }
    const vector = embed && stored.length > 0 ? await embed.getQueryEmbedding(query) : []
    const scores = embed
      ? stored.map((own) => cosine(vector, own.vector!))
      : rank(
          query,
          stored.map(({ text }) => text),
        )
    const ranked = stored.map((own, i) => ({ own, score: scores[i] ?? 0 })).filter(({ score }) => score > 0)
    ranked.sort((a, b) => b.score - a.score || b.own.at - a.own.at)
    return ranked.slice(0, limit).map(({ own }) => entryOf(own))
  }

  /** Deletes one memory. Returns whether it existed. */
  delete(id: string): Promise<boolean> {
    return this.store.delete(id, this.collection)
  }

  /** Deletes everything about the user. */
  async clear(): Promise<void> {
    await clearAll(this.store, this.collection)
  }

  private async stored(): Promise<Stored[]> {
    const values = Object.values(await this.store.getAll(this.collection)) as unknown as Stored[]
    return values.sort((a, b) => a.at - b.at)
  }

  /** Stores memories, with their vectors if there is a model for them. */
  private async save(entries: readonly Stored[]): Promise<void> {
    const { embed, embedName: model = '' } = this.options
    const vectors = await embed?.getTextEmbeddingBatch(entries.map(({ text }) => text))
    const pairs = entries.map((entry, i) => {
      const own = entryOf(entry)
      return [own.id, vectors ? { ...own, vector: vectors[i], model } : { ...own }] as const
    })
    await this.store.putAll(pairs, this.collection)
  }
}

/** Options of the method `add`. */
type AddOptions = { [Name in 'id' | 'at' | 'untrusted']?: MemoryEntry[Name] | undefined }

const ADD_OPTIONS: OptionTable<AddOptions> = { id: string, at: numberFrom(0), untrusted: flag }

function entryOf({ id, text, at, untrusted }: Stored): MemoryEntry {
  return { id, text, at, untrusted }
}

function byWords(query: string, texts: readonly string[]): number[] {
  const wanted = wordsOf(query)
  return texts.map((text) => [...wordsOf(text)].filter((word) => wanted.has(word)).length)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
}
