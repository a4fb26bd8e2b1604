/**
 * @module
 * The base class of all postprocessors: takes a list of scored nodes and a query, and returns a list of scored nodes.
 */
import {
  callback,
  callbackManager,
  callOptions,
  checkNames,
  checkOptions,
  having,
  invalidOption,
  type OptionTable,
  text,
} from '@x/core/options'
import { checkLiveOptions, writeLiveOptions } from '@x/core/reading'
import { kindOf } from '@x/core/values'
import {
  CallbackManager,
  ComponentInputError,
  DefinedComponent,
  type Dict,
  type DictOptions,
  isModel,
  type Model,
  type ModelConstructor,
  type NodeWithScore,
  QueryBundle,
  type QueryComponent,
  type ReadOptions,
} from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { inputTextOrStream } from '@x/core-model/components'
import { ConflictingQueryError, MissingQueryError } from './errors.ts'
import type { ExplanationLedger, Reasons } from './explanation/explanation-ledger.ts'
import { NodePostprocessorModel } from './generated/node-postprocessor.ts'

/** The progress of a postprocessor. */
export interface PostprocessorProgress {
  /** The class name of the postprocessor. */
  className: string
  /** The number of finished model calls. */
  done: number
  /** The expected number of model calls. It may grow during a run. */
  total: number
}

/** The options of `postprocessNodes`. */
export interface PostprocessOptions {
  /** The query; only some classes require one. Pass either this or `queryStr`. */
  queryBundle?: QueryBundle | null | undefined
  /** The query as a string. An empty string is a query. */
  queryStr?: string | null | undefined
  /** Cancels the run: no further model call is made and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called after each model call. */
  onProgress?: ((progress: PostprocessorProgress) => void) | undefined
  /** Records the effect on each node, and the reason. */
  ledger?: ExplanationLedger | undefined
  /** Receives the events of the run. @defaultValue the callback manager of the postprocessor */
  callbackManager?: CallbackManager | undefined
  /** Id of the event that the run belongs to, where the platform has no async context. */
  parentId?: string | undefined
}

const postprocessOptions: OptionTable<PostprocessOptions> = {
  ...callOptions,
  queryBundle: having('a QueryBundle', 'queryStr'),
  queryStr: text,
  onProgress: callback,
  ledger: having('a ledger', 'record'),
  callbackManager,
}

/** The arguments of `process` other than the nodes. */
export interface PostprocessRun {
  query: QueryBundle | null
  signal?: AbortSignal | undefined
  onProgress?: ((progress: PostprocessorProgress) => void) | undefined
  ledger?: ExplanationLedger | undefined
  /** Collects the reasons for the ledger. Absent without a ledger, so that no reasons are computed. */
  reasons?: Reasons | undefined
  /** Receives the events of the run. @defaultValue the callback manager of the postprocessor */
  callbackManager?: CallbackManager | undefined
  /** Id of the event that the run belongs to, where the platform has no async context. */
  parentId?: string | undefined
}

/** Returns what is wrong with an array of scored nodes: the array, or its first item that is not a scored node. */
export function notScored(value: unknown): { at: string; expected: string; value: unknown } | null {
  if (!Array.isArray(value)) return { at: '', expected: 'an array of scored nodes', value }
  const at = value.findIndex((node) => !(isModel(node) && 'node' in node))
  return at < 0 ? null : { at: `[${at}]`, expected: 'a scored node (NodeWithScore)', value: value[at] }
}

/** The live options that Python has too, whose JSON does not name them. */
const ofPython = [
  'crossEncoder',
  'embedModel',
  'formatNodeBatchFn',
  'llm',
  'ner',
  'parseChoiceSelectAnswerFn',
  'serviceContext',
  'tokenizerFn',
]

/**
 * The base class of all postprocessors. A subclass declares its fields and implements `process`.
 * Input nodes, entries, lists and queries are never changed; a changed node is a copy with the same id.
 */
