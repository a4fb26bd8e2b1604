/**
 * @module
 * Replaces index nodes by their targets: a node such as a table, the nodes that a retriever finds, or the answer of a query engine.
 */

import { checkOption, checkOptions, choice, dict, having, list, type OptionTable, wholeNumber } from '@x/core/options'
import {
  ConfigurationError,
  type DocumentStore,
  type IndexNode,
  isNode,
  NodeWithScore,
  QueryBundle,
  type QueryEngine,
  TextNode,
  ToolkitError,
} from '@x/core-model'
import type { RetrieveOptions, RetrieverLike } from './retriever.ts'
import { entriesInScope } from './scope.ts'
import { scoredNodes } from './source-ranges.ts'

/** An object that an index node may refer to. */
type IndexTarget = TextNode | RetrieverLike | QueryEngine

/** The options of {@link IndexNodeFollower}. */
export interface IndexNodeFollowerOptions {
  /** The targets by `indexId`, or an array of nodes. Looked up before the store. @defaultValue no targets */
  targets?: Readonly<Record<string, IndexTarget>> | readonly TextNode[] | undefined
  /** The store with the nodes that index nodes refer to. @defaultValue no store */
  store?: DocumentStore | undefined
  /**
   * The maximum number of levels if targets are or find index nodes themselves; an integer of at least 0. Index nodes below are returned
   * unchanged. @defaultValue 5
   */
  maxDepth?: number | undefined
  /**
   * How to handle an index node whose target is unknown: throw, keep the index node or drop it. Pass `drop` where another process may
   * change the documents between the search and the look-up in the store. @defaultValue 'throw'
   */
  onMissing?: 'throw' | 'keep' | 'drop' | undefined
}

/** The checks of the options. */
export const followerOptions: OptionTable<IndexNodeFollowerOptions> = {
  targets: (value) => (Array.isArray(value) ? list : dict)(value),
  store: having('a document store', 'getNode'),
  maxDepth: wholeNumber(0),
  onMissing: choice('throw', 'keep', 'drop'),
}

declare module '@x/core' {
  interface ToolkitErrors {
    index_target_not_found: IndexTargetNotFoundError
  }
}

/** The target of an index node is not found. */
export class IndexTargetNotFoundError extends ToolkitError {
  readonly nodeId: string
  readonly indexId: string

  constructor(nodeId: string, indexId: string) {
    super(
      'IndexTargetNotFoundError',
      'index_target_not_found',
      `Index node ${nodeId}: expected its obj, a target or a stored node with the id ${indexId}, received none of them; pass the nodes as targets, their store, onMissing: 'keep', or onMissing: 'drop', if documents may change during a search.`,
    )
    this.nodeId = nodeId
    this.indexId = indexId
  }
}

/** The state of one call of the follower. */
interface Run extends RetrieveOptions {
  query: QueryBundle | null
  /** The targets that have been followed: each is followed once per call. */
  followed: Set<unknown>
  /** The best entry of each node, in order of first occurrence. */
  results: Map<string, NodeWithScore>
}

/**
 * A postprocessor that replaces index nodes by their targets. Other nodes are kept.
 *
 * The target of an index node is its `obj`; otherwise the entry of `targets` with its `indexId`; otherwise the node with this id in the
 * store. A node gets the score of the index node. A retriever or a query engine gets the same query; the answer of a query engine becomes
 * a new node with the id of the index node. Each target is followed once. A node that is found twice is returned once, with its best score.
 * @throws {ModelValidationError} if `maxDepth` is out of range.
 * @example
 * const table = new TextNode({ id: 't', text: '| fruit | price |' })
 * const summary = new IndexNode({ text: 'Prices', indexId: 't' })
 * const follower = new IndexNodeFollower({ targets: [table] })
 * const found = await follower.postprocessNodes([new NodeWithScore({ node: summary, score: 0.8 })])
 * found.map(({ id, score }) => [id, score]) // => [['t', 0.8]]
 */
export class IndexNodeFollower {
  private readonly targets: ReadonlyMap<string, IndexTarget>
  private readonly store: DocumentStore | undefined
  private readonly maxDepth: number
  private readonly onMissing: 'throw' | 'keep' | 'drop'

  constructor(options: IndexNodeFollowerOptions = {}) {
    checkOptions('IndexNodeFollower', options, followerOptions)
    const { targets = [], store, maxDepth = 5, onMissing = 'throw' } = options
    const isList = (value: typeof targets): value is readonly TextNode[] => Array.isArray(value)
    this.targets = new Map<string, IndexTarget>(
      isList(targets) ? targets.map((node) => [node.id, node]) : Object.entries(targets),
    )
    this.store = store
    this.maxDepth = maxDepth
    this.onMissing = onMissing
  }

