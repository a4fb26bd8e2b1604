/**
 * @module
 * The answer of a query engine.
 */
import type { Dict, NodeWithScore } from '@x/core-model'

/** An answer and the nodes that it is based on. */
export class QueryResponse {
  readonly response: string
  readonly sourceNodes: NodeWithScore[]

  constructor(options: { response: string; sourceNodes?: readonly NodeWithScore[] }) {
    this.response = options.response
    this.sourceNodes = [...(options.sourceNodes ?? [])]
  }

  toString(): string {
    return this.response
  }

  /** Returns the wire form. */
  toDict(): { response: string; source_nodes: Dict[]; metadata: null } {
    return { response: this.response, source_nodes: this.sourceNodes.map((node) => node.toDict()), metadata: null }
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): Dict {
    return this.toDict()
  }
}
