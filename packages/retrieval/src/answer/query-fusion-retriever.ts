/**
 * @module
 * A retriever that searches with several forms of a question and fuses the results.
 */
import {
  callback,
  callbackManager,
  checkOptions,
  numberFrom,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import type { CallbackManager, NodeWithScore, QueryBundle } from '@x/core-model'
import { HybridRetriever } from '../hybrid-retriever.ts'
import { type CancelOptions, type RetrieveOptions, Retriever, type RetrieverLike } from '../retriever.ts'

/** The options of {@link QueryFusionRetriever}. */
interface QueryFusionRetrieverOptions {
  retriever: RetrieverLike
  /** Returns further questions for a question, such as `rewriteQuestion`. */
  questions: (
    question: string,
    options: CancelOptions & { parentId?: string | undefined },
  ) => Promise<readonly string[]>
  /** The weight of the question itself; each further one has the weight 1. @defaultValue 2 */
  weight?: number | undefined
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
  callbackManager?: CallbackManager | null | undefined
}

const fusionOptions: OptionTable<QueryFusionRetrieverOptions> = {
  retriever: required('a retriever', 'retrieve'),
  questions: required(callback),
  weight: numberFrom(0),
  similarityTopK: wholeNumber(0),
  callbackManager,
}

/**
 * Searches with a question and with further questions for it, at the same time, and fuses the results by their scaled scores, as
 * {@link HybridRetriever} does. A node that several of them find is returned once.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * const nodes = ['Pears ripen in autumn.', 'Season of pears: September.'].map((text) => new TextNode({ id: text, text }))
 * const questions = async () => ['season of pears']
 * const retriever = new QueryFusionRetriever({ retriever: new Bm25Retriever({ nodes, similarityTopK: 1 }), questions })
 * ;(await retriever.retrieve('When do they ripen?')).length // => 2
 */
export class QueryFusionRetriever extends Retriever {
  similarityTopK: number
  private readonly options: QueryFusionRetrieverOptions

  constructor(options: QueryFusionRetrieverOptions) {
    checkOptions('QueryFusionRetriever', options, fusionOptions)
    super(options.callbackManager)
    this.similarityTopK = options.similarityTopK ?? 10
    this.options = options
  }

  protected async search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]> {
    const { retriever, questions, weight = 2 } = this.options
    const { signal, parentId } = options
    const further = await questions(query.queryStr, { signal, parentId })
    signal?.throwIfAborted()
    const hybrid = new HybridRetriever({
      // Each searches for its own question, whatever it is asked.
      retrievers: [
        retriever,
        ...further.map((question) => ({
          retrieve: (_: unknown, each?: RetrieveOptions) => retriever.retrieve(question, each),
        })),
      ],
      weights: [weight],
      similarityTopK: this.similarityTopK,
    })
    return hybrid.retrieve(query, options)
  }
}
