/**
 * @module
 * Masks personal data with a language model.
 */
import { checkGiven, text as string } from '@x/core/options'
import { estimateTokens, type NodeWithScore, type TextNode } from '@x/core-model'
import { mapConcurrently, mapInTurns } from '@x/core-model/async'
import { PromptTemplate } from '@x/prompts'
import { PIINodePostprocessorModel } from '../generated/pii-node-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { partsForContext } from '../windows/text-windows.ts'
import { applyAnswer } from './apply-answer.ts'
import { withDistinctTags } from './distinct-tags.ts'
import { checkedTagName } from './keyed-tags.ts'
import { bracketedIn, type MaskedTexts } from './mask-places.ts'
import {
  assertReversible,
  type MaskedNodes,
  maskBeforeStoring,
  maskedNodes,
  objectOf,
  withMasked,
  withObjects,
} from './masked-node.ts'
import { nodeStrings } from './node-strings.ts'
import { bracketed } from './pii-mapping.ts'
import { type MaskedText, readPiiAnswer } from './read-pii-answer.ts'

/** The task that is inserted into the prompt as `query_str`. */
const maskingInstruction =
  'Mask every item of personal data in the text and give the mapping from tags to originals as JSON.'

/** The share of the context window for the input: the answer repeats the input and adds the mapping. */
const textShare = 0.4

/**
 * Replaces personal data in each node by tags such as `[NAME1]`, with a language model. The masked text is the original text with the
 * originals of the model's mapping replaced, never the text in the model's answer. Keys and values of metadata for language or embedding
 * models are masked too, and the metadata of relationships. Long nodes are masked in parts.
 * The mapping from tags to originals is stored in the metadata entry `piiNodeInfoKey`, hidden from language and embedding models
 * but not from stores. With `mappingSink` the node does not contain it. `unmask` restores the originals.
 * @throws {ModelValidationError} if the model is missing.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Ask [NAME1].\nOutput Mapping:\n{"NAME1": "Bob"}'] })
 * const mask = new PIINodePostprocessor({ llm })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Ask Bob.' }) })])
 * entry.text // => 'Ask [NAME1].'
 * unmask(entry.text, entry.metadata['__pii_node_info__'] as Record<string, unknown>) // => 'Ask Bob.'
 */
export class PIINodePostprocessor extends PIINodePostprocessorModel {
  /**
   * Returns the string with personal data replaced by tags, and the mapping from tags (without brackets) to originals.
   * @throws {PiiParseError} if the mapping in the model's answer is missing or invalid, or does not match the string.
   * @throws {PiiMaskingError} if the mapping does not restore the string.
   * @throws {ConfigurationError} if the prompt leaves no room in the model's context window.
   */
  async maskPii(text: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<MaskedText> {
    checkGiven('maskPii', { text }, string)
    const calls = new ModelCalls(this, { query: null, signal }, 1)
    const masked = applyAnswer(
      [text],
      await this.ask(text, calls),
      calls.className,
      checkedTagName(calls.className, this.tagName),
    )
    assertReversible(calls.className, [text], masked)
    return { text: masked.texts[0]!, mapping: masked.mapping }
  }

  /**
   * Masks the nodes of an ingestion before they are stored, so that neither the store nor an index contains an original: put it behind the
   * parser in `transformations`. `mappingSink` receives the mapping of each node; keep it outside of the store.
   * @throws {ConfigurationError} if `mappingSink` is missing.
   */
  async transform(nodes: readonly TextNode[], options: { signal?: AbortSignal | undefined } = {}): Promise<TextNode[]> {
    return maskBeforeStoring(this, nodes, options, (run) => this.maskNodes(nodes, run))
  }

  /** @throws {PiiMaskingError} if a model would still receive an original, or the mapping does not restore the node. */
  protected override async process(entries: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const nodes = entries.map(({ node }) => node)
    return withMasked(entries, await this.maskNodes(nodes, run), run)
  }

  private async maskNodes(nodes: readonly TextNode[], run: PostprocessRun): Promise<MaskedNodes> {
    const all = withObjects(nodes)
    const calls = new ModelCalls(this, run, all.length)
    const answers = await mapConcurrently(all, this.maxConcurrency, (node) => this.ask(node.getContent('llm'), calls))
    const byNode = new Map(all.map((node, index) => [node, answers[index]!]))
    const masked = await mapInTurns(all, run.signal, (node, index) => {
      // The hidden cells of an index node are those of its table.
      const object = objectOf(node)
      const answer = object ? withMapping(answers[index]!, byNode.get(object)!) : answers[index]!
      const result = applyAnswer(
        nodeStrings(node),
        answer,
        calls.className,
        checkedTagName(calls.className, this.tagName),
      )
      return object ? usedMapping(result, answers[index]!) : result
    })
    return maskedNodes(calls.className, all, masked, this, run.signal)
  }

  /** Returns the combined answers of the model for the parts of a string. */
  private async ask(text: string, calls: ModelCalls): Promise<MaskedText> {
    const { llm } = this
    const prompt = new PromptTemplate({ template: this.piiStrTmpl })
    const parts = partsForContext(text, llm, {
      className: calls.className,
      reserved: estimateTokens(this.piiStrTmpl) + estimateTokens(maskingInstruction),
      share: textShare,
    })
    calls.expect(parts.length - 1)
    const answers: MaskedText[] = []
    for (const part of parts) {
      const answer = await calls.run((options) =>
        llm.predict(prompt, { context_str: part, query_str: maskingInstruction }, options),
      )
      answers.push(readPiiAnswer(answer, calls.className))
    }
    const distinct = parts.length === 1 ? answers : withDistinctTags(answers)
    return {
      text: distinct.map((answer) => answer.text).join('\n'),
      mapping: Object.fromEntries(distinct.flatMap(({ mapping }) => Object.entries(mapping))),
    }
  }
}

/** Returns an answer with the mapping of another one in addition. */
function withMapping(answer: MaskedText, other: MaskedText): MaskedText {
  const [own, more] = withDistinctTags([answer, other])
  return { text: own!.text, mapping: { ...more!.mapping, ...own!.mapping } }
}

/** Returns masked strings without the entries of the mapping that neither the strings nor the answer for them has. */
function usedMapping(masked: MaskedTexts, { mapping }: MaskedText): MaskedTexts {
  const used = bracketedIn(masked.texts)
  const entries = Object.entries(masked.mapping).filter(
    ([key]) => Object.hasOwn(mapping, key) || used.has(bracketed(key)),
  )
  return { ...masked, mapping: Object.fromEntries(entries) }
}
