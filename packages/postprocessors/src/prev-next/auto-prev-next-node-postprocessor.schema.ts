import type { PredictingLLM } from '@x/core-model'
import { live, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { ServiceContext } from './auto-prev-next-node-postprocessor.ts'
import { defaultInferPrevNextTmpl, defaultRefinePrevNextTmpl } from './default-prompts.ts'
import { missingNeighbour, neighbourFields } from './prev-next-node-postprocessor.schema.ts'

export const AutoPrevNextNodePostprocessor = nodePostprocessor(
  'AutoPrevNextNodePostprocessor',
  'Adds the nodes before or after each node, in the direction that a language model chooses.',
  {
    docstore: neighbourFields.docstore,
    serviceContext: live<ServiceContext>({
      holds: [],
      schema: { type: 'object' },
      description: 'Contains the language model. Alternatively, pass llm.',
    }),
    llm: live<PredictingLLM>({
      holds: ['predict'],
      schema: { type: 'object' },
      extension: true,
      description: 'The language model that chooses the direction.',
    }),
    numNodes: neighbourFields.numNodes,
    inferPrevNextTmpl: Text({
      description: 'The prompt that asks for the direction; variables context_str and query_str.',
      default: defaultInferPrevNextTmpl,
    }),
    refinePrevNextTmpl: Text({
      description:
        'The prompt for each further part of a long node; variables context_msg, query_str and existing_answer.',
      default: defaultRefinePrevNextTmpl,
    }),
    verbose: Bool({ description: 'Whether the directions are logged to logger.', default: false }),
    logger: live<(message: string) => void>({
      holds: 'function',
      description: 'Receives one message per node with its direction when verbose is set.',
    }),
    ...missingNeighbour,
    onInvalidPrediction: oneOf(['throw', 'none'], {
      extension: true,
      description: 'How to handle an answer that names no direction: throw, or add no neighbours.',
      default: 'throw',
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'The maximum number of nodes that the model is asked about at the same time.',
      default: 1,
    }),
  },
)
