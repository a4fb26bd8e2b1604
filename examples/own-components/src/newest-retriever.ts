import { type CallbackManager, NodeWithScore, type QueryBundle, type TextNode } from '@x/core-model'
import { Retriever } from '@x/retrieval'

/** Returns the newest nodes that contain the query, by their metadata `year`. */
export class NewestRetriever extends Retriever {
  private readonly nodes: readonly TextNode[]

  constructor(nodes: readonly TextNode[], callbackManager?: CallbackManager) {
    super(callbackManager)
    this.nodes = nodes
  }

  protected override search({ queryStr }: QueryBundle): NodeWithScore[] {
    const found = this.nodes.filter(({ text }) => text.includes(queryStr))
    const scored = found.map((node) => new NodeWithScore({ node, score: Number(node.metadata['year'] ?? 0) }))
    return scored.sort((a, b) => b.getScore() - a.getScore())
  }
}
