// Generated from the schema of the model by x-codegen. Do not edit.
import type { StopWhen } from '../loop/simple-steps.ts'
import { type CallbackManager, Model, modelOf } from '@x/core-model'
import type { QueryPipeline } from '@x/query-pipeline'

/** The fields of {@link QueryPipelineAgentWorker}. */
export interface QueryPipelineAgentWorkerFields {
  /** The pipeline. Its first component receives the task, its last one returns the answer. */
  pipeline: QueryPipeline
  /** Notified of events. */
  callbackManager: CallbackManager
  /** The maximum number of steps of a task; 20 by default. */
  maxSteps: number | null
  /** Returns whether the task ends after a step, with the response of the step as its answer. */
  stopWhen: StopWhen | null
}

/** Constructor options of {@link QueryPipelineAgentWorker}. */
export interface QueryPipelineAgentWorkerOptions {
  /** The pipeline. Its first component receives the task, its last one returns the answer. */
  pipeline: QueryPipeline
  /** Notified of events. */
  callbackManager?: CallbackManager | null | undefined
  /** The maximum number of steps of a task; 20 by default. */
  maxSteps?: number | null | undefined
  /** Returns whether the task ends after a step, with the response of the step as its answer. */
  stopWhen?: StopWhen | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: QueryPipelineAgentWorkerOptions)
}
interface Declared extends QueryPipelineAgentWorkerFields {}

/** The typed base class of {@link QueryPipelineAgentWorker}. */
export const QueryPipelineAgentWorkerModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'QueryPipelineAgentWorker',
  description: 'A worker whose steps are runs of a query pipeline.',
  className: 'QueryPipelineAgentWorker',
  fields: {
    pipeline: { schema: { description: 'The pipeline. Its first component receives the task, its last one returns the answer.' }, required: true, runtime: true, holds: ['run', 'getRootKeys'] },
    callbackManager: { schema: { type: 'object', default: {}, description: 'Notified of events.' }, runtime: true, holds: ['startEvent', 'event'] },
    maxSteps: { schema: { description: 'The maximum number of steps of a task; 20 by default.' }, runtime: true },
    stopWhen: { schema: { description: 'Returns whether the task ends after a step, with the response of the step as its answer.' }, runtime: true },
  },
})