  /**
   * Returns the nodes with index nodes replaced. The query is required if index nodes refer to retrievers or query engines. Filters and
   * scope are passed to these retrievers. A node that is a target itself is returned if it is in the scope, regardless of filters.
   * @throws {IndexTargetNotFoundError} if a target is unknown and `onMissing` is `throw`.
   * @throws {ConfigurationError} if a query is needed and missing.
   */
  async postprocessNodes(
    nodes: readonly NodeWithScore[],
    options: RetrieveOptions & {
      queryBundle?: QueryBundle | null | undefined
      queryStr?: string | null | undefined
    } = {},
  ): Promise<NodeWithScore[]> {
    checkOption('postprocessNodes', 'nodes', nodes, scoredNodes)
    const { queryBundle, queryStr, signal, filters, scope } = options
    const query = queryBundle ?? (typeof queryStr === 'string' ? new QueryBundle({ queryStr }) : null)
    const run: Run = { query, signal, filters, scope, followed: new Set(), results: new Map() }
    await this.followAll(nodes, 0, run)
    return entriesInScope([...run.results.values()], scope)
  }

  private async followAll(entries: readonly NodeWithScore[], depth: number, run: Run): Promise<void> {
    for (const entry of entries) {
      if (isIndexNode(entry.node)) await this.follow(entry, entry.node, depth, run)
      else keepBest(entry, run)
    }
  }

  private async follow(entry: NodeWithScore, node: IndexNode, depth: number, run: Run): Promise<void> {
    run.signal?.throwIfAborted()
    if (depth === this.maxDepth) {
      keepBest(entry, run)
      return
    }
    const target = await this.targetOf(node)
    if (target === null) {
      if (this.onMissing === 'throw') throw new IndexTargetNotFoundError(node.id, node.indexId)
      if (this.onMissing === 'keep') keepBest(entry, run)
      return
    }
    const isContent = isNode(target) && !isIndexNode(target)
    const key = isNode(target) ? target.id : target
    if (!isContent && run.followed.has(key)) return
    if (!isContent) run.followed.add(key)
    if (isNode(target)) {
      await this.followAll([new NodeWithScore({ node: target, score: entry.score })], depth + 1, run)
      return
    }
    const { query, signal, filters, scope } = run
    if (query === null)
      throw new ConfigurationError(
        `IndexNodeFollower: index node ${node.id} refers to a retriever or a query engine, which requires a query; pass queryBundle or queryStr.`,
      )
    if ('retrieve' in target)
      await this.followAll(await target.retrieve(query, { signal, filters, scope }), depth + 1, run)
    else keepBest(await this.ask(target, query, entry, { signal, scope }), run)
  }

  /** The answer of a query engine, as a node. */
  private async ask(
    engine: QueryEngine,
    query: QueryBundle,
    entry: NodeWithScore,
    options: Pick<RetrieveOptions, 'signal' | 'scope'>,
  ): Promise<NodeWithScore> {
    const response = await engine.query(query, options)
    options.signal?.throwIfAborted()
    const { id, metadata, relationships } = entry.node
    return new NodeWithScore({
      node: new TextNode({ id, text: String(response), metadata, relationships }),
      score: entry.score,
    })
  }

  private async targetOf(node: IndexNode): Promise<IndexTarget | null> {
    if (isTarget(node.obj)) return node.obj
    return this.targets.get(node.indexId) ?? (await this.store?.getNode(node.indexId, { raiseError: false })) ?? null
  }
}

/** Adds an entry; of two entries with the same node, the better one is kept. */
function keepBest(entry: NodeWithScore, { results }: Run): void {
  const known = results.get(entry.nodeId)
  const isBetter = !known || (entry.score !== null && (known.score === null || entry.score > known.score))
  if (isBetter) results.set(entry.nodeId, entry)
}

/** Whether a node is an index node: it refers to another object. */
export function isIndexNode(node: TextNode): node is IndexNode {
  return 'indexId' in node && typeof node.indexId === 'string'
}

function isTarget(value: unknown): value is IndexTarget {
  if (isNode(value)) return true
  const target = value as Partial<RetrieverLike & QueryEngine> | null
  return typeof target?.retrieve === 'function' || typeof target?.query === 'function'
}
