import { component, live, nested } from '@x/core-model/schemas'
import { Boolean as Bool } from 'typebox'

const callbackManager = live({
  type: 'CallbackManager',
  imports: { CallbackManager: '@x/core-model' },
  holds: ['startEvent', 'event'],
  description: 'Told about events.',
})

export const CustomSimpleAgentWorker = component('CustomSimpleAgentWorker', 'A worker whose steps are user code.', {
  tools: live({
    type: 'readonly Tool[]',
    imports: { Tool: './tool/base-tool.ts' },
    required: true,
    description: 'The tools; not together with a tool retriever.',
  }),
  llm: nested({
    type: 'BaseLLM',
    imports: { BaseLLM: '@x/core-model' },
    holds: ['chat', 'complete'],
    description: 'The model.',
  }),
  callbackManager,
  toolRetriever: live({
    type: 'ObjectRetriever<Tool>',
    imports: { ObjectRetriever: './tool/object-retriever.ts', Tool: './tool/base-tool.ts' },
    holds: ['retrieve'],
    description: 'Finds tools for the input of a task.',
  }),
  verbose: Bool({ description: 'Whether reasoning steps are shown.', default: false }),
})

export const QueryPipelineAgentWorker = component(
  'QueryPipelineAgentWorker',
  'A worker whose steps are runs of a query pipeline.',
  {
    pipeline: live({
      type: 'QueryPipeline',
      imports: { QueryPipeline: '@x/query-pipeline' },
      holds: ['run', 'getRootKeys'],
      required: true,
      description: 'Its first component takes the task, its last one gives the answer.',
    }),
    callbackManager,
  },
)
