/**
 * @module
 * One run over documents: how many are processed at the same time, and what happens when one of them fails.
 */

import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  choice,
  flag,
  invalidOption,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import {
  ConfigurationError,
  type EmbeddingModel,
  isRetryable,
  isToolkitError,
  type TextNode,
  ToolkitError,
} from '@x/core-model'
import { pause, raceAbort, turns, untilAborted } from '@x/core-model/async'
import { withVectors } from './embed-nodes.ts'
import { EmbeddingBatches } from './embedding-batches.ts'
import type {
  Embed,
  IngestionCounts,
  IngestionOutcome,
  IngestionResult,
  IngestionRunOptions,
} from './ingestion-types.ts'

/** What a run does with documents. */
export interface IngestionWork {
  embedModel: EmbeddingModel | undefined
  /** Takes the turn of a document, at once or when other work on it is over. Returns what ends the turn. */
  turnOf(id: string): (() => void) | Promise<() => void>
  ingest(document: TextNode, embed: Embed): Promise<IngestionOutcome>
  remove(id: string): Promise<void>
  /** Returns the ids of the stored documents, with whether they have nodes. */
  storedIds(): Promise<ReadonlyMap<string, boolean>>
}

const runOptions: OptionTable<IngestionRunOptions> = {
  removeMissing: (value) => (typeof value === 'function' ? undefined : flag(value) && 'a boolean or a function'),
  maxConcurrency: wholeNumber(1),
  maxEmbedConcurrency: wholeNumber(1),
  onError: choice('throw', 'skip'),
  onProgress: callback,
  signal: callOptions.signal,
}

/** After how many documents in a row that could not be stored a run ends. */
const NOT_STORED_IN_A_ROW = 3

/** The errors of stores and indexes. */
const storageErrors = new WeakSet()

/** Calls a store or an index, whose errors may not be those of a document. */
export async function ofStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    storageErrors.add(Object(error))
    throw error
  }
}

/** A document or a node of any copy of the core. */
export const aDocument = required('a document, such as new Document({ text })', 'id', 'hash', 'getContent')

/**
 * A run that skips documents that fail ended early, because new and changed documents would fail: `cause` is the error. What was finished
 * stays; repeat the run when the cause is removed.
 */
export class IngestionStoppedError extends ToolkitError {
  /** The number of documents that were not finished; null if the documents of the run are not an array. */
  readonly left: number | null
  /** What the run did before. */
  readonly result: IngestionResult

  constructor(left: number | null, result: IngestionResult, cause: unknown) {
    const documents =
      left === null ? 'the documents that follow are' : left === 1 ? '1 document is' : `${left} documents are`
    super(
      'IngestionStoppedError',
      'ingestion_stopped',
      `IngestionPipeline.run: ended early, because new and changed documents would fail; ${documents} left for the next run. ${String(cause)}`,
      { cause },
    )
    this.left = left
    this.result = result
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    ingestion_stopped: IngestionStoppedError
  }
}

/** A run over documents. */
export class IngestionRun {
  private readonly work: IngestionWork
  private readonly documents: Iterable<TextNode> | AsyncIterable<TextNode>
  private readonly options: IngestionRunOptions
  private total: number | undefined
  private readonly slots: Slots
  /** Lets other work of the process run. */
  private readonly turn: () => Promise<void>
  private readonly batches: EmbeddingBatches | null
  private readonly counts: IngestionCounts = { unchanged: 0, changed: 0, added: 0, removed: 0 }
  private readonly errors: IngestionResult['errors'] = []
  private readonly running = new Set<Promise<void>>()
  private readonly seen = new Set<string>()
  private done = 0
  /** How many documents in a row could not be stored. */
  private notStored = 0
  /** The first error that ends the run. */
  private failure: { error: unknown } | null = null
  /** An error that every other document would have too. */
  private fault: { error: unknown } | null = null
  /** Whether the next document is not available yet, or does not exist. */
  private isWaiting = false

