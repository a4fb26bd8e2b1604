/**
 * @module
 * Changes of an index during an ingestion, whatever methods the index has.
 */
import { mapInTurns } from '@x/core-model/async'
import type { IndexChanges, IngestionIndex, IngestionTarget } from './ingestion-types.ts'
import type { CancelOptions } from './retriever.ts'

/** Nodes per call of a store or an index that works without a pause, such as one in a file. */
const NODES_PER_CALL = 1000

/**
 * Calls a method of a store or an index with all items, in parts. Between them, other work of the process runs, such as that of
 * connections.
 */
export async function inParts<T>(
  items: readonly T[],
  signal: CancelOptions['signal'],
  call: (part: readonly T[]) => unknown,
): Promise<void> {
  const count = Math.ceil(items.length / NODES_PER_CALL)
  const parts = Array.from({ length: count }, (_, i) => items.slice(i * NODES_PER_CALL, (i + 1) * NODES_PER_CALL))
  await mapInTurns(parts, signal, call)
}

/** Changes an index, and returns those of the ids `kept` that it does not contain. */
export async function changeIndex(
  index: IngestionIndex,
  changes: Required<IndexChanges>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { added, updated, removed, kept } = changes
  if (index.apply) return index.apply(changes, { signal })
  await inParts(index.update ? added : [...added, ...updated], signal, (nodes) => index.add(nodes, { signal }))
  if (index.update) await inParts(updated, signal, (nodes) => index.update?.(nodes))
  await inParts(removed, signal, (nodeIds) => index.remove(nodeIds))
  return missingIn(index, kept)
}

/** Returns those of the ids that an index does not contain. */
export async function missingIn(index: IngestionIndex, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  if (index.missing) return index.missing(ids)
  const missing: string[] = []
  if (index.has) for (const id of ids) if (!(await index.has(id))) missing.push(id)
  return missing
}

/**
 * Brings the indexes to what the store has, if another process has written the same document meanwhile.
 * @param upserted - what the store says about its last change of the document
 * @param options.written - the ids of the nodes that the indexes have been told of
 */
export async function followStore(
  { store, indexes }: IngestionTarget,
  upserted: unknown,
  { written, signal }: { written: readonly string[]; signal: AbortSignal | undefined },
): Promise<void> {
  const { added = [], removed = [] } = Object(upserted) as Partial<Record<'added' | 'removed', string[]>>
  const told = new Set(written)
  const changed = [...added, ...removed.filter((id) => !told.has(id))]
  if (changed.length === 0) return
  const nodes = await store.getNodes(changed, { raiseError: false })
  const left = new Set(nodes.map(({ id }) => id))
  const gone = changed.filter((id) => !left.has(id))
  for (const index of indexes) {
    await inParts(nodes, signal, (part) => index.add(part, { signal }))
    await inParts(gone, signal, (part) => index.remove(part))
  }
}

/** Adds stored nodes to the indexes that lack them. Returns false when the store lacks one of these nodes. */
export async function fillIndexes(
  { store, indexes }: IngestionTarget,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let isComplete = true
  for (const index of indexes) {
    const missing = await missingIn(index, ids)
    if (missing.length === 0) continue
    const nodes = await store.getNodes(missing, { raiseError: false })
    await inParts(nodes, signal, (part) => index.add(part, { signal }))
    if (nodes.length < missing.length) isComplete = false
  }
  return isComplete
}
