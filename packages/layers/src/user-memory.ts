/**
 * @module
 * What is remembered about one user, in a key-value store.
 */
import { ConfigurationError, type EmbeddingModel } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'

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

interface Stored extends Omit<MemoryEntry, 'id'> {
  user: string
  vector?: number[]
  model?: string
}

/**
 * The memories of one user, for the application: to list, add and delete them. Users are compared as a whole.
 * @throws {ConfigurationError} if the user is not a string, or empty.
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
  private readonly user: string
  private readonly options: UserMemoryOptions
  private readonly collection: string

  constructor(store: KeyValueStore, user: string, options: UserMemoryOptions = {}) {
    if (typeof user !== 'string' || user === '')
      throw new ConfigurationError('UserMemory.user: expected the id of a user; longTermMemory has the option `user`.')
    this.store = store
    this.user = user
    this.options = options
    this.collection = JSON.stringify(['memory', user])
  }

  /** Returns what is remembered, oldest first. */
  async list(): Promise<MemoryEntry[]> {
    return (await this.stored()).map(([id, { text, at, untrusted }]) => ({ id, text, at, untrusted }))
  }

  /** Remembers a text, and returns its id. The same id replaces what it stands for. */
  async add(
    text: string,
    { id = globalThis.crypto.randomUUID(), at, untrusted = false }: Partial<Omit<MemoryEntry, 'text'>> = {},
  ): Promise<string> {
    const { now = Date.now } = this.options
    const value = { user: this.user, text, at: at ?? now(), untrusted }
    const [whole] = await this.withVectors([[id, value]])
    await this.store.put(id, { ...whole![1] }, this.collection)
    return id
  }

  /** Returns the memories that have most in common with a query, best first. @param limit - at most this many. */
  async recall(query: string, limit = 5): Promise<MemoryEntry[]> {
    const { embed, rank = byWords } = this.options
    const stored = await this.withVectors(await this.stored())
    const vector = embed && stored.length > 0 ? await embed.getQueryEmbedding(query) : []
    const texts = stored.map(([, { text }]) => text)
    const scores = embed ? stored.map(([, own]) => cosine(vector, own.vector!)) : rank(query, texts)
    const ranked = stored.map(([id, { text, at, untrusted }], i) => ({
      id,
      text,
      at,
      untrusted,
      score: scores[i] ?? 0,
    }))
    const best = ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.at - a.at)
    return best.slice(0, limit).map(({ score: _, ...entry }) => entry)
  }

  /** Forgets one memory. Returns whether it existed. */
  delete(id: string): Promise<boolean> {
    return this.store.delete(id, this.collection)
  }

  /** Forgets everything about the user. */
  async clear(): Promise<void> {
    await this.store.deleteMany(
      (await this.stored()).map(([id]) => id),
      this.collection,
    )
  }

  private async stored(): Promise<[string, Stored][]> {
    const entries = Object.entries(await this.store.getAll(this.collection)) as unknown as [string, Stored][]
    return entries.filter(([, { user }]) => user === this.user).sort(([, a], [, b]) => a.at - b.at)
  }

  /** Returns memories with vectors, and stores those that were computed now. */
  private async withVectors(entries: [string, Stored][]): Promise<[string, Stored][]> {
    const { embed, embedName = '' } = this.options
    if (!embed) return entries
    const missing = entries.filter(([, { vector, model }]) => !vector || model !== embedName)
    if (missing.length === 0) return entries
    const vectors = await embed.getTextEmbeddingBatch(missing.map(([, { text }]) => text))
    const made = new Map(missing.map(([id, own], i) => [id, { ...own, vector: vectors[i]!, model: embedName }]))
    await this.store.putAll(
      [...made].map(([id, own]) => [id, { ...own }] as const),
      this.collection,
    )
    return entries.map(([id, own]) => [id, made.get(id) ?? own])
  }
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)) || 0
}

function byWords(query: string, texts: readonly string[]): number[] {
  const wanted = wordsOf(query)
  return texts.map((text) => {
    const words = wordsOf(text)
    return [...wanted].filter((word) => words.has(word)).length
  })
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2))
}
