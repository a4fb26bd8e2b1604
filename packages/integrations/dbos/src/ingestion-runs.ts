/**
 * @module
 * Submits many documents to many workers, and follows them.
 */

import { checkOptions } from '@x/core/options'
import { ConfigurationError, type Document } from '@x/core-model'
import { pause } from '@x/core-model/async'
import type { DbosControl } from './dbos-types.ts'
import { failedStep, sortedSteps, workflowsOf } from './recorded-steps.ts'
import { CLIENT_OPTIONS, checkQueue, checkWorkflowId } from './workflow-id.ts'

/** The options of {@link IngestionRuns}. */
interface IngestionRunsOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk` where it is launched, or a `DBOSClient`. */
  dbos: DbosControl
  /** The name of the workflow, as passed to `ingestionWorkflow`. */
  workflow: string
  /** The queue of the documents. Its limits are those of `DBOS.registerQueue`. */
  queue: string
  /** The interval at which the database is polled for changes, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
}

/** The options of a submission. */
interface SubmitDocumentsOptions {
  /** The name of the run. Submitting a document twice in one run has no effect; a new run checks all documents again. */
  run: string
  /**
   * The maximum number of documents of the run in the queue. The submission waits while the queue is full. Slightly more are possible.
   * @defaultValue 10000
   */
  maxQueued?: number | undefined
  /** The version of the workers that may ingest the documents. @defaultValue the latest */
  version?: string | undefined
  /** Cancels the submission. Submitted documents stay in the queue. */
  signal?: AbortSignal | undefined
}

/** A document that was not ingested. */
export interface FailedDocument {
  documentId: string
  /** The code of the error, if it has one; `cancelled` of a document that was cancelled. */
  code: string | null
  message: string
}

/** The state of a run. */
export interface IngestionState {
  total: number
  queued: number
  running: number
  /** The numbers of documents by outcome, such as `added` and `unchanged`. */
  finished: Record<string, number>
  failed: FailedDocument[]
}

/** Documents that are submitted together. */
const BATCH = 20

/**
 * Submits documents to the workers, and follows them.
 * @example
 * import { DBOSClient } from '@dbos-inc/dbos-sdk'
 *
 * const ingestAll = async (systemDatabaseUrl: string, documents: AsyncIterable<Document>) => {
 *   const dbos = await DBOSClient.create({ systemDatabaseUrl })
 *   const runs = new IngestionRuns({ dbos, workflow: 'docs', queue: 'documents' })
 *   await runs.submit(documents, { run: 'monday' })
 *   return runs.finished('monday', { onProgress: ({ queued }) => console.log(queued) })
 * }
 */
export class IngestionRuns {
  private readonly options: IngestionRunsOptions

  constructor(options: IngestionRunsOptions) {
    checkOptions('IngestionRuns', options, CLIENT_OPTIONS)
    this.options = options
  }

  /**
   * Submits documents, several at the same time, and returns their ids. An interrupted submission may be repeated.
   * @throws {ConfigurationError} if the name of the run is empty or contains a slash, `maxQueued` is not an integer of at least 1, or the
   * id of a document is empty or contains the character U+0000.
   * @throws {UnknownQueueError} if the queue is not registered.
   */
  async submit(
    documents: Iterable<Document> | AsyncIterable<Document>,
    { run, maxQueued = 10_000, version, signal }: SubmitDocumentsOptions,
  ): Promise<string[]> {
    const prefix = prefixOf(run)
    if (!(Number.isSafeInteger(maxQueued) && maxQueued >= 1))
      throw new ConfigurationError(
        `IngestionRuns.submit: maxQueued: expected an integer of at least 1, received ${maxQueued}.`,
      )
    await checkQueue(this.options.dbos, this.options.queue)
    const ids: string[] = []
    let room = 0
    const enqueue = async (batch: readonly Document[]) => {
      signal?.throwIfAborted()
      if (room <= 0) room = await this.roomInQueue(prefix, maxQueued, signal)
      room -= batch.length
      await Promise.all(batch.map((document) => this.enqueue(document, prefix, version)))
      ids.push(...batch.map(({ id }) => id))
    }
    let batch: Document[] = []
    for await (const document of documents) {
      batch.push(document)
      if (batch.length < Math.min(BATCH, maxQueued)) continue
      await enqueue(batch)
      batch = []
    }
    if (batch.length > 0) await enqueue(batch)
    return ids
  }

  private async enqueue(document: Document, prefix: string, version: string | undefined): Promise<void> {
    checkWorkflowId('IngestionRuns.submit: the id of a document', document.id)
    const { dbos, workflow, queue } = this.options
    const place = {
      queueName: queue,
      workflowName: workflow,
      workflowID: prefix + document.id,
      ...(version !== undefined && { appVersion: version }),
    }
    const data = document.toDict()
    await ('enqueue' in dbos ? dbos.enqueue(place, data) : dbos.enqueueWorkflowWithOptions(place, data))
  }

  /** Returns the state of a run. Reads a row of each of its documents. */
  async state(run: string): Promise<IngestionState> {
    const state: IngestionState = { total: 0, queued: 0, running: 0, finished: {}, failed: [] }
    const prefix = prefixOf(run)
    const filter = { workflow_id_prefix: prefix, loadInput: false, loadOutput: true }
    for await (const workflow of workflowsOf(this.options.dbos, filter)) {
      const { status, workflowID, output, error } = workflow
      const documentId = workflowID.slice(prefix.length)
      state.total++
      if (status === 'SUCCESS') state.finished[String(output)] = (state.finished[String(output)] ?? 0) + 1
      else if (status === 'PENDING') state.running++
      else if (status === 'ENQUEUED' || status === 'DELAYED') state.queued++
      else state.failed.push({ documentId, ...failureOf(status, error) })
    }
    return state
  }

  /** Waits until no document of a run is queued or running, and returns the state. */
  async finished(
    run: string,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (state: IngestionState) => void } = {},
  ): Promise<IngestionState> {
    for (;;) {
      const state = await this.state(run)
      onProgress?.(state)
      if (state.queued + state.running === 0) return state
      await this.pause(signal)
    }
  }

  /** Continues the documents of a run that were not ingested where they stopped, and returns their number. */
  async retry(run: string): Promise<number> {
    const { dbos, queue } = this.options
    const { failed } = await this.state(run)
    for (const { documentId } of failed) {
      const workflowID = prefixOf(run) + documentId
      const startStep = failedStep(await sortedSteps(dbos, workflowID))
      await dbos.rewindWorkflow(workflowID, { startStep, queueName: queue })
    }
    return failed.length
  }

  /** Waits until fewer than `most` documents are queued, and returns the difference. */
  private async roomInQueue(prefix: string, most: number, signal: AbortSignal | undefined): Promise<number> {
    const filter = { workflow_id_prefix: prefix, status: 'ENQUEUED' as const, loadInput: false, loadOutput: false }
    for (;;) {
      const queued = await this.options.dbos.listWorkflows({ ...filter, limit: most })
      if (queued.length < most) return most - queued.length
      await this.pause(signal)
    }
  }

  private pause(signal: AbortSignal | undefined): Promise<void> {
    return pause(this.options.pollingIntervalMs ?? 1000, signal)
  }
}

function prefixOf(run: string): string {
  if (typeof run === 'string' && run !== '' && !run.includes('/')) return `${run}/`
  throw new ConfigurationError(
    `IngestionRuns: expected the name of a run without slashes, received ${JSON.stringify(run)}.`,
  )
}

function failureOf(status: string, error: unknown): { code: string | null; message: string } {
  if (error === undefined || error === null)
    return { code: status.toLowerCase(), message: `The document is ${status}.` }
  const { code, message } = error as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : null, message: String(message ?? error) }
}
