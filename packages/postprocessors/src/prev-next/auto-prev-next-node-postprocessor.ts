/**
 * @module
 * Adds the nodes before or after each node if a language model decides that they are needed.
 */

import { estimateTokens, ModelValidationError, type NodeWithScore, type PredictingLLM } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { strip, withoutThinking } from '@x/core-model/text'
import { PromptTemplate } from '@x/prompts'
import { InvalidPredictionError } from '../errors.ts'
import {
  AutoPrevNextNodePostprocessorModel,
  type AutoPrevNextNodePostprocessorOptions,
  // biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
} from '../generated/auto-prev-next-node-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { partsForContext } from '../windows/text-windows.ts'
import { explainExpansion } from './prev-next-node-postprocessor.ts'
import { expand, type WalkMode } from './walk.ts'

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
      const answer = await this.ask(strip(entry.node.getContent('none')), run.query!.queryStr, infer, refine, calls)
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

const word = /(?<![\p{L}\p{N}])(previous|next|none)(?![\p{L}\p{N}])/giu
/** A negation before a word, in the same part of the sentence: `not the NEXT`, `rather than NEXT`. */
const negatedBefore =
  /(?:\b(?:not|no|never|neither|nor|without|instead of|rather than|except|none of)|\b\w{1,9}n['’]t)\s{1,3}(?:[\w"'*`/]{1,20}\s{1,3}){0,4}["'*`_([]{0,4}$/i
/** A negation after a word: `PREVIOUS is not needed`, `the previous text would not help`. */
const negatedAfter =
  /^["'*`_)\]]{0,4}(?:\s{1,3}[\w'"]{1,20}){0,3}?\s{1,3}(?:(?:is|are|was|were|would|will|does|do|should|can|need)(?:\s{1,3}not|n['’]t)|(?:isn|aren|wasn|wouldn|won|doesn|don|shouldn|needn)['’]t|cannot|(?:is|are|would be|seems)\s{1,3}(?:also\s)?(?:unnecessary|irrelevant|useless|unneeded|superfluous|redundant))\b/i
/** The separators of the parts of a sentence. */
const clauseEnd = /[.,;:!?\n—]|\bbut\b/gi
/** The word describes a noun here: `the previous paragraph`. */
const describesNoun = /^\s{1,3}(?!(?:is|are|was|would|will|should|or|and|but|because|since|as|if|for|to|not)\b)\p{Ll}/u

/**
 * Returns the direction in an answer: the last of the words PREVIOUS, NEXT and NONE outside of thinking blocks and negations. A word that
 * only describes a noun, as in "the previous paragraph", is used if the answer contains no other. Undefined without a direction.
 */
export function readDirection(answer: string): WalkMode | undefined {
  const text = withoutThinking(answer).normalize('NFKC')
  let last: WalkMode | undefined
  let described: WalkMode | undefined
  const negated = new Set<string>()
  for (const { 0: found, index } of text.matchAll(word)) {
    const mode = found.toLowerCase() as 'previous' | 'next' | 'none'
    const end = index + found.length
    const after = text.slice(end, end + 80)
    if (isNegated(text.slice(Math.max(0, index - 80), index), after)) negated.add(mode)
    else if (found !== found.toUpperCase() && describesNoun.test(after)) described = mode
    else last = mode
  }
  const direction = last ?? described
  // "Neither previous nor next."
  return direction ?? (negated.has('previous') && negated.has('next') ? 'none' : undefined)
}

function isNegated(before: string, after: string): boolean {
  let start = 0
  for (const { 0: mark, index } of before.matchAll(clauseEnd)) start = index + mark.length
  const end = after.search(/[.,;:!?\n—]/)
  return negatedBefore.test(before.slice(start)) || negatedAfter.test(end === -1 ? after : after.slice(0, end))
}
