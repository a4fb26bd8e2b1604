/**
 * @module
 * A retriever that replaces the index nodes it finds by their targets.
 */
import { callbackManager, checkOptions, type OptionTable, required } from '@x/core/options'
import type { NodeWithScore, QueryBundle } from '@x/core-model'
import { followerOptions, IndexNodeFollower, type IndexNodeFollowerOptions } from './index-node-follower.ts'
import { type RetrieveOptions, Retriever, type RetrieverLike, type RetrieverOptions } from './retriever.ts'
import { scopeKeys } from './scope.ts'

/** The options of {@link RecursiveRetriever}. */
interface RecursiveRetrieverOptions extends IndexNodeFollowerOptions, Omit<RetrieverOptions, 'filters'> {
  /** Finds nodes and index nodes. */
  retriever: RetrieverLike
}

const recursiveOptions: OptionTable<RecursiveRetrieverOptions> = {
  ...followerOptions,
  retriever: required('a retriever', 'retrieve'),
  scope: scopeKeys,
  callbackManager,
}

/**
 * Searches with a retriever and replaces the index nodes it finds by their targets; see {@link IndexNodeFollower}.
 * @throws {ModelValidationError} if `maxDepth` is out of range.
 * @example
 * const table = new TextNode({ id: 't', text: '| apple | 2 |' })
 * const summary = new IndexNode({ text: 'Prices of fruit', indexId: 't', obj: table })
 * const retriever = new RecursiveRetriever({ retriever: new Bm25Retriever({ nodes: [summary] }) })
 * ;(await retriever.retrieve('price')).map(({ text }) => text) // => ['| apple | 2 |']
 */
export class RecursiveRetriever extends Retriever {
  private readonly retriever: RetrieverLike
  private readonly follower: IndexNodeFollower

  constructor(options: RecursiveRetrieverOptions) {
    checkOptions('RecursiveRetriever', options, recursiveOptions)
    const { retriever, scope, callbackManager, ...follow } = options
    super(callbackManager, scope)
    this.retriever = retriever
    this.follower = new IndexNodeFollower(follow)
  }

  protected async search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]> {
    const found = await this.retriever.retrieve(query, options)
    return this.follower.postprocessNodes(found, { ...options, queryBundle: query })
  }
}
