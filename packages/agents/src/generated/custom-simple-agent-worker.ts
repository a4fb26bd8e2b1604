// Generated from the schema of the model by x-codegen. Do not edit.
import type { StopWhen } from '../loop/simple-steps.ts'
import type { Tool } from '../tool/base-tool.ts'
import { type BaseLLM, type CallbackManager, Model, type ObjectRetriever, modelOf } from '@x/core-model'

/** The fields of {@link CustomSimpleAgentWorker}. */
export interface CustomSimpleAgentWorkerFields {
  /** The tools. Cannot be combined with a tool retriever. */
  tools: readonly Tool[]
  /** The model. */
  llm: BaseLLM
  /** Notified of events. */
  callbackManager: CallbackManager
  /** Retrieves tools for the input of a task. */
  toolRetriever: ObjectRetriever<Tool> | null
  /** Whether reasoning steps are logged. @defaultValue false */
  verbose: boolean
  /** The maximum number of steps of a task; 20 by default. */
  maxSteps: number | null
  /** Returns whether the task ends after a step, with the response of the step as its answer. */
  stopWhen: StopWhen | null
}

/** Constructor options of {@link CustomSimpleAgentWorker}. */
export interface CustomSimpleAgentWorkerOptions {
  /** The tools. Cannot be combined with a tool retriever. */
  tools: readonly Tool[]
  /** The model. */
  llm: BaseLLM
  /** Notified of events. */
  callbackManager?: CallbackManager | null | undefined
  /** Retrieves tools for the input of a task. */
  toolRetriever?: ObjectRetriever<Tool> | null | undefined
  /** Whether reasoning steps are logged. @defaultValue false */
  verbose?: boolean | undefined
  /** The maximum number of steps of a task; 20 by default. */
  maxSteps?: number | null | undefined
  /** Returns whether the task ends after a step, with the response of the step as its answer. */
  stopWhen?: StopWhen | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: CustomSimpleAgentWorkerOptions)
}
interface Declared extends CustomSimpleAgentWorkerFields {}

/** The typed base class of {@link CustomSimpleAgentWorker}. */
export const CustomSimpleAgentWorkerModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'CustomSimpleAgentWorker',
  description: 'A worker whose steps are user code.',
  className: 'CustomSimpleAgentWorker',
  fields: {
    tools: { schema: { description: 'The tools. Cannot be combined with a tool retriever.' }, required: true, runtime: true },
    llm: { schema: { 'x-nested': true, description: 'The model.' }, required: true, holds: ['chat', 'complete'] },
    callbackManager: { schema: { type: 'object', default: {}, description: 'Notified of events.' }, runtime: true, holds: ['startEvent', 'event'] },
    toolRetriever: { schema: { description: 'Retrieves tools for the input of a task.' }, runtime: true, holds: ['retrieve'] },
    verbose: { schema: { type: 'boolean', description: 'Whether reasoning steps are logged.' }, default: false },
    maxSteps: { schema: { description: 'The maximum number of steps of a task; 20 by default.' }, runtime: true },
    stopWhen: { schema: { description: 'Returns whether the task ends after a step, with the response of the step as its answer.' }, runtime: true },
  },
})
