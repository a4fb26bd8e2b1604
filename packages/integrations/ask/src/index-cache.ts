/**
 * @module
 * Keeps the index of a folder in a file, so that the next start reads only files that have changed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { DocumentInfo } from './document-list.ts'
import { SectionIndex, type SectionIndexData } from './search/section-index.ts'

/** Changes when files of older versions cannot be used. */
const VERSION = 1

/** The index of a folder at one time. */
export interface CachedIndex {
  index: SectionIndex
  /** Per path: the stamp of the file. */
  stamps: Map<string, string>
  documents: DocumentInfo[]
}

/** Returns the index in a file; null if the file has no index, or one of a different folder or version. */
export async function readCache(path: string, root: string): Promise<CachedIndex | null> {
  try {
    const data = JSON.parse(await readFile(path, 'utf8')) as {
      version: number
      root: string
      stamps: [string, string][]
      documents: DocumentInfo[]
      index: SectionIndexData
    }
    if (data.version !== VERSION || data.root !== root) return null
    return { index: SectionIndex.from(data.index), stamps: new Map(data.stamps), documents: data.documents }
  } catch {
    // A file that is missing or damaged is written again.
    return null
  }
}

/** Writes an index into a file that only the user may read, all at once: another process never reads half of it. */
export async function writeCache(path: string, root: string, { index, stamps, documents }: CachedIndex): Promise<void> {
  const next = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const data = { version: VERSION, root, stamps: [...stamps], documents, index }
    await writeFile(next, JSON.stringify(data), { mode: 0o600 })
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}

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
