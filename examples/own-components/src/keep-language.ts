import type { NodeWithScore } from '@x/core-model'
import { boolean, fields, string } from '@x/core-model/fields'
import { NodePostprocessor } from '@x/postprocessors'
import { CodeNode } from './code-node.js'

/** Keeps code in one language. */
export class KeepLanguage extends /* @__PURE__ */ fields(NodePostprocessor, 'KeepLanguage', {
  /** The language. */
  language: /* @__PURE__ */ string(),
  /** Whether other texts are kept. */
  keepTexts: /* @__PURE__ */ boolean({ default: false }),
}) {
  protected override async process(nodes: readonly NodeWithScore[]): Promise<NodeWithScore[]> {
    return nodes.filter(({ node }) => (node instanceof CodeNode ? node.language === this.language : this.keepTexts))
  }
}
