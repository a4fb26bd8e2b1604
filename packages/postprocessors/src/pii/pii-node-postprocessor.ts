/**
 * @module
 * Masks personal data with a language model.
 */
import { estimateTokens, type NodeWithScore } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/internal'
import { PromptTemplate } from '@x/prompts'
import { PIINodePostprocessorModel } from '../generated/pii-node-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { partsForContext } from '../windows/parts-for-context.ts'
import { withDistinctTags } from './distinct-tags.ts'
import { maskedNodes } from './masked-node.ts'
import { applyPiiMapping } from './pii-mapping.ts'
import { type MaskedText, readPiiAnswer } from './read-pii-answer.ts'

/** The task that is inserted into the prompt as `query_str`. */
const maskingInstruction =
  'Mask every item of personal data in the text and give the mapping from tags to originals as JSON.'

/** The share of the context window for the input: the answer repeats the input and adds the mapping. */
const textShare = 0.4

/**
 * Replaces personal data in each node by tags such as `[NAME1]`, with a language model. Further occurrences of originals that the
 * model's mapping contains are masked too, as are string values of visible metadata. Long nodes are masked in parts.
 * The mapping from tags to originals is stored in the metadata entry `piiNodeInfoKey`, hidden from language and embedding models
 * but not from stores. With `mappingSink` the node does not contain it. `unmask` restores the originals.
 * @throws {ModelValidationError} when the model is missing.
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
   * @throws {PiiParseError} when the model's answer has no mapping that can be read.
   * @throws {ConfigurationError} when the prompt leaves no room in the model's context window.
   */
  maskPii(text: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<MaskedText> {
    return this.mask(text, new ModelCalls(this, { query: null, signal }, 1))
  }

  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const calls = new ModelCalls(this, run, nodes.length)
    const masked = await mapConcurrently(nodes, this.maxConcurrency, (entry) =>
      this.mask(entry.node.getContent('llm'), calls),
    )
    return maskedNodes(nodes, masked, this, run)
  }

  private async mask(text: string, calls: ModelCalls): Promise<MaskedText> {
    const { llm } = this
    const prompt = new PromptTemplate({ template: this.piiStrTmpl })
    const parts = partsForContext(text, llm, {
      className: calls.className,
      reserved: estimateTokens(this.piiStrTmpl) + estimateTokens(maskingInstruction),
      share: textShare,
    })
    calls.expect(parts.length - 1)
    const maskedParts: MaskedText[] = []
    for (const part of parts) {
      const answer = await calls.run((options) =>
        llm.predict(prompt, { context_str: part, query_str: maskingInstruction }, options),
      )
      maskedParts.push(readPiiAnswer(answer, calls.className))
    }
    const joined = parts.length === 1 ? maskedParts[0]! : join(parts, withDistinctTags(maskedParts))
    return { text: applyPiiMapping(joined.text, joined.mapping), mapping: joined.mapping }
  }
}

/** Joins masked parts, with the original white space between them, which the answers do not preserve. */
function join(parts: readonly string[], masked: readonly MaskedText[]): MaskedText {
  const padded = masked.map(({ text }, index) => /^\s*/.exec(parts[index]!)![0] + text + /\s*$/.exec(parts[index]!)![0])
  return {
    text: padded.join('').trim(),
    mapping: Object.fromEntries(masked.flatMap(({ mapping }) => Object.entries(mapping))),
  }
}