export abstract class NodePostprocessor extends NodePostprocessorModel {
  /**
   * Returns the name on the wire and in ledgers. For a class without fields and spec it is the name of the JavaScript class, which
   * minifiers change: in a library extend `fields(NodePostprocessor, 'Name')`, or override this method.
   */
  static override className(): string {
    return this.spec().className ?? (this === NodePostprocessor ? super.className() : this.name)
  }

  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  /**
   * Reads a postprocessor from its wire form. Live options, such as functions, are not part of it: pass them in `overrides`.
   * @throws {ModelValidationError} if the data is invalid, or was written with a live option that `overrides` does not contain.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    checkLiveOptions(this, data, overrides)
    return super.fromDict.call(this, data, overrides, options) as T
  }

  /**
   * Returns the wire form, with the names of its live options that only this package has under the key `live_options`: without these it is
   * not read.
   */
  override toDict(options: DictOptions = {}): Dict {
    return writeLiveOptions(this, options, super.toDict, ofPython)
  }

  /** Whether `postprocessNodes` requires a query. */
  needsQuery(): boolean {
    return false
  }

  /** Computes the result. `nodes` is never empty. */
  protected abstract process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>

  /**
   * Filters, reorders, rescores, rewrites or adds nodes, depending on the class. Returns a new array; empty for no nodes.
   * @throws {ModelValidationError} if `nodes` is no array of scored nodes, or an option is unknown or invalid.
   * @throws {ConflictingQueryError} if both `queryBundle` and `queryStr` are passed.
   * @throws {MissingQueryError} if the class requires a query and none is passed, even if `nodes` is empty.
   */
  async postprocessNodes(nodes: readonly NodeWithScore[], options: PostprocessOptions = {}): Promise<NodeWithScore[]> {
    const name = (this.constructor as typeof NodePostprocessor).className()
    const where = `${name}.postprocessNodes`
    checkOptions(where, options, postprocessOptions)
    const wrong = notScored(nodes)
    if (wrong) throw invalidOption(where, `nodes${wrong.at}`, wrong.expected, wrong.value)
    const { queryBundle = null, queryStr = null, signal, onProgress, ledger, callbackManager, parentId } = options
    if (queryBundle !== null && queryStr !== null) throw new ConflictingQueryError(name)
    const query = queryStr === null ? queryBundle : new QueryBundle({ queryStr })
    if (query === null && this.needsQuery()) throw new MissingQueryError(name)
    signal?.throwIfAborted()
    if (nodes.length === 0) return []
    const reasons: Reasons | undefined = ledger && new Map()
    const run: PostprocessRun = { query, signal, onProgress, ledger, reasons, callbackManager, parentId }
    const result = await untilAborted(signal, () => this.process(nodes, run))
    if (reasons) this.explain(nodes, result, ledger!, reasons)
    return result
  }

  /** Records this step in the ledger. */
  protected explain(
    nodes: readonly NodeWithScore[],
    result: readonly NodeWithScore[],
    ledger: ExplanationLedger,
    reasons: Reasons,
  ): void {
    ledger.record((this.constructor as typeof NodePostprocessor).className(), nodes, result, reasons)
  }

  /** Sets the callback manager. */
  setCallbackManager(manager: CallbackManager): void {
    this.callbackManager = manager
  }

  /** Returns a query pipeline component: its inputs are `nodes` and optionally `query_str`, its output is `nodes`. */
  override asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial'])
    return new DefinedComponent({
      name: `${(this.constructor as typeof NodePostprocessor).className()} component`,
      inputKeys: () => ({ required: ['nodes'], optional: ['query_str'] }),
      outputKeys: ['nodes'],
      partial: options.partial,
      setCallbackManager: (manager) => this.setCallbackManager(manager),
      run: async ({ nodes, query_str: query }, { signal, parentId, callbackManager }) => {
        const wrong = notScored(nodes)
        if (wrong) {
          const message = `Input nodes${wrong.at}: expected ${wrong.expected}, received ${kindOf(wrong.value)}.`
          throw new ComponentInputError(message, ['nodes'])
        }
        const queryStr = query === undefined || query === null ? null : await inputTextOrStream(query, 'query_str')
        const options = { queryStr, signal, parentId, callbackManager }
        return { nodes: await this.postprocessNodes(nodes as NodeWithScore[], options) }
      },
    })
  }
}
