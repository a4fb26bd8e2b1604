/**
 * @module
 * The contract of all postprocessors: a list of scored nodes and a query go in, a list of scored nodes comes out.
 */
import {
  type CallbackManager,
  ComponentInputError,
  isModel,
  Model,
  type ModelSpec,
  type NodeWithScore,
  QueryBundle,
  QueryComponent,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/internal'
import { ConflictingQueryError, MissingQueryError } from './errors.ts'
import type { ExplanationLedger, Reasons } from './explanation/explanation-ledger.ts'
import { type NodePostprocessorFields, nodePostprocessorSpec } from './generated/models.ts'

/** How far a postprocessor is. */
export interface PostprocessorProgress {
  /** The postprocessor that reports. */
  className: string
  /** How many of its calls to models have ended. */
  done: number
  /** How many it makes. */
  total: number
}

/** What `postprocessNodes` takes besides the nodes. */
export interface PostprocessOptions {
  /** The query. Give this or `queryStr`. */
  queryBundle?: QueryBundle | null | undefined
  /** The query as text; an empty one is a query. */
  queryStr?: string | null | undefined
  /** Stops the work: no further model call is made and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Told after each call to a model. */
  onProgress?: ((progress: PostprocessorProgress) => void) | undefined
  /** Collects what became of each node and why. */
  ledger?: ExplanationLedger | undefined
}

/** What an algorithm is given besides the nodes. */
export interface PostprocessRun {
  query: QueryBundle | null
  signal?: AbortSignal | undefined
  onProgress?: ((progress: PostprocessorProgress) => void) | undefined
  ledger?: ExplanationLedger | undefined
  /** Where reasons go; absent when nobody asked for them, so that finding the words costs nothing. */
  reasons?: Reasons | undefined
}

export interface NodePostprocessor extends NodePostprocessorFields {}

/**
 * The base class of all postprocessors. A subclass gives its fields by `spec()` and its algorithm by `process`.
 * Nodes, entries, lists and queries that are given are never changed; a changed node is a copy with the same id.
 */
export abstract class NodePostprocessor extends Model {
  /** The fields that all postprocessors have; each class gives its own. */
  static override spec(): ModelSpec {
    return nodePostprocessorSpec
  }

  /** Whether it refuses to work without a query. */
  needsQuery(): boolean {
    return false
  }

  /** The result for `nodes`, which is never empty. */
  protected abstract process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>

  /**
   * Filters, reorders, rescores, rewrites or adds nodes; each class says which. An empty list gives an empty list.
   * @throws {ConflictingQueryError} when both `queryBundle` and `queryStr` are given.
   * @throws {MissingQueryError} when the class needs a query and none is given, also for an empty list.
   */
  async postprocessNodes(nodes: readonly NodeWithScore[], options: PostprocessOptions = {}): Promise<NodeWithScore[]> {
    const { queryBundle = null, queryStr = null, signal, onProgress, ledger } = options
    const own = this.constructor as typeof NodePostprocessor
    if (queryBundle !== null && queryStr !== null) throw new ConflictingQueryError(own.className())
    const query = queryStr === null ? queryBundle : new QueryBundle({ queryStr })
    if (query === null && this.needsQuery()) throw new MissingQueryError(own.className())
    signal?.throwIfAborted()
    if (nodes.length === 0) return []
    const reasons: Reasons | undefined = ledger && new Map()
    const result = await this.process(nodes, { query, signal, onProgress, ledger, reasons })
    signal?.throwIfAborted()
    if (reasons) this.explain(nodes, result, ledger!, reasons)
    return result
  }

  /** Writes this step into the ledger. */
  protected explain(
    nodes: readonly NodeWithScore[],
    result: readonly NodeWithScore[],
    ledger: ExplanationLedger,
    reasons: Reasons,
  ): void {
    ledger.record((this.constructor as typeof NodePostprocessor).className(), nodes, result, reasons)
  }

  /** Sets who is told of events. */
  setCallbackManager(manager: CallbackManager): void {
    this.callbackManager = manager
  }

  /** This postprocessor as a node of a query pipeline: inputs `nodes` and, optionally, `query_str`; output `nodes`. */
  override asQueryComponent({ partial }: { partial?: Record<string, unknown> } = {}): QueryComponent {
    return new QueryComponent({
      name: `${(this.constructor as typeof NodePostprocessor).className()} component`,
      inputKeys: () => ({ required: ['nodes'], optional: ['query_str'] }),
      outputKeys: ['nodes'],
      partial,
      setCallbackManager: (manager) => this.setCallbackManager(manager),
      run: async ({ nodes, query_str: query }, { signal }) => {
        if (!Array.isArray(nodes) || !nodes.every((node) => isModel(node) && 'node' in node)) {
          throw new ComponentInputError('Input nodes: expected a list of scored nodes.', ['nodes'])
        }
        const queryStr = query === undefined || query === null ? null : await inputTextOrStream(query, 'query_str')
        return { nodes: await this.postprocessNodes(nodes as NodeWithScore[], { queryStr, signal }) }
      },
    })
  }
}
