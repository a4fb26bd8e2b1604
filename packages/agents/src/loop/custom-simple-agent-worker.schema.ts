import type { BaseLLM, CallbackManager, ObjectRetriever } from '@x/core-model'
import { component, live, nested } from '@x/core-model/schemas'
import type { QueryPipeline } from '@x/query-pipeline'
import { Boolean as Bool } from 'typebox'
import type { Tool } from '../tool/base-tool.ts'
import type { StopWhen } from './simple-steps.ts'

const callbackManager = live<CallbackManager>({
  holds: ['startEvent', 'event'],
  schema: { type: 'object', default: {} },
  description: 'Notified of events.',
})

const limits = {
  maxSteps: live<number>({
    description: 'The maximum number of steps of a task; 20 by default.',
  }),
  stopWhen: live<StopWhen>({
    description: 'Returns whether the task ends after a step, with the response of the step as its answer.',
  }),
}

export const CustomSimpleAgentWorker = component('CustomSimpleAgentWorker', 'A worker whose steps are user code.', {
  tools: live<readonly Tool[]>({
    required: true,
    description: 'The tools. Cannot be combined with a tool retriever.',
  }),
  llm: nested<BaseLLM>({
    holds: ['chat', 'complete'],
    description: 'The model.',
  }),
  callbackManager,
  toolRetriever: live<ObjectRetriever<Tool>>({
    holds: ['retrieve'],
    description: 'Retrieves tools for the input of a task.',
  }),
  verbose: Bool({ description: 'Whether reasoning steps are logged.', default: false }),
  ...limits,
})

export const QueryPipelineAgentWorker = component(
  'QueryPipelineAgentWorker',
  'A worker whose steps are runs of a query pipeline.',
  {
    pipeline: live<QueryPipeline>({
      holds: ['run', 'getRootKeys'],
      required: true,
      description: 'The pipeline. Its first component receives the task, its last one returns the answer.',
    }),
    callbackManager,
    ...limits,
  },
)
