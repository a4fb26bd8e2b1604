/**
 * @module
 * Keeps the index of a folder in files, so that the next start reads only files that have changed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { IndexSegment, writeSegment } from './search/index-segment.ts'
import type { SectionIndexData } from './search/section-index.ts'

/** Changes when files of older versions cannot be used. */
const VERSION = 2

/** What the file of an index contains: the names of its segments, which are files beside it. */
interface Manifest {
  version: number
  root: string
  segments: {
    name: string
    /** The files that the segment no longer has. */
    removed: string[]
  }[]
}

/** What the cache contains about a document beside its sections. */
export interface FileInfo {
  /** The number of lines. */
  lines: number
  /** Changes when the file has to be read again. */
  stamp: string
}

/** A file with the index of a folder, and its segments beside it. Several processes may use it. */
export class IndexCache {
  private readonly path: string
  private readonly root: string

  constructor(path: string, root: string) {
    this.path = path
    this.root = root
  }

  /** Opens the segments; none if the file has no index, or one of a different folder or version. */
  async open(): Promise<IndexSegment[]> {
    // Another process may have just replaced the segments.
    for (let attempt = 0; attempt < 3; attempt++) {
      const segments: IndexSegment[] = []
      try {
        const { version, root, segments: listed } = JSON.parse(await readFile(this.path, 'utf8')) as Manifest
        if (version !== VERSION || root !== this.root) return []
        for (const { name, removed } of listed) {
          const segment = new IndexSegment(join(dirname(this.path), basename(name)))
          segments.push(segment)
          for (const path of removed) segment.delete(path)
        }
        return segments
      } catch {
        // A file that is missing or damaged is written again.
        for (const segment of segments) segment.close()
      }
    }
    return []
  }

  /** Writes an index into a new segment, and opens it. */
  async add(data: SectionIndexData, infos: ReadonlyMap<string, FileInfo>): Promise<IndexSegment> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    const path = `${this.path}.${randomUUID()}`
    try {
      await writeSegment(path, data, infos)
      return new IndexSegment(path)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Lists segments in the file, all at once: another process never reads half of it. Deletes those of this index that are not listed. */
  async save(segments: readonly IndexSegment[]): Promise<void> {
    const folder = dirname(this.path)
    const next = `${this.path}.${randomUUID()}`
    const manifest: Manifest = {
      version: VERSION,
      root: this.root,
      segments: segments.map(({ path, removed }) => ({ name: basename(path), removed })),
    }
    try {
      await writeFile(next, JSON.stringify(manifest), { mode: 0o600 })
      await rename(next, this.path)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
    const kept = new Set(segments.map(({ path }) => basename(path)))
    const isOld = async (name: string) => Date.now() - (await stat(join(folder, name))).mtimeMs > UNLISTED_MS
    for (const name of await readdir(folder)) {
      if (!name.startsWith(`${basename(this.path)}.`) || kept.has(name)) continue
      // Another process may be writing it.
      if (await isOld(name).catch(() => false)) await rm(join(folder, name), { force: true }).catch(() => {})
    }
  }
}

/** The time after which a segment that is not listed is deleted, in milliseconds. */
const UNLISTED_MS = 600_000

/** Returns the file for the index of a folder, in the cache folder of the user. */
export function defaultCache(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const name = basename(root).replace(/[^\w.-]/g, '_')
  return join(cacheFolder(env, platform), `${name}-${hash}.json`)
}

/** Returns the folder of this program in the cache folder of the user. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  return join(userCache(env, platform), 'x-ask')
}

function userCache(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const home = env['HOME'] || env['USERPROFILE'] || homedir()
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Caches')
  return env['XDG_CACHE_HOME'] || join(home, '.cache')
}
