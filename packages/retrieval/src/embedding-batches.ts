/**
 * @module
 * Requests to an embedding model with the strings of several documents.
 */
import { type EmbeddingModel, isRetryable } from '@x/core-model'
import { raceAbort, untilAborted } from '@x/core-model/async'
import { checkVectors } from './embed-nodes.ts'

/** The strings of a document that wait for their vectors. */
interface Waiting {
  texts: readonly string[]
  vectors: number[][]
  /** The number of its strings that are part of a request. */
  sent: number
  /** The number of its strings that have a vector. */
  done: number
  isOver: boolean
  resolve: (vectors: number[][]) => void
  reject: (error: unknown) => void
}

/** A part of the strings of a document, in one request. */
interface Part {
  waiting: Waiting
  start: number
  end: number
}

/** The options of {@link EmbeddingBatches}. */
export interface EmbeddingBatchesOptions {
  model: EmbeddingModel
  /** The number of requests at the same time. */
  concurrency: number
  signal: AbortSignal | undefined
  /**
   * Whether a request that fails is repeated for each document alone, so that only the documents that cause it fail. Unless the model
   * refuses every text.
   */
  isolates: boolean
  /** Whether no further strings are expected soon, so that a request need not be full. */
  isIdle: () => boolean
}

/** The number of strings of a request, if the model states none. */
const TEXTS_PER_REQUEST = 100

/** After how many documents in a row that are refused alone a harmless word is tried. */
const REFUSED_IN_A_ROW = 3

/** Collects strings, and sends a request when it is full, or when nothing else can be done. */
export class EmbeddingBatches {
  private readonly options: EmbeddingBatchesOptions
  private readonly size: number
  private readonly queue: Waiting[] = []
  private queued = 0
  private running = 0
  private roomListeners: (() => void)[] = []
  /** How many documents in a row were refused alone. */
  private refused = 0
  /** The error that ended the requests, such as that of a model that has refused a harmless word too: it refuses every text. */
  outage: { error: unknown } | null = null

  constructor(options: EmbeddingBatchesOptions) {
    this.options = options
    const { embedBatchSize = TEXTS_PER_REQUEST } = options.model as { embedBatchSize?: number }
    this.size = embedBatchSize
  }

  /** Returns the vectors of strings, in their order. */
  embed(texts: readonly string[]): Promise<number[][]> {
    const { signal } = this.options
    if (this.outage) return Promise.reject(this.outage.error)
    const result = new Promise<number[][]>((resolve, reject) => {
      this.queue.push({ texts, vectors: [], sent: 0, done: 0, isOver: false, resolve, reject })
    })
    this.queued += texts.length
    this.send()
    return Promise.resolve(raceAbort(result, signal))
  }

  /** Resolves when there is room for another document. After the signal has aborted, no request makes room any more. */
  async room(): Promise<void> {
    while (this.queued >= 2 * this.size)
      await untilAborted(this.options.signal, () => new Promise<void>((resolve) => this.roomListeners.push(resolve)))
  }

  /** Sends the requests that can be sent now. */
  send(): void {
    const { concurrency, isIdle, signal } = this.options
    while (
      this.running < concurrency &&
      !signal?.aborted &&
      (this.queued >= this.size || (this.queued > 0 && isIdle()))
    ) {
      this.running++
      void this.request(this.take()).finally(() => {
        this.running--
        this.send()
      })
    }
  }

  private take(): Part[] {
    const parts: Part[] = []
    for (let room = this.size; room > 0 && this.queue.length > 0; ) {
      const waiting = this.queue[0]!
      const start = waiting.sent
      const end = Math.min(start + room, waiting.texts.length)
      waiting.sent = end
      room -= end - start
      this.queued -= end - start
      // The rest of a document that has failed is not requested.
      if (!waiting.isOver) parts.push({ waiting, start, end })
      if (end === waiting.texts.length) this.queue.shift()
    }
    this.makeRoom()
    return parts
  }

  private async request(parts: readonly Part[]): Promise<void> {
    const { model, signal, isolates } = this.options
    const texts = parts.flatMap(({ waiting, start, end }) => waiting.texts.slice(start, end))
    if (texts.length === 0) return
    try {
      if (this.outage) throw this.outage.error
      const vectors = await raceAbort(model.getTextEmbeddingBatch(texts, { signal }), signal)
      checkVectors(vectors, texts.length)
      this.refused = 0
      let at = 0
      for (const { waiting, start, end } of parts)
        for (let index = start; index < end; index++) waiting.vectors[index] = vectors[at++]!
      for (const part of parts) finish(part)
    } catch (error) {
      if (isolates && !signal?.aborted && !(await this.isOutage(error, parts.length)) && parts.length > 1) {
        for (const part of parts) await this.request([part])
        return
      }
      for (const { waiting } of parts) fail(waiting, error)
    }
  }

  /** Whether the model refuses every text. An error that is retryable, such as a lost connection, is rarely caused by a string. */
  private async isOutage(error: unknown, documents: number): Promise<boolean> {
    if (this.outage) return true
    if (documents === 1) this.refused++
    const isInDoubt = isRetryable(error) || (documents === 1 && this.refused % REFUSED_IN_A_ROW === 0)
    if (!isInDoubt) return false
    const { model, signal } = this.options
    try {
      checkVectors(await raceAbort(model.getTextEmbeddingBatch(['word'], { signal }), signal), 1)
      return false
    } catch {
      if (signal?.aborted) return false
    }
    this.stop(error)
    return true
  }

  /** Sends no further request. */
  stop(error: unknown): void {
    this.outage ??= { error }
    this.queued = 0
    for (const waiting of this.queue.splice(0)) fail(waiting, error)
    this.makeRoom()
  }

  private makeRoom(): void {
    for (const listener of this.roomListeners.splice(0)) listener()
  }
}

function fail(waiting: Waiting, error: unknown): void {
  waiting.isOver = true
  waiting.reject(error)
}

function finish({ waiting, start, end }: Part): void {
  waiting.done += end - start
  if (waiting.done < waiting.texts.length) return
  waiting.isOver = true
  waiting.resolve(waiting.vectors)
}
