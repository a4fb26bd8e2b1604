/**
 * @module
 * Reranks nodes with a language model.
 */

import { checkOption, list, listOf, required, text as string } from '@x/core/options'
import { isPlainObject, jsonOr } from '@x/core/values'
import {
  type CallbackEvent,
  estimateTokens,
  isToolkitError,
  type NodeWithScore,
  type ResponseFormat,
  type TextNode,
  withEvent,
} from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { insideEvent } from '@x/core-model/components'
import { getPrompts, type PromptDict, PromptTemplate, promptClasses, updatePrompts } from '@x/prompts'
import { ChoiceParseError } from '../errors.ts'
// biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
import { type LLMRerankOptions as GeneratedOptions, LLMRerankModel } from '../generated/llm-rerank.ts'
import { keepingOrder, type ModelCallOptions, ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance } from '../relevance.ts'
import { withScore } from '../rewrite.ts'
import { readChoices } from './parse-choices.ts'

/** The default prompt of `LLMRerank`; variables `context_str` and `query_str`. `defaultParseChoiceSelectAnswerFn` parses the answer. */
const defaultChoiceSelectTmpl = `Below is a numbered list of documents, and a question. Choose the documents that help to answer the question.
Write one line per chosen document, the most relevant one first: its number, and how relevant it is from 1 (hardly) to 10 (it answers the question). Leave out documents that do not help. Write nothing else, and stop after the last line.

Example of a list:
Document 1:
<text of document 1>

Document 2:
<text of document 2>

Document 3:
<text of document 3>

Question: <question>
Answer:
Doc: 3, Relevance: 9
Doc: 1, Relevance: 4

Now it is your turn.

{context_str}

Question: {query_str}
Answer:
`

/** The default prompt of `LLMRerank` with `answerFormat: 'schema'`; variables `context_str` and `query_str`. */
const rankingTmpl = `Below is a numbered list of documents, and a question. Rank the documents that help to answer the question, the most relevant one first.
Answer with JSON: {{"ranking": [{{"document": <number>, "relevance": <from 1, hardly, to 10, it answers the question>}}]}}
Leave out documents that do not help.

{context_str}

Question: {query_str}
`

/** The options of {@link LLMRerank}. */
export interface LLMRerankOptions extends Omit<GeneratedOptions, 'topN' | 'choiceBatchSize' | 'choiceSelectPrompt'> {
  /** The maximum number of nodes returned. @defaultValue 10 */
  topN?: number | undefined
  /** The maximum number of nodes per model call. @defaultValue 10 */
  choiceBatchSize?: number | undefined
  /** The prompt that asks for the relevant documents; variables `context_str` and `query_str`. @defaultValue a built-in prompt */
  choiceSelectPrompt?: GeneratedOptions['choiceSelectPrompt'] | undefined
}

/**
 * Parses the answer of a model: returns the chosen documents, numbered from 1 within their batch, and their relevances.
 * Without relevances each chosen document has the relevance 1.
 */
export type ChoiceParser = (
  answer: string,
  numChoices: number,
) => {
  choices: readonly (number | string)[]
  relevances?: readonly (number | string)[] | null | undefined
  /** Whether the answer cannot be parsed. False for an answer that chooses nothing. @defaultValue false */
  unreadable?: boolean | undefined
}

/**
 * Reranks nodes with a language model: sends them to the model in batches, uses the relevance of each chosen node as its new
 * score, and returns the first `topN`, best first. Requires a query. Nodes that the model does not choose are dropped. If an answer cannot
 * be parsed, the nodes of its batch are kept after the chosen nodes; `onUnreadable` can change this. With `onError: 'keep'`, a model that
 * fails leaves the nodes in their order.
 * Scores of different batches come from different calls and are less comparable, so prefer one batch. A batch that exceeds the
 * model's context window is halved. With `answerFormat: 'schema'`, the model ranks the nodes of a batch by a JSON schema.
 * @throws {ModelValidationError} if `llm` is missing, `topN` is below 0 or `choiceBatchSize` is below 1.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Doc: 2, Relevance: 9\nDoc: 1, Relevance: 3'] })
 * const rerank = new LLMRerank({ llm, topN: 1 })
 * const nodes = ['dogs bark', 'cats purr'].map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
 * ;(await rerank.postprocessNodes(nodes, { queryStr: 'What do cats do?' })).map(({ text, score }) => [text, score]) // => [['cats purr', 9]]
 */
