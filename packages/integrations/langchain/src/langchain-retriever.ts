import { checkOptions, type OptionTable, required, unchecked } from '@x/core/options'
import { type CallbackManager, type NodeWithScore, NotSupportedError, type QueryBundle } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { type RetrieveOptions, Retriever } from '@x/retrieval'
import { nodeOf } from './documents.ts'
import type { LangChainRetrieverLike } from './langchain-types.ts'

/** Options of {@link LangChainRetriever}. */
interface LangChainRetrieverOptions {
  /** A retriever of LangChain, such as `vectorStore.asRetriever()`. */
  retriever: LangChainRetrieverLike
  callbackManager?: CallbackManager | null | undefined
}

const retrieverOptions: OptionTable<LangChainRetrieverOptions> = {
  retriever: required('a retriever of LangChain', 'invoke'),
  callbackManager: unchecked,
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
