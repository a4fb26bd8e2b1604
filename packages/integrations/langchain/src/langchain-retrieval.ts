import { callbackManager, checkOptions, type OptionTable, required } from '@x/core/options'
import { merge, pick } from '@x/core/values'
import { type CallbackManager, NodeWithScore, NotSupportedError, type QueryBundle, TextNode } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { MissingQueryError, type PostprocessOptions, type PostprocessorLike } from '@x/postprocessors'
import { type RetrieveOptions, Retriever } from '@x/retrieval'
import type { LangChainCompressor, LangChainDocument, LangChainRetrieverLike } from './langchain-types.ts'

/** The metadata key under which LangChain's rerankers store a score. */
const SCORE = 'relevanceScore'

/** Returns the scored node for a document. Its metadata must be JSON; a `relevanceScore` in it becomes the score. */
export function nodeOf({ id, pageContent, metadata }: LangChainDocument): NodeWithScore {
  const { [SCORE]: score } = metadata
  const rest = pick(metadata, (key) => key !== SCORE)
  return new NodeWithScore({
    node: new TextNode({ ...(id !== undefined && { id }), text: pageContent, metadata: rest }),
    score: typeof score === 'number' ? score : null,
  })
}

/** Returns the document for a scored node: its text without metadata, its id, its metadata, and the score as `relevanceScore`. */
export function documentOf({ node, score }: NodeWithScore): LangChainDocument {
  return {
    id: node.id,
    pageContent: node.getContent('none'),
    metadata: merge(node.metadata, score === null ? {} : { [SCORE]: score }),
  }
}

/** Options of {@link LangChainRetriever}. */
interface LangChainRetrieverOptions {
  /** A retriever of LangChain, such as `vectorStore.asRetriever()`. */
  retriever: LangChainRetrieverLike
  callbackManager?: CallbackManager | null | undefined
}

const retrieverOptions: OptionTable<LangChainRetrieverOptions> = {
  retriever: required('a retriever of LangChain', 'invoke'),
  callbackManager,
}

/**
 * A retriever of LangChain as a retriever of `@x`. Each document becomes a node with its id, text and metadata; a
 * `relevanceScore` in the metadata becomes the score, which is null otherwise. Metadata must be JSON.
 * @throws {NotSupportedError} for a search with `filters`: filters of LangChain are options of its retriever.
 * @example
 * import { FakeRetriever } from '@langchain/core/utils/testing'
 *
 * const output = [{ id: 'a', pageContent: 'A pear.', metadata: { page: 3 } }]
 * const retriever = new LangChainRetriever({ retriever: new FakeRetriever({ output }) })
 * const [found] = await retriever.retrieve('pear')
 * found.node.metadata // => { page: 3 }
 */
export class LangChainRetriever extends Retriever {
  private readonly retriever: LangChainRetrieverLike

  constructor(options: LangChainRetrieverOptions) {
    checkOptions('LangChainRetriever', options, retrieverOptions)
    const { retriever, callbackManager } = options
    super(callbackManager)
    this.retriever = retriever
  }

  protected override async search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]> {
    const { signal, filters } = options
    if (filters !== undefined)
      throw new NotSupportedError(
        'LangChainRetriever: filters are not supported; set them on the retriever of LangChain.',
      )
    const config = signal ? { signal } : {}
    const documents = await untilAborted(signal, () => this.retriever.invoke(query.queryStr, config))
    return documents.map(nodeOf)
  }
}

/** The metadata key that identifies the node of a returned document. */
const NODE_ID = '_node_id'

/**
 * A document compressor of LangChain, such as a reranker, as a step of a pipeline of postprocessors. Documents that are returned
 * unchanged become the original nodes, with the score that the compressor set (`relevanceScore`) or their own; a changed text makes
 * a copy of the node with the same id; other documents become new nodes.
 * @example
 * const lastFirst: LangChainCompressor = { compressDocuments: async (documents) => documents.reverse() }
 * const nodes = ['a', 'b'].map((text) => new NodeWithScore({ node: new TextNode({ text }), score: 1 }))
 * const result = await new LangChainPostprocessor(lastFirst).postprocessNodes(nodes, { queryStr: 'q' })
 * result.map(({ text }) => text) // => ['b', 'a']
 */
export class LangChainPostprocessor implements PostprocessorLike {
  private readonly compressor: LangChainCompressor

  constructor(compressor: LangChainCompressor) {
    this.compressor = compressor
  }

  /** A compressor always needs a query. */
  needsQuery(): boolean {
    return true
  }

  /** Returns the nodes for the documents of the compressor, in its order. @throws {MissingQueryError} without a query. */
  async postprocessNodes(nodes: readonly NodeWithScore[], options: PostprocessOptions = {}): Promise<NodeWithScore[]> {
    const query = options.queryStr ?? options.queryBundle?.queryStr
    if (query === undefined) throw new MissingQueryError('LangChainPostprocessor')
    if (nodes.length === 0) return []
    const documents = nodes.map((node, index) => {
      const document = documentOf(node)
      return { ...document, metadata: merge(document.metadata, { [NODE_ID]: index }) }
    })
    const found = await untilAborted(options.signal, () => this.compressor.compressDocuments(documents, query))
    return found.map((document) => scoredNode(document, nodes))
  }
}

function scoredNode(document: LangChainDocument, nodes: readonly NodeWithScore[]): NodeWithScore {
  const { [NODE_ID]: index } = document.metadata
  const metadata = pick(document.metadata, (key) => key !== NODE_ID)
  const found = nodeOf({ ...document, metadata })
  const known = typeof index === 'number' ? nodes[index] : undefined
  if (!known) return found
  const isSame = document.pageContent === known.node.getContent('none')
  const node = isSame ? known.node : known.node.copy({ update: { text: document.pageContent } })
  return known.copy({ update: { node, score: found.score } })
}
