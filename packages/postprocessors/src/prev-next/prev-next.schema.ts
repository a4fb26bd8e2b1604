import type { DocumentStore, PredictingLLM } from '@x/core-model'
import { live, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { ServiceContext } from './auto-prev-next-node-postprocessor.ts'

/** The store of the neighbours and the maximum number to fetch. */
const neighbourFields = {
  docstore: live<DocumentStore>({
    required: true,
    holds: ['getNode'],
    schema: { type: 'object' },
    description: 'The store in which neighbours are looked up by id.',
  }),
  numNodes: Integer({
    minimum: 0,
    description: 'The maximum number of neighbours fetched per node and direction.',
    default: 1,
  }),
}

const missingNeighbour = {
  onMissing: oneOf(['throw', 'stop'], {
    extension: true,
    description: 'How to handle a neighbour that is not in the store: throw, or stop fetching in that direction.',
    default: 'throw',
  }),
}

export const PrevNextNodePostprocessor = nodePostprocessor(
  'PrevNextNodePostprocessor',
  'Adds the nodes before or after each node in its document.',
  {
    ...neighbourFields,
    mode: oneOf(['next', 'previous', 'both'], {
      description: 'The direction in which neighbours are fetched.',
      default: 'next',
    }),
    ...missingNeighbour,
  },
)

/** The default prompt that asks in which direction more text is needed; variables `context_str` and `query_str`. */
const defaultInferPrevNextTmpl = `You are given a passage of a document and a question. Decide which text has to be read in addition to the passage to answer the question.
Answer with one word:
PREVIOUS when the text before the passage is needed,
NEXT when the text after the passage is needed,
NONE when the passage is enough or no neighbouring text would help.

Example
Passage: Because of that, the committee rejected the plan.
Question: Why was the plan rejected?
Answer: PREVIOUS

Example
Passage: The bridge was opened in 1932. The following years brought three changes.
Question: What changed after the bridge was opened?
Answer: NEXT

Example
Passage: The lake is 42 metres deep.
Question: How deep is the lake?
Answer: NONE

Passage: {context_str}
Question: {query_str}
Answer: `

/** The default prompt for each further part of a long passage; variables `context_msg`, `query_str` and `existing_answer`. */
const defaultRefinePrevNextTmpl = `You are reading a long passage of a document part by part, to decide which text has to be read in addition to the passage to answer a question.
Answer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.

Your answer for the parts so far: {existing_answer}
The next part of the passage: {context_msg}
Question: {query_str}
Keep your answer, or correct it in the light of this part.
Answer: `

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
