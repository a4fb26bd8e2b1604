/**
 * @module
 * The answers of agents to questions, without the code that reads them: it needs the classes of all nodes.
 */
import type { Dict, NodeWithScore } from '@x/core-model'

/** An answer and the nodes that it is based on; a {@link QueryResponse} without `fromDict`. */
export class QueryAnswer {
  readonly response: string
  readonly sourceNodes: NodeWithScore[]

  constructor(options: { response: string; sourceNodes?: readonly NodeWithScore[] }) {
    this.response = options.response
    this.sourceNodes = [...(options.sourceNodes ?? [])]
  }

  /** The name in saved tasks. */
  static className(): string {
    return 'Answer'
  }

  toString(): string {
    return this.response
  }

  /** Returns the wire form. */
  toDict(): { response: string; source_nodes: Dict[]; metadata: null } {
    return { response: this.response, source_nodes: this.sourceNodes.map((node) => node.toDict()), metadata: null }
  }

  /** Returns the parts of the answer for a saved task, unchanged. */
  toParts(): Dict {
    return { response: this.response, source_nodes: this.sourceNodes }
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): Dict {
    return this.toDict()
  }
}
