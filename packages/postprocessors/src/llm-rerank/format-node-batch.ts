import { checkOption, listOf } from '@x/core/options'
import type { TextNode } from '@x/core-model'

/**
 * Formats nodes as a numbered list for a model: `Document 1:` and the content visible to models, separated by blank lines.
 * @example
 * defaultFormatNodeBatchFn([new TextNode({ text: 'a' }), new TextNode({ text: 'b' })]) // => 'Document 1:\na\n\nDocument 2:\nb'
 */
export function defaultFormatNodeBatchFn(nodes: readonly TextNode[]): string {
  checkOption('defaultFormatNodeBatchFn', 'nodes', nodes, listOf('a node', 'getContent'))
  return nodes.map((node, index) => `Document ${index + 1}:\n${node.getContent('llm')}`).join('\n\n')
}
