/**
 * @module
 * The ingestion of a document as a workflow of DBOS.
 */
import { callback, checkOptions, group, type OptionTable, required, text, wholeNumber } from '@x/core/options'
import { Document, type Durable, type Json, type RepeatOptions } from '@x/core-model'
import { repeatOptions } from '@x/core-model/async'
import type { DbosRuntime } from './dbos-types.ts'
import { durableSteps } from './durable-steps.ts'

/** The options of {@link ingestionWorkflow}. */
export interface IngestionWorkflowOptions<Outcome extends Json> {
  /** `DBOS` of `@dbos-inc/dbos-sdk`. */
  dbos: DbosRuntime
  /** The name of the workflow. */
  name: string
  /** Ingests a document. Pass the options to the pipeline: each of its parts is a step of the workflow. */
  ingest: (document: Document, options: { durable: Durable; signal: AbortSignal }) => Promise<Outcome>
  /** How parts with a `retryable` error are repeated, for example when a model is busy. @defaultValue three attempts */
  retry?: RepeatOptions | undefined
  /** The maximum number of times that DBOS restarts a document after the death of its worker. @defaultValue 100 */
  maxRecoveryAttempts?: number | undefined
}

const WORKFLOW_OPTIONS: OptionTable<IngestionWorkflowOptions<Json>> = {
  dbos: required((value) => ('registerWorkflow' in Object(value) ? undefined : 'DBOS')),
  name: text,
  ingest: callback,
  retry: group(repeatOptions),
  maxRecoveryAttempts: wholeNumber(0),
}

/**
 * Registers the ingestion of a document as a workflow. Call it before `DBOS.launch()`, with the same name in every worker. Documents are
 * submitted with `IngestionRuns`.
 *
 * The summary of each table is recorded before the ingestion continues, under a name computed from the table. After a crash, the model is
 * not called again for recorded summaries.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { fromContent, MarkdownElementNodeParser } from '@x/node-parser'
 * import { IngestionPipeline, type IngestionStore } from '@x/retrieval'
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 *
 * const register = (llm: BaseLLM, store: IngestionStore) => {
 *   const parser = new MarkdownElementNodeParser({ llm, idFunc: fromContent() })
 *   const pipeline = new IngestionPipeline({ transformations: [parser], store })
 *   ingestionWorkflow({ dbos: DBOS, name: 'docs', ingest: (document, options) => pipeline.ingest(document, options) })
 * }
 */
export function ingestionWorkflow<Outcome extends Json>(
  options: IngestionWorkflowOptions<Outcome>,
): (document: Json) => Promise<Outcome> {
  checkOptions('ingestionWorkflow', options, WORKFLOW_OPTIONS)
  const { dbos, name, ingest, retry, maxRecoveryAttempts } = options
  const work = (document: Json): Promise<Outcome> => {
    const controller = new AbortController()
    const { signal } = controller
    const durable = durableSteps({ dbos, retry, cancelled: (reason) => controller.abort(reason) })
    return ingest(Document.fromDict(document), { durable, signal })
  }
  return dbos.registerWorkflow(work, { name, ...(maxRecoveryAttempts !== undefined && { maxRecoveryAttempts }) })
}
