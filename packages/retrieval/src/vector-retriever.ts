/**
 * @module
 * A retriever that ranks nodes by the similarity of their embeddings to that of the query.
 */
import {
  type CallbackManager,
  type EmbeddingModel,
  meanAgg,
  NodeWithScore,
  type QueryBundle,
  type TextNode,
} from '@x/core-model'
import { type RetrieveOptions, Retriever } from './retriever.ts'
import { VectorIndex } from './vector-index.ts'

/** The options of {@link VectorRetriever}. */
export interface VectorRetrieverOptions {
  embedModel: EmbeddingModel
  /** The maximum number of nodes returned. @defaultValue 2 */
  similarityTopK?: number | undefined
  callbackManager?: CallbackManager | null | undefined
}

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query.
 * The search is exact and reads every vector: suitable for some ten thousand nodes.
 * @example
 * const embedModel = new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] }, queries: { fruit: [1, 0.2] } })
 * const nodes = ['pear', 'wine'].map((text) => new TextNode({ text }))
 * const retriever = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 1 })
 * const [best] = await retriever.retrieve('fruit')
 * best.text // => 'pear'
 */
export class VectorRetriever extends Retriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly index = new VectorIndex()
  private readonly nodes: TextNode[] = []

  constructor(options: VectorRetrieverOptions) {
    super(options.callbackManager)
    this.embedModel = options.embedModel
    this.similarityTopK = options.similarityTopK ?? 2
  }

  /** Creates a retriever over nodes. Nodes without an embedding are embedded in one batch. */
  static async fromNodes(
    nodes: Iterable<TextNode>,
    options: VectorRetrieverOptions & RetrieveOptions,
  ): Promise<VectorRetriever> {
    const retriever = new VectorRetriever(options)
    await retriever.add(nodes, options)
    return retriever
  }

  /** The number of nodes. */
  get size(): number {
    return this.nodes.length
  }

  /** Adds nodes to the index. Nodes without an embedding are embedded in one batch; the nodes are not changed. */
  async add(nodes: Iterable<TextNode>, { signal }: RetrieveOptions = {}): Promise<void> {
    const all = [...nodes]
    const unembedded = all.filter(({ embedding }) => embedding === null)
    const contents = unembedded.map((node) => node.getContent('embed'))
    const embeddings = contents.length > 0 ? await this.embedModel.getTextEmbeddingBatch(contents, { signal }) : []
    const vectors = new Map(unembedded.map((node, i) => [node, embeddings[i]!]))
    for (const node of all) {
      this.index.add(node.embedding ?? vectors.get(node)!)
      this.nodes.push(node)
    }
  }

  protected async search(query: QueryBundle, { signal }: RetrieveOptions): Promise<NodeWithScore[]> {
    const vector = query.embedding ?? (await this.embed(query, signal))
    const matches = this.index.search(vector, this.similarityTopK)
    return matches.map(({ index, score }) => new NodeWithScore({ node: this.nodes[index]!, score }))
  }

  private async embed(query: QueryBundle, signal: AbortSignal | undefined): Promise<number[]> {
    const strings = query.customEmbeddingStrs ?? [query.queryStr]
    const vectors = await Promise.all(strings.map((string) => this.embedModel.getQueryEmbedding(string, { signal })))
    return vectors.length === 1 ? vectors[0]! : meanAgg(vectors)
  }
}
