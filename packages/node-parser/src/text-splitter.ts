/**
 * @module
 * The base class of parsers that split text into strings.
 */
import type { TextNode } from '@x/core-model'
import { mapInTurns } from '@x/core-model/async'
import { buildNodesFromSplits } from './build-nodes.ts'
import { TextSplitterModel } from './generated/text-splitter.ts'
import type { ParseOptions } from './node-parser.ts'

/**
 * The base class of text splitters. A subclass implements `splitText`.
 * The offsets of each chunk are found by searching for it, from the end of the previous chunk.
 */
export abstract class TextSplitter extends TextSplitterModel {
  /** Returns the chunks of a string, in order. */
  abstract splitText(text: string): readonly string[] | Promise<readonly string[]>

  protected override async parseNodes(inputs: readonly TextNode[], { signal }: ParseOptions): Promise<TextNode[][]> {
    return mapInTurns(inputs, signal, async (input) => {
      const nodes = buildNodesFromSplits(await this.splitText(input.text), input, { idFunc: this.idFunc })
      locate(nodes, input.text)
      return nodes
    })
  }
}

/** Finds the offsets of each chunk: after the previous chunk, otherwise overlapping it, otherwise anywhere. */
function locate(nodes: readonly TextNode[], text: string): void {
  let start = -1
  let end = 0
  for (const node of nodes) {
    if (node.text === '') continue
    let found = text.indexOf(node.text, end)
    if (found < 0) found = text.indexOf(node.text, start + 1)
    if (found < 0) found = text.indexOf(node.text)
    if (found < 0) continue
    start = found
    end = found + node.text.length
    node.startCharIdx = start
    node.endCharIdx = end
  }
}
