import { expect, it } from 'vitest'
import { defaultCache } from './index-cache.ts'

it.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', { HOME: '/home/ann' }, '/home/ann/.cache/x-ask/'],
  ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: '/cache' }, '/cache/x-ask/'],
  ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Caches/x-ask/'],
  ['win32', { USERPROFILE: '/ann' }, '/ann/AppData/Local/x-ask/'],
  ['win32', { USERPROFILE: '/ann', LOCALAPPDATA: '/local' }, '/local/x-ask/'],
])('on %s with %j the index is in the cache folder', (platform, env, folder) => {
  expect(defaultCache('/a/my docs', env, platform)).toMatch(new RegExp(`^${folder}my_docs-[0-9a-f]{16}\\.json$`))
})

it('the default file is different for each folder', () => {
  expect(defaultCache('/a/docs', {}, 'linux')).not.toBe(defaultCache('/b/docs', {}, 'linux'))
})
