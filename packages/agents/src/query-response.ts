/**
 * @module
 * The answer of a query engine.
 */
import type { NodeWithScore } from '@x/core-model'

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
}
