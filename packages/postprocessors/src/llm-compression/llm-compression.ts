/**
 * @module
 * Shortens nodes to the sentences that a language model chooses.
 */

import { errorMessage } from '@x/core/values'
import { ModelValidationError, type NodeWithScore } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { withoutThinking } from '@x/core-model/text'
import { PromptTemplate, promptClasses } from '@x/prompts'
import { type LLMCompressionOptions as GeneratedOptions, LLMCompressionModel } from '../generated/llm-compression.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { withNode } from '../rewrite.ts'
import { languageFaults } from '../segmenter.ts'
import { splitSentences } from '../windows/text-windows.ts'

/** The default prompt of `LLMCompression`; variables `context_str` and `query_str`. */
const sentenceSelectTmpl = `Below are the numbered sentences of a passage, and a question. Choose the sentences that help to answer the question, and those that are needed to understand them.
Answer with their numbers, separated by commas, and nothing else. If no sentence helps, answer 0.

{context_str}

Question: {query_str}
Numbers:
`

/** The options of {@link LLMCompression}. */
interface LLMCompressionOptions extends Omit<GeneratedOptions, 'sentenceSelectPrompt'> {
  /** The prompt that asks for the numbers of sentences; variables `context_str` and `query_str`. @defaultValue a built-in prompt */
  sentenceSelectPrompt?: GeneratedOptions['sentenceSelectPrompt'] | undefined
}

/**
 * Shortens each node to the sentences that help to answer the query, in their order. The model receives numbered sentences and answers with
 * numbers, so that every kept character is in the node. The ledger says which sentences were kept, and why a node is unchanged or missing.
 * Nodes of one sentence are returned without a call. Requires a query.
 * @throws {ModelValidationError} if `llm` is missing, `lang` is not a language tag, or `maxConcurrency` is below 1.
 * @example
 * const llm = new ScriptedLLM({ answers: ['2'] })
 * const node = new NodeWithScore({ node: new TextNode({ text: 'Dogs bark. Cats purr. Birds sing.' }) })
 * ;(await new LLMCompression({ llm }).postprocessNodes([node], { queryStr: 'What do cats do?' })).map(({ text }) => text) // => ['Cats purr.']
 */
export class LLMCompression extends LLMCompressionModel {
  constructor(options: LLMCompressionOptions) {
    const { sentenceSelectPrompt = new PromptTemplate({ template: sentenceSelectTmpl }), ...rest } = options ?? {}
    super({ ...rest, sentenceSelectPrompt })
    const faults = languageFaults(this.lang)
    if (faults.length > 0) throw new ModelValidationError('LLMCompression', faults)
  }

  static override nested() {
    return { sentenceSelectPrompt: promptClasses() }
  }

  override needsQuery() {
    return true
  }

  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const split = nodes.map((entry) => splitSentences(entry.node.getContent('none'), this.lang))
    const calls = new ModelCalls(this, run, split.filter(({ length }) => length > 1).length)
    const { queryStr } = run.query!
    const results = await mapConcurrently(nodes, this.maxConcurrency, async (entry, index) => {
      const sentences = split[index]!
      if (sentences.length < 2) return this.kept(entry, run, 'kept: it has fewer than two sentences')
      const vars = { context_str: sentences.map((text, at) => `${at + 1}. ${text}`).join('\n'), query_str: queryStr }
      try {
        const answer = await calls.run((options) => this.llm.predict(this.sentenceSelectPrompt, vars, options))
        return this.compressed(entry, sentences, answer, run)
      } catch (error) {
        if (this.onError === 'throw' || run.signal?.aborted) throw error
        return this.kept(entry, run, `kept, because the model failed: ${errorMessage(error)}`)
      }
    })
    return results.filter((entry) => entry !== null)
  }

  private compressed(
    entry: NodeWithScore,
    sentences: readonly string[],
    answer: string,
    run: PostprocessRun,
  ): NodeWithScore | null {
    const numbers = numbersIn(answer, sentences.length)
    if (numbers === null)
      return this.kept(entry, run, 'the answer has no numbers of sentences', this.onUnreadable === 'keep')
    if (numbers.length === 0) return this.kept(entry, run, 'the model chose no sentence', this.onNone === 'keep')
    const reason = `sentences ${numbers.join(', ')} of ${sentences.length}`
    if (numbers.length === sentences.length) return this.kept(entry, run, reason)
    const shorter = withNode(entry, { text: numbers.map((number) => sentences[number - 1]!).join(' ') })
    run.reasons?.set(shorter, reason)
    return shorter
  }

  private kept(entry: NodeWithScore, { reasons }: PostprocessRun, reason: string, keeps = true): NodeWithScore | null {
    reasons?.set(entry, reason)
    return keeps ? entry : null
  }
}

/**
 * Returns the numbers of sentences in an answer, ascending, without duplicates; an empty array for the answer 0 or "none"; null for an
 * answer without either. `2-4` is a range. Numbers above `count` are ignored.
 */
export function numbersIn(answer: string, count: number): number[] | null {
  const text = withoutThinking(answer)
  const chosen = new Set<number>()
  let isNone = /\bnone\b/i.test(text)
  for (const [, from, to = from] of text.matchAll(/(?<![\d.])(\d{1,6})(?:\s?[-–]\s?(\d{1,6}))?(?![\d])/g)) {
    if (from === '0') isNone = true
    for (let number = Math.max(1, Number(from)); number <= Math.min(Number(to), count); number++) chosen.add(number)
  }
  if (chosen.size === 0) return isNone ? [] : null
  return [...chosen].sort((one, other) => one - other)
}
