/**
 * @module
 * Changes of an index during an ingestion, whatever methods the index has.
 */
import type { IndexChanges, IngestionIndex } from './ingestion-types.ts'

/** Changes an index, and returns those of the ids `kept` that it does not contain. */
export async function changeIndex(
  index: IngestionIndex,
  changes: Required<IndexChanges>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { added, updated, removed, kept } = changes
  if (index.apply) return index.apply(changes, { signal })
  if (index.update) {
    await index.add(added, { signal })
    await index.update(updated)
  } else await index.add([...added, ...updated], { signal })
  await index.remove(removed)
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
