import type { BaseLLM, CallbackManager, ObjectRetriever } from '@x/core-model'
import { component, live, nested } from '@x/core-model/schemas'
import type { QueryPipeline } from '@x/query-pipeline'
import { Boolean as Bool } from 'typebox'
import type { Tool } from '../tool/base-tool.ts'

const callbackManager = live<CallbackManager>({
  holds: ['startEvent', 'event'],
  description: 'Told about events.',
})

export const CustomSimpleAgentWorker = component('CustomSimpleAgentWorker', 'A worker whose steps are user code.', {
  tools: live<readonly Tool[]>({
    required: true,
    description: 'The tools; not together with a tool retriever.',
  }),
  llm: nested<BaseLLM>({
    holds: ['chat', 'complete'],
    description: 'The model.',
  }),
  callbackManager,
  toolRetriever: live<ObjectRetriever<Tool>>({
    holds: ['retrieve'],
    description: 'Finds tools for the input of a task.',
  }),
  verbose: Bool({ description: 'Whether reasoning steps are shown.', default: false }),
})

export const QueryPipelineAgentWorker = component(
  'QueryPipelineAgentWorker',
  'A worker whose steps are runs of a query pipeline.',
  {
    pipeline: live<QueryPipeline>({
      holds: ['run', 'getRootKeys'],
      required: true,
      description: 'Its first component takes the task, its last one gives the answer.',
    }),
    callbackManager,
  },
)
