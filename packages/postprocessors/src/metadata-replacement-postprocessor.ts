/**
 * @module
 * Replaces the text of a node, which was used for the search, by a string from its metadata.
 */
import type { NodeWithScore } from '@x/core-model'
import { valueText } from '@x/core-model/text'
import { InvalidMetadataError } from './errors.ts'
import { MetadataReplacementPostProcessorModel } from './generated/metadata-replacement-postprocessor.ts'
import type { PostprocessRun } from './node-postprocessor.ts'
import { withNode } from './rewrite.ts'

/**
 * Replaces the text of each node by its metadata entry `targetMetadataKey`, such as the sentences around it.
 * A node whose entry is missing or null is returned unchanged. Numbers and booleans are converted to strings.
 * @throws {ModelValidationError} if the key is missing or not a string.
 * @example
 * const window = new MetadataReplacementPostProcessor({ targetMetadataKey: 'window' })
 * const entry = new NodeWithScore({ node: new TextNode({ text: 'b.', metadata: { window: 'a. b. c.' } }) })
 * ;(await window.postprocessNodes([entry]))[0].text // => 'a. b. c.'
 */
export class MetadataReplacementPostProcessor extends MetadataReplacementPostProcessorModel {
  /** @throws {InvalidMetadataError} if the entry is not a string, a boolean or a finite number. */
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const key = this.targetMetadataKey
    return nodes.map((entry) => {
      const value = Object.hasOwn(entry.node.metadata, key) ? entry.node.metadata[key] : null
      if (value === null || value === undefined) {
        reasons?.set(entry, `no metadata entry "${key}"`)
        return entry
      }
      if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value))
        throw new InvalidMetadataError(
          MetadataReplacementPostProcessor.className(),
          entry.nodeId,
          key,
          'a string, a number or a boolean',
        )
      const text = typeof value === 'boolean' ? String(value) : valueText(value)
      const replaced = withNode(entry, { text })
      reasons?.set(replaced, `text is metadata entry "${key}"`)
      return replaced
    })
  }
}
