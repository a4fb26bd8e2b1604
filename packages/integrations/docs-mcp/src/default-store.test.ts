import { expect, it } from 'vitest'
import { defaultStore } from './default-store.ts'

it.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', { HOME: '/home/ann' }, '/home/ann/.cache/docs-mcp/'],
  ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: '/cache' }, '/cache/docs-mcp/'],
  ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Caches/docs-mcp/'],
  ['win32', { USERPROFILE: '/ann' }, '/ann/AppData/Local/docs-mcp/'],
  ['win32', { USERPROFILE: '/ann', LOCALAPPDATA: '/local' }, '/local/docs-mcp/'],
])('on %s with %j the index is in the cache folder', (platform, env, folder) => {
  expect(defaultStore('/a/my docs', env, platform)).toMatch(new RegExp(`^${folder}my_docs-[0-9a-f]{16}-2\\.db$`))
})

it('the default file is different for each folder', () => {
  expect(defaultStore('/a/docs', {}, 'linux')).not.toBe(defaultStore('/b/docs', {}, 'linux'))
})
