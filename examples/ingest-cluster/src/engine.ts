/**
 * The contract between a cluster and an engine with workers.
 */
import type { Document } from '@x/core-model'
import type { IngestionState } from '@x/dbos/client'

/** The addresses that workers use. */
export interface Addresses {
  connectionString: string
  modelUrl: string
}

/** An engine with workers. */
export interface Engine {
  /** The names of the workers that are alive. */
  readonly workers: readonly string[]
  /** The number of killed workers. */
  readonly kills: number
  /** The number of documents that were taken over from dead workers; null if the engine does not report it. */
  readonly takenOver: number | null
  /** Starts the engine and its first worker. */
  start(addresses: Addresses): Promise<void>
  startWorker(): Promise<void>
  /** Kills the oldest worker. */
  killWorker(): Promise<void>
  /** Ingests documents, and returns when all are finished. */
  ingest(run: string, documents: Iterable<Document>, onState: (state: IngestionState) => void): Promise<IngestionState>
  stop(): Promise<void>
}
