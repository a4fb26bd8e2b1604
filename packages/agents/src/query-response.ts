/**
 * @module
 * The answer of a query engine.
 */
import type { Dict, NodeWithScore } from '@x/core-model'

/** An answer with the nodes behind it. */
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

  /** The answer in wire form. */
  toDict(): { response: string; source_nodes: Dict[]; metadata: null } {
    return { response: this.response, source_nodes: this.sourceNodes.map((node) => node.toDict()), metadata: null }
  }

  /** Lets `JSON.stringify` write the wire form. */
  toJSON(): Dict {
    return this.toDict()
  }
}
