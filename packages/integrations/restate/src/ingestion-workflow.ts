/**
 * @module
 * The ingestion of a document as a workflow: each of its parts is in the journal.
 */
import type { WorkflowContext, WorkflowDefinition, WorkflowOptions } from '@restatedev/restate-sdk'
import { callback, checkOptions, required, unchecked } from '@x/core/options'
import { type Dict, Document, type Durable, type Json } from '@x/core-model'
import { restateOptions } from './agent-run.ts'
import { DurableCalls } from './durable-calls.ts'
import { engineError, handlersOf } from './errors.ts'
import type { RestateRetryOptions, RestateSdk } from './restate-sdk.ts'

/** Options of {@link ingestionWorkflow}. */
export interface IngestionWorkflowOptions<Name extends string, Outcome extends Json> {
  /** The module `@restatedev/restate-sdk`, or one of its entries. */
  restate: RestateSdk
  /** The name of the workflow. */
  name: Name
  /** Ingests a document. Pass the options to the pipeline: each of its parts is in the journal. */
  ingest: (document: Document, options: { durable: Durable; signal: AbortSignal }) => Promise<Outcome>
  /** How parts with a `retryable` error are repeated, for example when a model is busy. @defaultValue at most 10 attempts */
  retry?: RestateRetryOptions | undefined
  /** Options of the workflow, such as `workflowRetention`. */
  options?: WorkflowOptions | undefined
}

/** The handlers of a workflow that ingests a document. (A type, because clients of Restate do not accept interfaces.) */
export type IngestionWorkflowHandlers<Outcome extends Json> = {
  /** Ingests a document, as written by `Document.toDict()`. A second submission under the same key attaches to the first. */
  run(ctx: WorkflowContext, document: Dict): Promise<Outcome>
}

/**
 * Returns a workflow that ingests a document, in any process that serves it. The summary of each table is recorded before the ingestion
 * continues, under a name computed from the table; a recorded summary is not requested from the model again.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { fromContent, MarkdownElementNodeParser } from '@x/node-parser'
 * import { IngestionPipeline, type IngestionStore } from '@x/retrieval'
 *
 * const serve = (llm: BaseLLM, store: IngestionStore) => {
 *   const parser = new MarkdownElementNodeParser({ llm, idFunc: fromContent() })
 *   const pipeline = new IngestionPipeline({ transformations: [parser], store })
 *   const docs = ingestionWorkflow({ restate, name: 'docs', ingest: (document, options) => pipeline.ingest(document, options) })
 *   return restate.serve({ services: [docs], port: 9080 })
 * }
 */
export function ingestionWorkflow<Name extends string, Outcome extends Json>(
  options: IngestionWorkflowOptions<Name, Outcome>,
): WorkflowDefinition<Name, IngestionWorkflowHandlers<Outcome>> {
  checkOptions('ingestionWorkflow', options, { ...restateOptions, ingest: required(callback), retry: unchecked })
  const { restate, name } = options
  const handler = handlersOf(options)
  return restate.workflow({
    name,
    handlers: { run: handler(run<Outcome>, engineError) },
    ...(options.options && { options: options.options }),
  }) as WorkflowDefinition<Name, IngestionWorkflowHandlers<Outcome>>
}

async function run<Outcome extends Json>(
  ctx: WorkflowContext,
  options: IngestionWorkflowOptions<string, Outcome>,
  document: Dict,
): Promise<Outcome> {
  const { durable, signal } = new DurableCalls(ctx, options)
  return options.ingest(Document.fromDict(document), { durable, signal })
}
