/**
 * @module
 * A postprocessor that runs other postprocessors in sequence.
 */
import {
  type CallbackManager,
  type Dict,
  isInstance,
  type Model,
  type ModelConstructor,
  type NodeWithScore,
  type ReadOptions,
} from '@x/core-model'
import { PostprocessorPipelineModel } from '../generated/postprocessor-pipeline.ts'
import {
  NodePostprocessor,
  type PostprocessRun,
  runStep,
  stepClasses,
  stepName,
  withSteps,
} from '../node-postprocessor.ts'

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
  /**
   * Reads a pipeline from its wire form. The registry must know the classes of its steps. Live objects, such as a model, are passed in `overrides`: in
   * `postprocessors`, the options of each step at its position, or the step itself.
   * @throws {ModelValidationError} if the data or an override is invalid.
   * @throws {UnknownClassNameError} if the registry does not know a step.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    const withOwn = withSteps(this.spec().name, 'postprocessors', data, overrides, options)
    return super.fromDict.call(this, data, withOwn, options) as T
  }

  static override nested() {
    return { postprocessors: stepClasses() }
  }

  override needsQuery(): boolean {
    return this.postprocessors.some((step) => step.needsQuery?.() === true)
  }

  /** Sets the callback manager of the pipeline and of its steps. */
  override setCallbackManager(manager: CallbackManager): void {
    super.setCallbackManager(manager)
    for (const step of this.postprocessors) step.setCallbackManager?.(manager)
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
