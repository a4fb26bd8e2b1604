import type { TextNode } from '@x/core-model'
import { fields, integer, string } from '@x/core-model/fields'
import { NodeParser } from '@x/node-parser'
import { CodeNode } from './code-node.js'

/** Cuts source code into nodes of some lines each. */
export class LineParser extends /* @__PURE__ */ fields(NodeParser, 'LineParser', {
  /** The language of the code. */
  language: /* @__PURE__ */ string(),
  /** The largest number of lines of a node. */
  linesPerNode: /* @__PURE__ */ integer({ minimum: 1, default: 40 }),
}) {
  protected override async parseNodes(inputs: readonly TextNode[]): Promise<TextNode[][]> {
    return inputs.map((input) => this.cut(input.text))
  }

  private cut(text: string): CodeNode[] {
    const lines = text.split('\n')
    const nodes: CodeNode[] = []
    let start = 0
    for (let line = 0; line < lines.length; line += this.linesPerNode) {
      const piece = lines.slice(line, line + this.linesPerNode).join('\n')
      const place = { firstLine: line + 1, startCharIdx: start, endCharIdx: start + piece.length }
      nodes.push(new CodeNode({ text: piece, language: this.language, ...place }))
      start += piece.length + 1
    }
    return nodes
  }
}
