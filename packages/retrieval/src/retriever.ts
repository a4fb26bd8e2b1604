/**
 * @module
 * Finding nodes for a query.
 */
import {
  type CallbackEvent,
  type CallbackManager,
  inputTextOrStream,
  type NodeWithScore,
  QueryBundle,
  QueryComponent,
  withEvent,
} from '@x/core-model'

/** What goes along with a search. */
export interface RetrieveOptions {
  /** Cancels the search. */
  signal?: AbortSignal | undefined
}

/** Gives scored nodes for a query, the best first. */
export abstract class Retriever {
  callbackManager: CallbackManager | null

  constructor(callbackManager: CallbackManager | null | undefined) {
    this.callbackManager = callbackManager ?? null
  }

  /** The search itself. */
  protected abstract search(query: QueryBundle, options: RetrieveOptions): NodeWithScore[] | Promise<NodeWithScore[]>

  /** The nodes that suit a query, the best first; equal scores in the order the nodes were added. */
  retrieve(query: string | QueryBundle, options: RetrieveOptions = {}): Promise<NodeWithScore[]> {
    const bundle = typeof query === 'string' ? new QueryBundle({ queryStr: query }) : query
    const search = async (event: CallbackEvent) => {
      options.signal?.throwIfAborted()
      const nodes = await this.search(bundle, options)
      event.end({ nodes })
      return nodes
    }
    return withEvent(this.callbackManager, 'retrieve', { query_str: bundle.queryStr }, search, { trace: 'query' })
  }

  /** This retriever as a part of a query pipeline: takes `input`, gives `output`, a list of scored nodes. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    return new QueryComponent({
      name: 'Retriever component',
      inputKeys: () => ({ required: ['input'], optional: [] }),
      outputKeys: ['output'],
      partial: options.partial,
      setCallbackManager: (manager) => {
        this.callbackManager = manager
      },
      run: async ({ input }, { signal }) => {
        const query = input instanceof QueryBundle ? input : await inputTextOrStream(input, 'input')
        return { output: await this.retrieve(query, { signal }) }
      },
    })
  }
}