  constructor(
    work: IngestionWork,
    documents: Iterable<TextNode> | AsyncIterable<TextNode>,
    options: IngestionRunOptions,
  ) {
    checkOptions('IngestionPipeline.run', options, runOptions)
    const isObject = typeof documents === 'object' && documents !== null
    if (!isObject || !(Symbol.iterator in documents || Symbol.asyncIterator in documents))
      throw invalidOption('IngestionPipeline.run', 'documents', 'an iterable of documents', documents)
    const { maxConcurrency = 1, maxEmbedConcurrency = 1, onError = 'throw', signal } = options
    this.work = work
    this.documents = documents
    this.options = options
    this.total = Array.isArray(documents) ? documents.length : undefined
    this.slots = new Slots(maxConcurrency)
    this.turn = turns(signal)
    this.batches =
      work.embedModel === undefined
        ? null
        : new EmbeddingBatches({
            model: work.embedModel,
            concurrency: maxEmbedConcurrency,
            signal,
            isolates: onError === 'skip',
            isIdle: () => this.isWaiting && this.slots.areFree,
          })
  }

  /** Runs, and returns the number of documents per outcome. */
  async result(): Promise<IngestionCounts & Partial<IngestionResult>> {
    const { removeMissing = false, onError, signal } = this.options
    let stored: ReadonlyMap<string, boolean> = new Map()
    try {
      // Before the first document is read: what others store meanwhile stays.
      if (removeMissing) stored = await raceAbort(this.work.storedIds(), signal)
      await this.startAll()
    } catch (error) {
      this.failure ??= { error }
    }
    this.isWaiting = true
    this.batches?.send()
    await Promise.all(this.running)
    if (removeMissing && !this.failure) await this.removeOthers(stored)
    const result = { ...this.counts, errors: this.errors }
    const left = this.total === undefined ? null : this.total - this.done
    if (this.fault && onError === 'skip' && !signal?.aborted)
      throw new IngestionStoppedError(left, result, this.fault.error)
    if (this.failure) throw (this.fault ?? this.failure).error
    return onError === 'skip' ? result : this.counts
  }

  private async startAll(): Promise<void> {
    const { signal } = this.options
    for await (const document of this.available()) {
      if (this.failure) return
      signal?.throwIfAborted()
      checkOption('IngestionPipeline.run', `documents[${this.seen.size}]`, document, aDocument)
      const { id } = document
      if (this.seen.has(id))
        throw new ConfigurationError(`IngestionPipeline: expected documents with different ids, received ${id} twice.`)
      this.seen.add(id)
      await this.batches?.room()
      if (this.failure) return
      await this.slots.take()
      this.start(id, () => this.work.ingest(document, (nodes) => this.embed(nodes)))
    }
  }