export class LLMRerank extends LLMRerankModel {
  constructor(options: LLMRerankOptions) {
    const { topN = 10, choiceBatchSize = 10, answerFormat } = options ?? {}
    const {
      choiceSelectPrompt = new PromptTemplate({
        promptType: 'choice_select',
        template: answerFormat === 'schema' ? rankingTmpl : defaultChoiceSelectTmpl,
      }),
      ...rest
    } = options ?? {}
    super({ ...rest, topN, choiceBatchSize, choiceSelectPrompt })
  }

  static override nested() {
    return { choiceSelectPrompt: promptClasses() }
  }

  override needsQuery() {
    return true
  }

  /** Returns the prompt under the key `choice_select_prompt`. */
  getPrompts(): PromptDict {
    return getPrompts({ prompts: { choice_select_prompt: this.choiceSelectPrompt } })
  }

  /** Replaces the prompt. @throws {PromptKeyError} for a key other than `choice_select_prompt`. */
  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts(
      { prompts: { choice_select_prompt: this.choiceSelectPrompt } },
      prompts,
      ({ choice_select_prompt: prompt }) => {
        this.choiceSelectPrompt = prompt!
      },
    )
  }

  /**
   * @throws {ChoiceParseError} if the model chooses no node of a batch and `onNoChoice` is `throw`, or if its answer cannot be parsed
   *   and `onUnreadable` is `throw`.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { topN, llm } = this
    const { reasons } = run
    if (topN === 0) return []
    const { queryStr } = run.query!
    const format = this.formatNodeBatchFn ?? defaultFormatNodeBatchFn
    const start = () => ({ nodes, model_name: llm.metadata.modelName, query_str: queryStr, top_k: topN })
    const rerank = async (event: CallbackEvent) => {
      const batches = this.batches(nodes, queryStr, format)
      const calls = new ModelCalls(this, insideEvent(event, run), batches.length)
      const answers = await mapConcurrently(batches, this.maxConcurrency, ({ text }) =>
        calls.run((options) => this.ask({ context_str: text, query_str: queryStr }, options)),
      )
      const chosen: NodeWithScore[] = []
      const unscored: NodeWithScore[] = []
      batches.forEach(({ entries }, index) => {
        const batch = `batch ${index + 1}`
        for (const entry of entries) reasons?.set(entry, `not chosen in ${batch}, or not among the first ${topN}`)
        const answer = answers[index]!
        const { relevances, unreadable } = this.read(answer, entries.length)
        if (unreadable) {
          if (this.onUnreadable === 'throw')
            throw new ChoiceParseError(answer, `the answer for ${batch} cannot be read`, LLMRerank.className())
          for (const entry of entries) reasons?.set(entry, `the answer for ${batch} cannot be read`)
          if (this.onUnreadable === 'keep') unscored.push(...entries)
          return
        }
        if (relevances.size === 0 && this.onNoChoice === 'throw')
          throw new ChoiceParseError(answer, `no node of ${batch} was chosen`, LLMRerank.className())
        if (relevances.size === 0 && this.onNoChoice === 'keep')
          unscored.push(...entries.map((entry) => this.rescored(entry, null, run, `no node of ${batch} was chosen`)))
        for (const [choice, relevance] of relevances)
          chosen.push(
            this.rescored(entries[choice - 1]!, relevance, run, `chosen in ${batch} with relevance ${relevance}`),
          )
      })
      const best = [...byRelevance(chosen), ...unscored].slice(0, topN)
      event.end({ nodes: best })
      return best
    }
    const { callbackManager = this.callbackManager, parentId } = run
    return keepingOrder(this, nodes, run, () => withEvent(callbackManager, 'reranking', start, rerank, { parentId }))
  }

  /** Returns the answer of the model: by the schema if `answerFormat` says so and the provider supports it. */
  private async ask(vars: Readonly<Record<string, unknown>>, options: ModelCallOptions): Promise<string> {
    const { llm, choiceSelectPrompt, answerFormat } = this
    if (answerFormat === 'text') return llm.predict(choiceSelectPrompt, vars, options)
    try {
      return await llm.predict(choiceSelectPrompt, vars, { ...options, responseFormat: rankingFormat })
    } catch (error) {
      // A `ModelCallError`, whose package is not needed here.
      if (!isToolkitError(error) || (error as { kind?: unknown }).kind !== 'bad_request') throw error
      return llm.predict(choiceSelectPrompt, vars, options)
    }
  }

  private batches(
    nodes: readonly NodeWithScore[],
    query: string,
    format: (nodes: readonly TextNode[]) => string,
  ): { entries: readonly NodeWithScore[]; text: string }[] {
    const { contextWindow, numOutput } = this.llm.metadata
    const room =
      (contextWindow ?? Number.POSITIVE_INFINITY) -
      numOutput -
      estimateTokens(this.choiceSelectPrompt.getTemplate({ llm: this.llm })) -
      estimateTokens(query)
    const fitting = (entries: readonly NodeWithScore[]): { entries: readonly NodeWithScore[]; text: string }[] => {
      const text = format(entries.map(({ node }) => node))
      checkOption(LLMRerank.className(), 'formatNodeBatchFn()', text, required(string))
      // Negated: `room` is NaN for a model with incomplete metadata, which receives the whole batch.
      if (entries.length === 1 || !(estimateTokens(text) > room)) return [{ entries, text }]
      const half = Math.ceil(entries.length / 2)
      return [...fitting(entries.slice(0, half)), ...fitting(entries.slice(half))]
    }
    const batches: { entries: readonly NodeWithScore[]; text: string }[] = []
    for (let start = 0; start < nodes.length; start += this.choiceBatchSize)
      batches.push(...fitting(nodes.slice(start, start + this.choiceBatchSize)))
    return batches
  }

  /** Returns the best relevance per chosen document, in the order of first mention. */
  private read(answer: string, count: number): { relevances: Map<number, number>; unreadable: boolean } {
    const readsSchema = this.answerFormat === 'schema'
    const parse: ChoiceParser = this.parseChoiceSelectAnswerFn ?? (readsSchema ? readRanking : readChoices)
    const parsed = parse(answer, count)
    const { choices, relevances, unreadable = false } = parsed ?? {}
    const check = (name: string, value: unknown, is: typeof list) =>
      checkOption(LLMRerank.className(), `parseChoiceSelectAnswerFn().${name}`, value, is)
    check('choices', choices, required(list))
    check('relevances', relevances ?? null, list)
    const scored = relevances && relevances.length > 0 ? choices.slice(0, relevances.length) : choices
    const best = new Map<number, number>()
    scored.forEach((choice, index) => {
      const place = Number(choice)
      const relevance = relevances && relevances.length > 0 ? Number(relevances[index]) : 1
      if (!Number.isInteger(place) || place < 1 || place > count || !Number.isFinite(relevance)) return
      best.set(place, Math.max(relevance, best.get(place) ?? Number.NEGATIVE_INFINITY))
    })
    return { relevances: best, unreadable }
  }

  private rescored(
    entry: NodeWithScore,
    score: number | null,
    { reasons }: PostprocessRun,
    reason: string,
  ): NodeWithScore {
    const scored = withScore(entry, score, this.keepRetrievalScore)
    reasons?.set(scored, reason)
    return scored
  }
}

