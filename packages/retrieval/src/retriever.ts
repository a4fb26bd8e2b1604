/**
 * @module
 * The base class of retrievers.
 */
import {
  callbackManager,
  callOptions,
  checkNames,
  checkOptions,
  invalidOption,
  type OptionTable,
  unchecked,
} from '@x/core/options'
import {
  type CallbackEvent,
  type CallbackManager,
  DefinedComponent,
  isInstance,
  type NodeWithScore,
  QueryBundle,
  type QueryComponent,
  type RunComponentOptions,
  withEvent,
} from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { inputTextOrStream, insideEvent } from '@x/core-model/components'
import { bothFilters, type FiltersInput, nodeFilter } from './metadata-filters.ts'
import { entriesInScope, type SearchScope, scopedFilters, scopeKeys } from './scope.ts'

/** The options of an operation that can be cancelled. */
export interface CancelOptions {
  /** Cancels the operation. */
  signal?: AbortSignal | undefined
}

/** The checks of {@link CancelOptions}. */
export const cancelOptions: OptionTable<CancelOptions> = { signal: callOptions.signal }

/** The options of one search. */
export interface RetrieveOptions extends CancelOptions, RunComponentOptions {
  /** Conditions on the metadata of the nodes returned, in addition to those of the retriever. */
  filters?: FiltersInput | undefined
  /**
   * The values that the metadata of every returned node must have, such as `{ tenant: 'acme' }`. Required for the keys in the `scope` of a
   * retriever. It also limits what is found through index nodes, and passes to fused retrievers.
   */
  scope?: SearchScope | undefined
}

/** The options of all retrievers with an index. */
export interface RetrieverOptions {
  /** Conditions on the metadata of the nodes returned. @defaultValue no conditions */
  filters?: FiltersInput | undefined
  /** The metadata keys for which each search must state a value, such as `['tenant']`: no search can forget them. @defaultValue no keys */
  scope?: readonly string[] | undefined
  callbackManager?: CallbackManager | null | undefined
}

/** How {@link RetrieverOptions} are checked: a part of the tables of retrievers. {@link Retriever} checks `filters`. */
export const retrieverOptions: OptionTable<RetrieverOptions> = {
  filters: unchecked,
  scope: scopeKeys,
  callbackManager,
}

/** How {@link RetrieveOptions} are checked: a misspelt condition must not return nodes that it excludes. */
const retrieveOptions: OptionTable<RetrieveOptions & { context?: unknown }> = {
  ...callOptions,
  filters: unchecked,
  scope: unchecked,
  callbackManager,
  // Of an agent's run, for your own retrievers.
  context: unchecked,
}

/** Anything that searches nodes, such as a {@link Retriever}. */
export interface RetrieverLike {
  /** Returns the matching nodes, best first. */
  retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>
}

/**
 * Base class of retrievers: a subclass implements `search`.
 * Each call emits a `retrieve` event with the payload `query_str` at its start and `nodes` at its end.
 */
export abstract class Retriever implements RetrieverLike {
  callbackManager: CallbackManager | null
  /** The metadata keys for which each search must state a value. */
  readonly scope: readonly string[]
  private readonly ownFilters: FiltersInput | undefined

  /**
   * @param scope - the metadata keys for which each search must state a value, such as `['tenant']`
   * @param filters - conditions on the metadata of the nodes returned, in addition to those of a search
   * @throws {ModelValidationError} if `filters` is not valid.
   */
  constructor(
    callbackManager: CallbackManager | null | undefined,
    scope: readonly string[] = [],
    filters?: FiltersInput,
  ) {
    if (filters !== undefined) nodeFilter(filters)
    this.callbackManager = callbackManager ?? null
    this.scope = scope
    this.ownFilters = filters
  }

  /** Returns the matching nodes, best first. The filters of the options include those of the retriever, and the scope. */
  protected abstract search(query: QueryBundle, options: RetrieveOptions): NodeWithScore[] | Promise<NodeWithScore[]>

  /**
   * Returns the matching nodes, best first. Rejects with the signal's reason when it is aborted.
   * @throws {ModelValidationError} if `query` is neither a string nor a query, an option is unknown, or a filter is not valid.
   * @throws {ScopeMissingError} if the options have no value for a key of `scope`.
   */
  async retrieve(query: string | QueryBundle, options: RetrieveOptions = {}): Promise<NodeWithScore[]> {
    checkOptions('retrieve', options, retrieveOptions)
    if (options.filters !== undefined) nodeFilter(options.filters)
    const bundle = typeof query === 'string' ? new QueryBundle({ queryStr: query }) : query
    if (typeof bundle?.queryStr !== 'string')
      throw invalidOption('retrieve', 'query', 'a string or a QueryBundle', query)
    const search = async (event: CallbackEvent) => {
      const filters = bothFilters(this.ownFilters, scopedFilters(this.scope, options))
      const own = { ...insideEvent(event, options), ...(filters && { filters }) }
      const found = await untilAborted(options.signal, () => this.search(bundle, own))
      const nodes = entriesInScope(found, options.scope)
      event.end({ nodes })
      return nodes
    }
    const { callbackManager = this.callbackManager, parentId } = options
    const payload = { query_str: bundle.queryStr }
    return withEvent(callbackManager, 'retrieve', payload, search, { trace: 'query', parentId })
  }

  /** Returns a query pipeline component: its inputs are `input` and `scope`, its output is `output`, an array of scored nodes. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial'])
    return new DefinedComponent({
      name: 'Retriever component',
      inputKeys: () => ({ required: ['input'], optional: ['scope'] }),
      outputKeys: ['output'],
      partial: options.partial,
      setCallbackManager: (manager) => {
        this.callbackManager = manager
      },
      run: async ({ input, scope }, { signal, parentId, callbackManager }) => {
        const query = isInstance(input, QueryBundle) ? input : await inputTextOrStream(input, 'input')
        return {
          output: await this.retrieve(query, {
            signal,
            parentId,
            callbackManager,
            scope: scope as SearchScope | undefined,
          }),
        }
      },
    })
  }
}
