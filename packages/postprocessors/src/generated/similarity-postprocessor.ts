// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link SimilarityPostprocessor}. */
export interface SimilarityPostprocessorFields extends NodePostprocessorFields {
  /** The lowest score that is kept, on the scale of the input scores; null keeps every node. @defaultValue null */
  similarityCutoff: number | null
  /** Whether a node without a score is kept. @defaultValue false */
  keepUnscored: boolean
}

/** Constructor options of {@link SimilarityPostprocessor}. */
export interface SimilarityPostprocessorOptions extends NodePostprocessorOptions {
  /** The lowest score that is kept, on the scale of the input scores; null keeps every node. @defaultValue null */
  similarityCutoff?: number | null | undefined
  /** Whether a node without a score is kept. @defaultValue false */
  keepUnscored?: boolean | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: SimilarityPostprocessorOptions)
}
interface Declared extends SimilarityPostprocessorFields {}

/** The typed base class of {@link SimilarityPostprocessor}. */
export const SimilarityPostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'SimilarityPostprocessor',
  description: 'Keeps the nodes whose score is at least a cutoff.',
  className: 'SimilarityPostprocessor',
  fields: {
    similarityCutoff: { otherNames: ['minScore', 'scoreThreshold', 'threshold'], schema: { type: ['number', 'null'], description: 'The lowest score that is kept, on the scale of the input scores; null keeps every node.' } },
    keepUnscored: { schema: { type: 'boolean', description: 'Whether a node without a score is kept.' }, default: false, extension: true },
  },
})