  /** Yields the documents, and notes when it has to wait for the next one. */
  private async *available(): AsyncGenerator<TextNode> {
    const { documents, options } = this
    const { signal } = options
    if (!(Symbol.asyncIterator in documents)) {
      yield* documents
      return
    }
    const iterator = documents[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = iterator.next()
        if (!(await Promise.race([next, pause(0)]))) {
          this.isWaiting = true
          this.batches?.send()
        }
        const { done, value } = await raceAbort(next, signal)
        this.isWaiting = false
        if (done) return
        yield value
      }
    } finally {
      await raceAbort(Promise.resolve(iterator.return?.()), signal)
    }
  }

  /** Starts work on a document, which has a slot. */
  private start(documentId: string, work: () => Promise<IngestionOutcome>): void {
    const running = this.outcomeOf(documentId, work)
      .then((outcome) => this.finish(documentId, outcome))
      .catch((error: unknown) => {
        this.failure ??= { error }
      })
      .finally(() => {
        this.running.delete(running)
        this.slots.release()
        this.batches?.send()
      })
    this.running.add(running)
  }

  private async outcomeOf(
    documentId: string,
    work: () => Promise<IngestionOutcome>,
  ): Promise<IngestionOutcome | 'failed'> {
    const { onError, signal } = this.options
    try {
      await this.turn()
      const end = await this.turnOf(documentId)
      try {
        return await work()
      } finally {
        end()
      }
    } catch (error) {
      if (this.batches?.outage || this.isOfAll(error)) this.fault ??= { error }
      // No text is embedded that cannot be stored.
      if (this.fault) this.batches?.stop(this.fault.error)
      if (onError !== 'skip' || signal?.aborted || this.fault) throw error
      this.errors.push({ documentId, error })
      return 'failed'
    }
  }

  /** Whether the other documents would have an error too. */
  private isOfAll(error: unknown): boolean {
    if (isToolkitError(error, 'embedding_dimension')) return true
    if (this.options.onError !== 'skip' || !storageErrors.has(Object(error))) return false
    // An invalid value, such as an id that is too long, is of the document.
    if (isToolkitError(error, 'model_validation')) return false
    this.notStored++
    return isRetryable(error) || this.notStored === NOT_STORED_IN_A_ROW
  }

  /** Waits for the turn of a document without a slot: the run that has the turn may wait for a document of this one. */
  private async turnOf(documentId: string): Promise<() => void> {
    const turn = this.work.turnOf(documentId)
    if (!(turn instanceof Promise)) return turn
    this.slots.release()
    this.batches?.send()
    try {
      return await turn
    } finally {
      await this.slots.take()
    }
  }

  private async finish(documentId: string, outcome: IngestionOutcome | 'failed'): Promise<void> {
    const { onProgress } = this.options
    if (outcome !== 'failed') this.counts[outcome]++
    if (outcome !== 'failed' && outcome !== 'unchanged') this.notStored = 0
    this.done++
    await onProgress?.({ done: this.done, ...(this.total !== undefined && { total: this.total }), documentId, outcome })
  }

  /** Embeds nodes. While the document waits, another one uses its slot. */
  private async embed(nodes: readonly TextNode[]): Promise<readonly TextNode[]> {
    const texts = nodes.filter(({ embedding }) => embedding === null)
    if (!this.batches || texts.length === 0) return nodes
    this.slots.release()
    let vectors: number[][]
    try {
      vectors = await this.batches.embed(texts.map((node) => node.getContent('embed')))
    } finally {
      await this.slots.take()
    }
    // A document is not marked as unfinished for a write that fails.
    if (this.fault) throw this.fault.error
    return withVectors(nodes, new Map(texts.map((node, index) => [node, vectors[index]!])))
  }

  private async removeOthers(stored: ReadonlyMap<string, boolean>): Promise<void> {
    const { removeMissing, signal } = this.options
    const ids = [...stored.keys()].filter((id) => !this.seen.has(id))
    for (const id of ids) this.seen.add(id)
    const removed = typeof removeMissing === 'function' ? ids.filter((id) => removeMissing(id)) : ids
    if (this.total !== undefined) this.total += removed.length
    for (const id of removed) {
      signal?.throwIfAborted()
      await this.slots.take()
      if (this.failure) return
      this.start(id, async () => {
        await this.work.remove(id)
        return 'removed'
      })
    }
    await Promise.all(this.running)
    if (this.failure || removed.every((id) => stored.get(id))) return
    // Of documents with the same hash and without nodes, a store lists one.
    const left = await raceAbort(this.work.storedIds(), signal)
    await this.removeOthers(new Map([...left].filter(([, hasNodes]) => !hasNodes)))
  }
}

/** Whose turn each document is: work on one document is done one after the other. */
export class DocumentTurns {
  /** The last work on each document. */
  private readonly last = new Map<string, Promise<void>>()

  /** Calls `work` when earlier work on the same document is over. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const end = await this.turnOf(id)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Takes the turn of a document: at once, or when earlier work on it is over. Returns what ends the turn. */
  turnOf(id: string, signal?: AbortSignal): (() => void) | Promise<() => void> {
    const { last } = this
    const earlier = last.get(id)
    let end = () => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    const turn = earlier ? earlier.then(() => own) : own
    last.set(id, turn)
    void turn.then(() => last.get(id) === turn && last.delete(id))
    if (!earlier) return end
    return untilAborted(signal, () => earlier).then(
      () => end,
      (error) => {
        end()
        throw error
      },
    )
  }
}

/** A number of slots. Work waits for a free one, in the order of the calls. */
class Slots {
  private free: number
  private readonly count: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.count = count
    this.free = count
  }

  /** Whether nobody has a slot. */
  get areFree(): boolean {
    return this.free === this.count
  }

  async take(): Promise<void> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  release(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}
