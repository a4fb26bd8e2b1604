/**
 * @module
 * The default file for the index of a folder.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { INDEX_VERSION } from './docs-index.ts'

/** Returns the file for the index of a folder, in the cache folder of the user. Each version of the index has a separate file. */
export function defaultStore(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const name = basename(root).replace(/[^\w.-]/g, '_')
  return join(cacheFolder(env, platform), 'docs-mcp', `${name}-${hash}-${INDEX_VERSION}.db`)
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const home = env['HOME'] || env['USERPROFILE'] || homedir()
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Caches')
  return env['XDG_CACHE_HOME'] || join(home, '.cache')
}
