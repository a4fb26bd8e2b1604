/**
 * @module
 * Mask personal data with a language model.
 */
import { estimateTokens, type NodeWithScore } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/internal'
import { PromptTemplate } from '@x/prompts'
import {
  type PIINodePostprocessorFields,
  type PIINodePostprocessorOptions,
  piiNodePostprocessorSpec,
} from '../generated/models.ts'
import { ModelCalls } from '../model-calls.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'
import { partsForContext } from '../windows/parts-for-context.ts'
import { withDistinctTags } from './distinct-tags.ts'
import { maskedNodes } from './masked-node.ts'
import { applyPiiMapping } from './pii-mapping.ts'
import { type MaskedText, readPiiAnswer } from './read-pii-answer.ts'

export interface PIINodePostprocessor extends PIINodePostprocessorFields {}

/** What the masking model is asked for, besides the prompt. */
const maskingInstruction =
  'Mask every item of personal data in the text and give the mapping from tags to originals as JSON.'

/** The answer repeats the text and adds the mapping: what a text may take of the context window. */
const textShare = 0.4

/**
 * Lets a model replace personal data in each node by tags such as `[NAME1]`; needs no query. What the model leaves unmasked although
 * its mapping names it is masked too, and so are visible texts in metadata. Long texts are masked part by part.
 * The mapping back to the original data is the metadata entry `piiNodeInfoKey`, hidden from models and embeddings but not from
 * stores; `mappingSink` keeps it off the node. `unmask` puts the data back.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Ask [NAME1].\nOutput Mapping:\n{"NAME1": "Bob"}'] })
 * const mask = new PIINodePostprocessor({ llm })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Ask Bob.' }) })])
 * entry.text // => 'Ask [NAME1].'
 * unmask(entry.text, entry.metadata.__pii_node_info__) // => 'Ask Bob.'
 */
export class PIINodePostprocessor extends NodePostprocessor {
  /** @throws {ModelValidationError} when the model is missing. */
  constructor(options: PIINodePostprocessorOptions) {
    super(options)
  }

  static override spec() {
    return piiNodePostprocessorSpec
  }

  /**
   * The text with personal data replaced by tags, and what each tag, without brackets, stands for.
   * @throws {PiiParseError} when the model's answer has no readable mapping.
   * @throws {ConfigurationError} when the prompt fills the model's context window.
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
      taken: estimateTokens(this.piiStrTmpl) + estimateTokens(maskingInstruction),
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

/** The parts as one, with the white space between them, which the answers do not keep. */
function join(parts: readonly string[], masked: readonly MaskedText[]): MaskedText {
  const texts = masked.map(({ text }, index) => /^\s*/.exec(parts[index]!)![0] + text + /\s*$/.exec(parts[index]!)![0])
  return {
    text: texts.join('').trim(),
    mapping: Object.fromEntries(masked.flatMap(({ mapping }) => Object.entries(mapping))),
  }
}
