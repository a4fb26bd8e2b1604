/**
 * @module
 * Searches that are limited to the nodes of a tenant.
 */
import { checkOption, invalidOption, type OptionCheck, required } from '@x/core/options'
import { type DocumentStore, NodeNotFoundError, type NodeWithScore, type TextNode, ToolkitError } from '@x/core-model'
import { bothFilters, type FiltersInput, type MetadataFilters, nodeFilter } from './metadata-filters.ts'

/** The values that metadata must have, such as `{ tenant: 'acme' }`. */
export type SearchScope = Readonly<Record<string, string | number | boolean>>

declare module '@x/core' {
  interface ToolkitErrors {
    scope_missing: ScopeMissingError
  }
}

/** A search of a retriever with a `scope` does not state the values of all its keys. Nothing was searched. */
export class ScopeMissingError extends ToolkitError {
  /** The keys without a value. */
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    const example = keys.map((key) => `${JSON.stringify(key)}: …`).join(', ')
    super(
      'ScopeMissingError',
      'scope_missing',
      `Retriever.retrieve: expected a scope with a value for ${keys.join(', ')}, received none; pass { scope: { ${example} } }.`,
    )
    this.keys = keys
  }
}

/** Checks the option `scope` of a retriever. */
export const scopeKeys: OptionCheck = (value) =>
  Array.isArray(value) && value.every((key) => typeof key === 'string' && key !== '')
    ? undefined
    : 'an array of metadata keys'

/** The conditions of a scope. @throws {ModelValidationError} if a value is not a string, number or boolean. */
function conditionsOf(scope: SearchScope): MetadataFilters {
  return { filters: Object.entries(scope).map(([key, value]) => ({ key, value: checkedValue(key, value) })) }
}

function checkedValue(key: string, value: unknown): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw invalidOption('Retriever.retrieve', `scope.${key}`, 'a string, number or boolean', value)
}

/**
 * Returns filters that include the scope of a search.
 * @param keys - the keys that need a value
 * @throws {ScopeMissingError} if a key has no value.
 */
export function scopedFilters(
  keys: readonly string[],
  { scope, filters }: { scope?: SearchScope | undefined; filters?: FiltersInput | undefined },
): FiltersInput | undefined {
  const missing = keys.filter(
    (key) => scope === undefined || !Object.hasOwn(scope, key) || (scope[key] ?? null) === null,
  )
  if (missing.length > 0) throw new ScopeMissingError(missing)
  return bothFilters(scope && conditionsOf(scope), filters)
}

/** Returns the entries whose nodes are in the scope. */
export function entriesInScope(entries: NodeWithScore[], scope: SearchScope | undefined): NodeWithScore[] {
  if (scope === undefined) return entries
  const accepts = nodeFilter(conditionsOf(scope))
  return entries.filter(({ node }) => accepts(node))
}

/**
 * Returns a view of a store without the nodes outside of a scope: for postprocessors that fetch neighbours, and for followers.
 * @throws {ModelValidationError} if a value of the scope is not a string, number or boolean.
 * @example
 * const store = new MapDocumentStore([new TextNode({ id: 'a', text: 'secret', metadata: { tenant: 'acme' } })])
 * const view = scopedStore(store, { tenant: 'other' })
 * await view.getNode('a', { raiseError: false }) // => null
 */
export function scopedStore(store: DocumentStore, scope: SearchScope): Required<DocumentStore> {
  checkOption('scopedStore', 'store', store, required('a document store', 'getNode'))
  checkOption('scopedStore', 'scope', scope, required('the scope of a search'))
  const accepts = nodeFilter(conditionsOf(scope))
  const seen = (node: TextNode | null | undefined) => (node && accepts(node) ? node : null)
  const getNode: DocumentStore['getNode'] = async (id, { raiseError = true } = {}) => {
    const node = seen(await store.getNode(id, { raiseError }))
    if (node === null && raiseError) throw new NodeNotFoundError(id)
    return node
  }
  return {
    getNode,
    getNodes: async (ids, { raiseError = true } = {}) => {
      if (raiseError) return Promise.all(ids.map(async (id) => (await getNode(id))!))
      const found = store.getNodes
        ? await store.getNodes(ids, { raiseError })
        : await Promise.all(ids.map((id) => store.getNode(id, { raiseError })))
      return found.flatMap((node) => seen(node) ?? [])
    },
  }
}
