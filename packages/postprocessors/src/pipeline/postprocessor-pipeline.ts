/**
 * @module
 * A postprocessor that runs other postprocessors in sequence.
 */
import { isInstance, type NodeWithScore } from '@x/core-model'
import { PostprocessorPipelineModel } from '../generated/postprocessor-pipeline.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'
import { runStep, stepClasses, stepName } from '../steps-postprocessor.ts'

/**
 * Runs postprocessors one after the other, each on the result of the previous one. Query, signal, progress and ledger are passed
 * to all of them. Requires a query if one of them does. A step is any object with a `postprocessNodes` method.
 * @throws {ModelValidationError} if a step has no `postprocessNodes` method.
 * @example
 * const pipeline = new PostprocessorPipeline({
 *   postprocessors: [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new LongContextReorder()],
 * })
 * const nodes = [0.9, 0.8, 0.7, 0.2].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * ;(await pipeline.postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.7, 0.8]
 */
export class PostprocessorPipeline extends PostprocessorPipelineModel {
  static override nested() {
    return { postprocessors: stepClasses() }
  }

  protected override async process(
    nodes: readonly NodeWithScore[],
    { query, reasons: _, ...run }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    let result = nodes
    for (const step of this.postprocessors) {
      const before = result
      result = await runStep(step, before, { query, ...run })
      // Postprocessors of this package record themselves.
      if (run.ledger && !isInstance(step, NodePostprocessor))
        run.ledger.record(stepName(step), before, result, new Map())
    }
    return [...result]
  }

  /** Records nothing: each step records itself. */
  protected override explain(): void {}
}
