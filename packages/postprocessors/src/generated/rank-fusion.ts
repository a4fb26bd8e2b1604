// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor, type PostprocessorLike } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link RankFusion}. */
export interface RankFusionFields extends NodePostprocessorFields {
  /** The postprocessors, at least one, each of which returns one ranking of the nodes. */
  rankers: PostprocessorLike[]
  /** The weight of each ranking; 1 for rankers without a weight. @defaultValue [] */
  weights: number[]
  /** How rankings are fused; see fuseNodes. @defaultValue 'reciprocal_rank' */
  mode: 'reciprocal_rank' | 'relative_score' | 'best_score'
  /** The constant of reciprocal rank fusion. A higher value reduces the advantage of the first ranks. @defaultValue 60 */
  readonly k: number
  /** The maximum number of nodes returned. @defaultValue 10 */
  readonly topN: number
  /** The maximum number of rankers that run at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link RankFusion}. */
export interface RankFusionOptions extends NodePostprocessorOptions {
  /** The postprocessors, at least one, each of which returns one ranking of the nodes. */
  rankers: readonly PostprocessorLike[]
  /** The weight of each ranking; 1 for rankers without a weight. @defaultValue [] */
  weights?: readonly number[] | undefined
  /** How rankings are fused; see fuseNodes. @defaultValue 'reciprocal_rank' */
  mode?: 'reciprocal_rank' | 'relative_score' | 'best_score' | undefined
  /** The constant of reciprocal rank fusion. A higher value reduces the advantage of the first ranks. @defaultValue 60 */
  k?: number | undefined
  /** The maximum number of nodes returned. @defaultValue 10 */
  topN?: number | undefined
  /** The maximum number of rankers that run at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: RankFusionOptions)
}
interface Declared extends RankFusionFields {}

/** The typed base class of {@link RankFusion}. */
export const RankFusionModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'RankFusion',
  description: 'Ranks nodes with several postprocessors and fuses the rankings.',
  className: 'RankFusion',
  fields: {
    rankers: { schema: { type: 'array', items: { 'x-nested': true }, description: 'The postprocessors, at least one, each of which returns one ranking of the nodes.' }, required: true },
    weights: { schema: { type: 'array', items: { type: 'number', minimum: 0 }, description: 'The weight of each ranking; 1 for rankers without a weight.' }, default: [] },
    mode: { schema: { type: 'string', enum: ['reciprocal_rank', 'relative_score', 'best_score'], description: 'How rankings are fused; see fuseNodes.' }, default: 'reciprocal_rank' },
    k: { schema: { type: 'number', minimum: 0, description: 'The constant of reciprocal rank fusion. A higher value reduces the advantage of the first ranks.' }, default: 60, bounded: true },
    topN: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes returned.' }, default: 10, bounded: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of rankers that run at the same time.' }, default: 1, bounded: true },
  },
})
