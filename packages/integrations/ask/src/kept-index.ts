/**
 * @module
 * Keeps the index of a large folder in a cache while the folder is read for the first time.
 */
import type { FileInfo, IndexCache } from './index-cache.ts'
import type { IndexSegment, SegmentFile } from './search/index-segment.ts'
import { SectionIndex } from './search/section-index.ts'
import { mergedData, type SegmentedIndex } from './search/segmented-index.ts'

/** The size of the documents of a segment, in characters. */
const SEGMENT = 4_000_000
/** The size below which segments are joined, in bytes, and the number of such segments that is joined. */
const SMALL = 500_000
const MANY = 8
/** The share of removed sections from which a segment is written again. */
const REMOVED = 0.5

/** Returns what the cache contains about a document. */
export type InfoOf = (path: string) => FileInfo

/** The index of a folder and its cache. */
export class KeptIndex {
  private readonly index: SegmentedIndex
  private readonly cache: IndexCache | null
  private readonly log: (line: string) => void
  /** The size of the documents that are in no segment. */
  private recent = 0
  private isKept = false

  constructor(index: SegmentedIndex, cache: IndexCache | null, log: (line: string) => void) {
    this.index = index
    this.cache = cache
    this.log = log
  }

  /** Takes the index from the cache, and returns the files that it contains. @param isLarge - whether the index is kept */
  async open(isLarge: boolean): Promise<SegmentFile[]> {
    this.isKept = isLarge && this.cache !== null
    const segments = (await this.cache?.open()) ?? []
    for (const segment of segments) this.index.addSegment(segment)
    return segments.flatMap((segment) => [...segment.files.values()])
  }

  /** Writes what is in memory into the cache once it is large, so that it is not in memory together. */
  async grow(size: number, infoOf: InfoOf): Promise<void> {
    this.recent += size
    if (this.isKept && this.recent >= SEGMENT) await this.store(infoOf)
  }

  /** Writes the rest into the cache. Without a cache, the next start reads all files. */
  async end(isChanged: boolean, infoOf: InfoOf): Promise<void> {
    if (this.isKept && isChanged) {
      await this.store(infoOf)
      const small = this.index.stored.filter(({ size, removedShare }) => size < SMALL || removedShare > REMOVED)
      const isJoined = small.length >= MANY || small.some(({ removedShare }) => removedShare > REMOVED)
      if (this.isKept && isJoined) await this.store(infoOf, small)
      if (this.isKept) await this.orInMemory(() => this.cache!.save(this.index.stored))
    }
    this.isKept = false
  }

  /** Writes what is in memory into a segment, together with other segments. */
  private async store(infoOf: InfoOf, others: readonly IndexSegment[] = []): Promise<void> {
    const parts = [...others.map((segment) => segment.toJSON()), this.index.recent.toJSON()]
    const data = parts.length === 1 ? parts[0]! : mergedData(parts)
    if (data.files.length === 0 && others.length === 0) return
    const infos = new Map(data.files.map(([path]) => [path, infoOf(path)]))
    await this.orInMemory(async () => {
      this.index.addSegment(await this.cache!.add(data, infos), others)
      this.index.recent = new SectionIndex()
      this.recent = 0
    })
  }

  /** Writes into the cache; when that fails, the index stays in memory. */
  private async orInMemory(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.isKept = false
      this.log(`The index cannot be kept: ${(error as Error).message}`)
    }
  }
}
