/**
 * What a cluster needs of an engine and its workers.
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
  /** How many workers were killed. */
  readonly kills: number
  /** How many documents were taken over from workers that were gone; null if the engine does not say. */
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
