import { live, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import { defaultInferPrevNextTmpl, defaultRefinePrevNextTmpl } from './default-prompts.ts'
import { neighbourFields, onMissing } from './prev-next-node-postprocessor.schema.ts'

const { docstore, numNodes } = neighbourFields

export const AutoPrevNextNodePostprocessor = nodePostprocessor(
  'AutoPrevNextNodePostprocessor',
  'Adds the nodes before or after each node, in the direction that a model finds.',
  {
    docstore,
    serviceContext: live({
      type: 'ServiceContext',
      imports: { ServiceContext: './prev-next/auto-prev-next-node-postprocessor.ts' },
      holds: [],
      schema: { type: 'object' },
      description: 'Holds the model; or give llm.',
    }),
    llm: live({
      type: 'LLM',
      imports: { LLM: '@x/core-model' },
      holds: ['predict'],
      schema: { type: 'object' },
      extension: true,
      description: 'The model that decides on the direction.',
    }),
    numNodes,
    inferPrevNextTmpl: Text({
      description: 'Asks for the direction; variables context_str and query_str.',
      default: defaultInferPrevNextTmpl,
    }),
    refinePrevNextTmpl: Text({
      description: 'Asks again with more of a long text; variables context_msg, query_str and existing_answer.',
      default: defaultRefinePrevNextTmpl,
    }),
    verbose: Bool({ description: 'Whether the directions are told to logger.', default: false }),
    logger: live({
      type: '(message: string) => void',
      holds: 'function',
      description: 'Told the direction of each node when verbose is set.',
    }),
    onMissing,
    onInvalidPrediction: oneOf(['throw', 'none'], {
      extension: true,
      description: 'What happens when the answer names no direction.',
      default: 'throw',
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'How many nodes the model is asked about at once.',
      default: 1,
    }),
  },
)
