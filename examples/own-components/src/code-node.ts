import { TextNode } from '@x/core-model'
import { fields, integer, string } from '@x/core-model/fields'

/** A piece of source code. */
export class CodeNode extends /* @__PURE__ */ fields(TextNode, 'CodeNode', {
  /** The programming language. */
  language: /* @__PURE__ */ string({ minLength: 1 }),
  /** The line on which the code starts, from 1. */
  firstLine: /* @__PURE__ */ integer({ minimum: 1, default: 1 }),
}) {
  /** The number of lines. */
  get lineCount(): number {
    return this.text.split('\n').length
  }
}
