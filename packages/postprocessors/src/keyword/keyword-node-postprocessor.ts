/**
 * @module
 * Filters nodes by the words in their text.
 */
import { ModelValidationError, type NodeWithScore } from '@x/core-model'
import { mapInTurns } from '@x/core-model/async'
import {
  KeywordNodePostprocessorModel,
  type KeywordNodePostprocessorOptions,
} from '../generated/keyword-node-postprocessor.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { languageFaults } from '../segmenter.ts'
import { keywordFaults, keywordMatcher } from './match-keyword.ts'

/**
 * Keeps the nodes whose text contains one of `requiredKeywords` and none of `excludeKeywords`, in input order. Metadata is not
 * searched. Keywords are whole words or phrases, in any language that the platform's `Intl.Segmenter` supports.
 * @throws {ModelValidationError} for a blank keyword or an invalid language tag.
 * @example
 * const about = new KeywordNodePostprocessor({ requiredKeywords: ['New York'], excludeKeywords: ['draft'] })
 * const nodes = ['in New  York City', 'New Yorkers', 'New York (draft)'].map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
 * ;(await about.postprocessNodes(nodes)).map(({ text }) => text) // => ['in New  York City']
 */
export class KeywordNodePostprocessor extends KeywordNodePostprocessorModel {
  constructor(options?: KeywordNodePostprocessorOptions) {
    super(options)
    const faults = [
      ...keywordFaults('requiredKeywords', this.requiredKeywords),
      ...keywordFaults('excludeKeywords', this.excludeKeywords),
      ...languageFaults(this.lang),
    ]
    if (faults.length > 0) throw new ModelValidationError('KeywordNodePostprocessor', faults)
  }

  /** @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`. */
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons, signal }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { requiredKeywords, excludeKeywords, match, lang, caseSensitive, wordBoundaries } = this
    const options = { lang, caseSensitive, wordBoundaries }
    const required = requiredKeywords.length > 0 ? keywordMatcher(requiredKeywords, { ...options, match }) : () => true
    const excluded = excludeKeywords.length > 0 ? keywordMatcher(excludeKeywords, options) : () => false
    const kept = await mapInTurns(nodes, signal, (entry) => {
      const text = entry.node.getContent('none')
      const lacks = !required(text)
      const isKept = !lacks && !excluded(text)
      reasons?.set(
        entry,
        lacks
          ? `does not contain ${match === 'all' ? 'all required keywords' : 'any required keyword'}`
          : isKept
            ? 'matches the keywords'
            : 'contains an excluded keyword',
      )
      return isKept
    })
    return nodes.filter((_, at) => kept[at])
  }
}