/** Asks for `{ ranking: [{ document, relevance }] }`. */
const rankingFormat: ResponseFormat = {
  type: 'json',
  name: 'ranking',
  strict: true,
  schema: {
    type: 'object',
    properties: {
      ranking: {
        type: 'array',
        items: {
          type: 'object',
          properties: { document: { type: 'integer' }, relevance: { type: 'integer' } },
          required: ['document', 'relevance'],
          additionalProperties: false,
        },
      },
    },
    required: ['ranking'],
    additionalProperties: false,
  },
}

/** Reads an answer by the schema; other answers as text. */
export function readRanking(answer: string, numChoices: number): ReturnType<typeof readChoices> {
  const { ranking } = Object(jsonOr(answer)) as { ranking?: unknown }
  // The provider may not support schemas.
  if (!Array.isArray(ranking)) return readChoices(answer, numChoices)
  const entries = ranking.filter(isPlainObject)
  return {
    choices: entries.map(({ document }) => document as number),
    relevances: entries.map(({ relevance }) => relevance as number),
    unreadable: false,
  }
}

/**
 * Formats nodes as a numbered list for a model: `Document 1:` and the content visible to models, separated by blank lines.
 * @example
 * defaultFormatNodeBatchFn([new TextNode({ text: 'a' }), new TextNode({ text: 'b' })]) // => 'Document 1:\na\n\nDocument 2:\nb'
 */
export function defaultFormatNodeBatchFn(nodes: readonly TextNode[]): string {
  checkOption('defaultFormatNodeBatchFn', 'nodes', nodes, listOf('a node', 'getContent'))
  return nodes.map((node, index) => `Document ${index + 1}:\n${node.getContent('llm')}`).join('\n\n')
}
