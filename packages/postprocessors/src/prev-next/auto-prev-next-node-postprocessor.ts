/**
 * @module
 * Adds the nodes before or after each node if a language model decides that they are needed.
 */

import type { PredictingLLM } from '@x/core-model'
import { estimateTokens, ModelValidationError, type NodeWithScore } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { PromptTemplate } from '@x/prompts'
import { InvalidPredictionError } from '../errors.ts'
import {
  AutoPrevNextNodePostprocessorModel,
  type AutoPrevNextNodePostprocessorOptions,
  // biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
} from '../generated/auto-prev-next-node-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { partsForContext } from '../windows/parts-for-context.ts'
import { explainExpansion } from './prev-next-node-postprocessor.ts'
import { readDirection } from './read-direction.ts'
import { expand } from './walk.ts'

/** The models of an application. */
export interface ServiceContext {
  llm: PredictingLLM
  embedModel?: unknown
}

/**
 * Asks a language model for each node whether the text before or after it is needed to answer the query, and adds up to
 * `numNodes` neighbours in that direction. Requires a query. Order and scores are those of `PrevNextNodePostprocessor`.
 * A node that exceeds the model's context window is sent in parts; the last answer is used.
 * @throws {ModelValidationError} if `docstore` is missing, or both `llm` and `serviceContext`.
 * @example
 * const [a, b] = ['a', 'b'].map((id) => new TextNode({ id, text: id, relationships: id === 'a' ? { 3: { nodeId: 'b' } } : {} }))
 * const auto = new AutoPrevNextNodePostprocessor({ docstore: new MapDocumentStore([a, b]), llm: new ScriptedLLM({ answers: ['NEXT'] }) })
 * ;(await auto.postprocessNodes([new NodeWithScore({ node: a })], { queryStr: 'What comes then?' })).map(({ id }) => id) // => ['a', 'b']
 */
export class AutoPrevNextNodePostprocessor extends AutoPrevNextNodePostprocessorModel {
  constructor(options: AutoPrevNextNodePostprocessorOptions) {
    super(options)
    if (typeof this.model?.predict !== 'function') {
      throw new ModelValidationError('AutoPrevNextNodePostprocessor', [
        { path: 'llm', message: 'required, here or in serviceContext', code: 'required' },
      ])
    }
  }

  override needsQuery() {
    return true
  }

  private get model(): PredictingLLM | undefined {
    return this.llm ?? this.serviceContext?.llm
  }

  /**
   * @throws {ConfigurationError} if the templates leave no room in the model's context window.
   * @throws {InvalidPredictionError} if an answer names no direction, unless `onInvalidPrediction` is `none`.
   * @throws {NodeNotFoundError} for a neighbour that is not in the store, unless `onMissing` is `stop`.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const className = AutoPrevNextNodePostprocessor.className()
    const { docstore, numNodes, onMissing, verbose, logger } = this
    const infer = new PromptTemplate({ template: this.inferPrevNextTmpl })
    const refine = new PromptTemplate({ template: this.refinePrevNextTmpl })
    const calls = new ModelCalls(this, run, nodes.length)
    const modes = await mapConcurrently(nodes, this.maxConcurrency, async (entry) => {
      const answer = await this.ask(entry.node.getContent('none').trim(), run.query!.queryStr, infer, refine, calls)
      const mode = readDirection(answer)
      if (!mode && this.onInvalidPrediction === 'throw') throw new InvalidPredictionError(className, answer)
      if (verbose) logger?.(`${className}: node "${entry.nodeId}": ${mode ?? 'none'}`)
      return mode ?? 'none'
    })
    const result = await expand(nodes, modes, numNodes, docstore, { onMissing, signal: run.signal })
    if (run.reasons) {
      explainExpansion(nodes, result, run.reasons)
      for (const [index, entry] of nodes.entries())
        run.reasons.set(entry, `${run.reasons.get(entry)}; the model asks for ${modes[index]}`)
    }
    return result
  }

  private async ask(
    context: string,
    query: string,
    infer: PromptTemplate,
    refine: PromptTemplate,
    calls: ModelCalls,
  ): Promise<string> {
    const llm = this.model!
    const templates = Math.max(estimateTokens(this.inferPrevNextTmpl), estimateTokens(this.refinePrevNextTmpl))
    const [first, ...others] = partsForContext(context, llm, {
      className: calls.className,
      reserved: llm.metadata.numOutput + templates + estimateTokens(query),
    })
    calls.expect(others.length)
    let answer = await calls.run((options) => llm.predict(infer, { context_str: first!, query_str: query }, options))
    for (const part of others) {
      const existing = answer
      answer = await calls.run((options) =>
        llm.predict(refine, { context_msg: part, query_str: query, existing_answer: existing }, options),
      )
    }
    return answer
  }
}
