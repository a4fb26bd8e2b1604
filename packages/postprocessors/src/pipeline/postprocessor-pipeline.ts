/**
 * @module
 * Several postprocessors as one.
 */
import type { CallbackManager, ModelClass, NodeWithScore } from '@x/core-model'
import {
  type PostprocessorPipelineFields,
  type PostprocessorPipelineOptions,
  postprocessorPipelineSpec,
} from '../generated/models.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'

export interface PostprocessorPipeline extends PostprocessorPipelineFields {}

/**
 * Runs postprocessors one after the other, each on the result of the one before, all with the same query, signal, progress and
 * ledger. It needs a query when one of them does. To read one from JSON pass a registry with the classes of its steps.
 * @example
 * const pipeline = new PostprocessorPipeline({
 *   postprocessors: [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new LongContextReorder()],
 * })
 * const nodes = [0.9, 0.8, 0.7, 0.2].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * ;(await pipeline.postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.7, 0.8]
 */
export class PostprocessorPipeline extends NodePostprocessor {
  /** @throws {ModelValidationError} when a step is no postprocessor. */
  constructor(options: PostprocessorPipelineOptions) {
    super(options)
  }

  static override spec() {
    return postprocessorPipelineSpec
  }

  static override nested() {
    return { postprocessors: [NodePostprocessor as unknown as ModelClass] }
  }

  override needsQuery(): boolean {
    return this.postprocessors.some((step) => step.needsQuery())
  }

  /** Sets who is told of events, here and in the steps. */
  override setCallbackManager(manager: CallbackManager): void {
    super.setCallbackManager(manager)
    for (const step of this.postprocessors) step.setCallbackManager(manager)
  }

  protected override async process(
    nodes: readonly NodeWithScore[],
    { query, signal, onProgress, ledger }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    let result = [...nodes]
    for (const step of this.postprocessors)
      result = await step.postprocessNodes(result, { queryBundle: query, signal, onProgress, ledger })
    return result
  }

  /** Nothing: each step writes itself. */
  protected override explain(): void {}
}
