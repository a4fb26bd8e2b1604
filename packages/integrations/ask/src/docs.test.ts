import { type FSWatcher, promises, watch } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileSystem } from '@x/retrieval/folder'
import { afterEach, describe, expect, it } from 'vitest'
import { deleteFolders, folderOf, fruit, write } from '../test/folder.ts'
import { Docs, type DocsChange, type DocsOptions } from './docs.ts'

const opened: Docs[] = []
afterEach(async () => {
  for (const docs of opened.splice(0)) await docs.close()
  await deleteFolders()
})

async function open(folder: string, options: DocsOptions = {}): Promise<Docs> {
  const docs = await Docs.open(folder, { quietMs: 20, ...options })
  opened.push(docs)
  return docs
}

const paths = async (docs: Docs) => (await docs.documents()).map(({ path }) => path)
const found = async (docs: Docs, query: string) => (await docs.search(query)).map(({ file }) => file)

/** The next change that the system reports. */
function nextChange(docs: Docs): Promise<DocsChange> {
  return new Promise((resolve) => {
    const end = docs.onChange((change) => {
      end()
      resolve(change)
    })
  })
}

/** Changes the folder, waits until the system has reported it, and returns the change. */
async function after(docs: Docs, work: () => Promise<unknown>): Promise<DocsChange> {
  const change = nextChange(docs)
  await work()
  return change
}

const change = (part: Partial<DocsChange>): DocsChange => ({ added: [], changed: [], removed: [], ...part })

describe('Docs', () => {
  it('lists documents with titles and lines', async () => {
    const docs = await open(await folderOf({ ...fruit, 'empty.md': '', 'setext.md': 'The *title*\n===\n\r\nx\r\ny' }))
    expect(await docs.documents()).toEqual([
      { path: 'empty.md', title: null, lines: 0 },
      { path: 'fruit.md', title: 'All about fruit', lines: 19 },
      { path: 'guides/install.md', title: 'Install', lines: 20 },
      { path: 'guides/parts.mdx', title: null, lines: 7 },
      { path: 'setext.md', title: 'The title', lines: 5 },
    ])
    expect((await docs.documents('./guides/')).map(({ path }) => path)).toEqual([
      'guides/install.md',
      'guides/parts.mdx',
    ])
    expect((await docs.documents('fruit.md')).length).toBe(1)
  })

  it('finds texts, and tables by their cells', async () => {
    const docs = await open(await folderOf(fruit))
    const [cellar] = await docs.search('cool cellars')
    expect(cellar).toMatchObject({ file: 'fruit.md', path: ['Fruit', 'Storing fruit'], from: 17, to: 19, line: 19 })
    const [table] = await docs.search('screw')
    expect(table).toMatchObject({ file: 'guides/parts.mdx', line: 6, excerpt: expect.stringContaining('part: screw') })
    expect(await docs.search('screw', { within: 'fruit.md' })).toEqual([])
    expect((await docs.search('unpack apple', { tablesOnly: true })).map(({ file }) => file)).toEqual(['fruit.md'])
    expect(await docs.missing('Who sells zeppelins and screws?')).toEqual(['sells', 'zeppelins'])
  })

  it('leaves documents out of searches that do not name them', async () => {
    const folder = await folderOf({ 'page.md': '# Pears\n\ngreen', 'copies/page.md': '# Pears\n\ngreen' })
    const docs = await open(folder, { searches: (path) => !path.startsWith('copies/') })
    const files = async (within?: string) => (await docs.search('green', { within })).map(({ file }) => file)
    expect(await files()).toEqual(['page.md'])
    expect(await files('copies')).toEqual(['copies/page.md'])
    expect(await docs.read('copies/page.md')).toContain('green')
  })

  it.each([
    ['nothing.md', 'the document or folder does not exist. The tool list_documents lists them.'],
    ['docs/install.md', 'the document or folder does not exist. There is guides/install.md.'],
    ['../fruit.md', 'expected a path inside of the folder, such as guides/install.md.'],
    ['bad.md', 'expected text, found a NUL byte.'],
  ])('reports why the document %s does not exist', async (path, reason) => {
    const docs = await open(await folderOf({ ...fruit, 'bad.md': new Uint8Array([0]) }))
    for (const operation of [
      () => docs.read(path),
      () => docs.documents(path),
      () => docs.tablesOf(path),
      () => docs.search('a', { within: path }),
    ])
      await expect(operation()).rejects.toMatchObject({ code: 'docs_path', reason })
  })

  it('reads a document as it is now, before the system reports a change', async () => {
    const folder = await folderOf({ 'a.md': 'old' })
    const never = (() => ({ on: () => {}, close: () => {} }) as unknown as FSWatcher) as unknown as typeof watch
    const docs = await open(folder, { watch: never })
    expect(await docs.read('a.md')).toBe('old')
    await write(folder, { 'a.md': 'new' })
    expect(await docs.read('a.md')).toBe('new')
  })
})

describe('changes', () => {
  it('notices files that are added, changed, renamed and removed', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    const docs = await open(folder)
    await docs.upToDate()
    expect(await after(docs, () => write(folder, { 'b.md': 'beta' }))).toEqual(change({ added: ['b.md'] }))
    expect(await found(docs, 'beta')).toEqual(['b.md'])
    expect(await after(docs, () => write(folder, { 'b.md': 'gamma' }))).toEqual(change({ changed: ['b.md'] }))
    expect([await found(docs, 'beta'), await found(docs, 'gamma')]).toEqual([[], ['b.md']])
    expect(await after(docs, () => rename(join(folder, 'b.md'), join(folder, 'c.md')))).toEqual(
      change({ added: ['c.md'], removed: ['b.md'] }),
    )
    expect(await found(docs, 'gamma')).toEqual(['c.md'])
    expect(await after(docs, () => rm(join(folder, 'c.md')))).toEqual(change({ removed: ['c.md'] }))
    expect([await found(docs, 'gamma'), await paths(docs)]).toEqual([[], ['a.md']])
  })

  it('notices new folders, and folders that are moved, deleted and created again', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    const docs = await open(folder)
    await docs.upToDate()
    await after(docs, () => write(folder, { 'new/deep/b.md': 'beta' }))
    expect(await after(docs, () => write(folder, { 'new/deep/c.md': 'gamma' }))).toEqual(
      change({ added: ['new/deep/c.md'] }),
    )
    await after(docs, () => rename(join(folder, 'new'), join(folder, 'moved')))
    expect(await paths(docs)).toEqual(['a.md', 'moved/deep/b.md', 'moved/deep/c.md'])
    await after(docs, () => rm(join(folder, 'moved'), { recursive: true }))
    await after(docs, () => write(folder, { 'moved/deep/d.md': 'delta' }))
    await after(docs, () => write(folder, { 'moved/deep/d.md': 'epsilon' }))
    expect([await paths(docs), await found(docs, 'epsilon')]).toEqual([
      ['a.md', 'moved/deep/d.md'],
      ['moved/deep/d.md'],
    ])
  })

  it('notices a new folder in the place of a renamed one', async () => {
    const folder = await folderOf({ 'd/a.md': 'alpha' })
    const docs = await open(folder)
    await docs.upToDate()
    await after(docs, async () => {
      await rename(join(folder, 'd'), join(folder, 'e'))
      await mkdir(join(folder, 'd'))
    })
    expect(await after(docs, () => write(folder, { 'd/b.md': 'beta' }))).toEqual(change({ added: ['d/b.md'] }))
    expect(await after(docs, () => write(folder, { 'e/a.md': 'gamma' }))).toEqual(change({ changed: ['e/a.md'] }))
  })

  it('reads reported changes before an operation, also while the folder keeps changing', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    let events = 0
    const counting = ((path: string, options: object, onEvent: () => void) =>
      watch(path, options, () => {
        events++
        onEvent()
      })) as typeof watch
    const docs = await open(folder, { quietMs: 600_000, watch: counting })
    await docs.upToDate()
    await write(folder, { 'b.md': 'beta' })
    while (events === 0) await pause()
    expect(await found(docs, 'beta')).toEqual(['b.md'])
  })

  it('watches each folder once, as long as it exists', async () => {
    const folder = await folderOf({ 'a/b/c.md': '', 'd/e.md': '', '.git/x': '' })
    const watched: string[] = []
    const recording = ((path: string, options: object, onEvent: () => void) => {
      const watcher = watch(path, options, onEvent)
      const name = path.slice(folder.length)
      watched.push(name)
      watcher.on('close', () => watched.splice(watched.indexOf(name), 1))
      return watcher
    }) as typeof watch
    const docs = await open(folder, { watch: recording })
    await docs.upToDate()
    expect(watched.sort()).toEqual(['', '/a', '/a/b', '/d'])
    await after(docs, () => rename(join(folder, 'a'), join(folder, '.hidden')))
    await pause()
    expect(watched.sort()).toEqual(['', '/d'])
    await docs.close()
    await pause()
    expect(watched).toEqual([])
  })

  it('tries again to read a file that could not be read', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    let isBroken = true
    const fs = {
      ...promises,
      open: (path: string, flags: number) =>
        isBroken ? Promise.reject(Object.assign(new Error(), { code: 'EIO' })) : promises.open(path, flags),
    } as FileSystem
    const docs = await open(folder, { fs, lookEveryMs: 20 })
    expect(await docs.skipped()).toEqual([{ path: 'a.md', reason: 'cannot be read (EIO).' }])
    isBroken = false
    expect(await nextChange(docs)).toEqual(change({ added: ['a.md'] }))
  })

  it('reads a file again when its second half was written', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    const log: string[] = []
    const docs = await open(folder, { log: (line) => log.push(line) })
    await docs.upToDate()
    const bytes = new TextEncoder().encode('# Größe\n\nLast words.')
    await writeFile(join(folder, 'b.md'), bytes.slice(0, 5))
    while (!log.includes('b.md is skipped: expected UTF-8 text.')) await docs.upToDate().then(() => pause())
    expect([await paths(docs), await docs.skipped()]).toEqual([
      ['a.md'],
      [{ path: 'b.md', reason: 'expected UTF-8 text.' }],
    ])
    expect(await after(docs, () => writeFile(join(folder, 'b.md'), bytes))).toEqual(change({ added: ['b.md'] }))
    expect([await found(docs, 'last'), await docs.skipped()]).toEqual([['b.md'], []])
  })

  it('removes a document that can no longer be read, and logs it once', async () => {
    const folder = await folderOf({ 'a.md': 'alpha', 'b.md': 'beta' })
    const denied = Object.assign(new Error('no'), { code: 'EACCES' })
    let isDenied = false
    const fs = {
      ...promises,
      open: (path: string, flags: number) =>
        isDenied && path.endsWith('b.md') ? Promise.reject(denied) : promises.open(path, flags),
    } as FileSystem
    const log: string[] = []
    const docs = await open(folder, { fs, log: (line) => log.push(line) })
    await docs.upToDate()
    isDenied = true
    // A change of the permissions is a change of the file.
    expect(await after(docs, () => chmod(join(folder, 'b.md'), 0o600))).toEqual(change({ removed: ['b.md'] }))
    expect([await found(docs, 'beta'), await docs.skipped()]).toEqual([
      [],
      [{ path: 'b.md', reason: 'no permission to read it.' }],
    ])
    await after(docs, () => write(folder, { 'c.md': '' }))
    expect(log.filter((line) => line.includes('skipped'))).toEqual(['b.md is skipped: no permission to read it.'])
    isDenied = false
    expect(await after(docs, () => chmod(join(folder, 'b.md'), 0o644))).toEqual(change({ added: ['b.md'] }))
  })

  it('continues when the folder itself is deleted and created again', async () => {
    const folder = await folderOf({ 'docs/a.md': 'alpha' })
    const log: string[] = []
    const docs = await open(join(folder, 'docs'), { lookEveryMs: 30, log: (line) => log.push(line) })
    await docs.upToDate()
    await rm(join(folder, 'docs'), { recursive: true })
    while (!log.some((line) => line.includes('was deleted'))) await pause()
    // One change, or two if the folder is read in between.
    const first = await after(docs, () => write(folder, { 'docs/b.md': 'beta' }))
    const { added } = first.added.length > 0 ? first : await nextChange(docs)
    expect({ ...first, added }).toEqual(change({ added: ['b.md'], removed: ['a.md'] }))
    expect(log.filter((line) => line.includes('was deleted')).length).toBe(1)
  })

  it('answers nothing from the index while the folder is gone, and continues at once when it is back', async () => {
    const folder = await folderOf({ 'docs/a.md': 'alpha' })
    // Nothing is reported by the system, and the folder is not read without an event.
    const silent = (() => ({ on: () => {}, close: () => {} }) as unknown as FSWatcher) as unknown as typeof watch
    const docs = await open(join(folder, 'docs'), { lookEveryMs: 1_000_000, watch: silent })
    expect(await found(docs, 'alpha')).toEqual(['a.md'])
    await rename(join(folder, 'docs'), join(folder, 'moved'))
    for (const operation of [
      () => docs.search('alpha'),
      () => docs.documents(),
      () => docs.skipped(),
      () => docs.read('a.md'),
      () => docs.blocks('a.md'),
      () => docs.tablesOf('a.md'),
      () => docs.table('a.md#1'),
    ])
      await expect(operation()).rejects.toMatchObject({
        code: 'docs_folder',
        message: expect.stringContaining('the folder was deleted, moved or unmounted'),
      })
    await rename(join(folder, 'moved'), join(folder, 'docs'))
    expect(await found(docs, 'alpha')).toEqual(['a.md'])
    await rm(join(folder, 'docs'), { recursive: true })
    await writeFile(join(folder, 'docs'), 'a file')
    await expect(docs.documents()).rejects.toMatchObject({ code: 'docs_folder' })
  })

  it('reads the folder every two seconds if it cannot be watched', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    const log: string[] = []
    const refuse = (() => {
      throw Object.assign(new Error('too many'), { code: 'ENOSPC' })
    }) as typeof watch
    const docs = await open(folder, { watch: refuse, lookEveryMs: 30, log: (line) => log.push(line) })
    await docs.upToDate()
    await mkdir(join(folder, 'b'))
    expect(await after(docs, () => write(folder, { 'b/c.md': '' }))).toEqual(change({ added: ['b/c.md'] }))
    expect(log[0]).toBe('The folder cannot be watched (ENOSPC): it is read every two seconds.')
  })

  it('reports nothing after it was closed', async () => {
    const folder = await folderOf({ 'a.md': 'alpha' })
    const docs = await open(folder)
    await docs.upToDate()
    const changes: DocsChange[] = []
    docs.onChange((one) => changes.push(one))
    await docs.close()
    await docs.close()
    await write(folder, { 'b.md': '' })
    await pause()
    expect(changes).toEqual([])
  })
})

describe('the index in a file', () => {
  const parsed = (log: string[]) => Number(/(\d+) of them parsed/.exec(log.join('\n'))?.[1])
  const large = 'word '.repeat(200_001)

  it('reads only files that have changed since the last start, and forgets deleted ones', async () => {
    const folder = await folderOf({
      'docs/a.md': 'alpha',
      'docs/b.md': '# B\n\nbeta',
      'docs/c.md': 'gamma',
      'docs/d.md': large,
    })
    const cache = join(folder, 'cache', 'index.json')
    const start = async () => {
      const log: string[] = []
      const docs = await open(join(folder, 'docs'), { cache, log: (line) => log.push(line) })
      const results = [await found(docs, 'alpha'), await found(docs, 'beta'), await found(docs, 'gamma delta')]
      expect((await docs.documents()).find(({ path }) => path === 'b.md')).toEqual({
        path: 'b.md',
        title: 'B',
        lines: 3,
      })
      await docs.close()
      return [parsed(log), ...results]
    }
    expect(await start()).toEqual([4, ['a.md'], ['b.md'], ['c.md']])
    expect((await stat(cache)).mode & 0o777).toBe(0o600)
    expect(await start()).toEqual([0, ['a.md'], ['b.md'], ['c.md']])
    await write(folder, { 'docs/c.md': 'delta' })
    await rm(join(folder, 'docs/a.md'))
    expect(await start()).toEqual([1, [], ['b.md'], ['c.md']])
    expect(await start()).toEqual([0, [], ['b.md'], ['c.md']])
    await writeFile(cache, '{"version":')
    expect(await start()).toEqual([3, [], ['b.md'], ['c.md']])
  })

  it('joins small segments, and leaves out what was removed', async () => {
    const folder = await folderOf({ 'docs/a.md': large, 'docs/b.md': 'beta' })
    const cache = join(folder, 'cache', 'index.json')
    const start = async () => {
      const docs = await open(join(folder, 'docs'), { cache })
      const results = [await found(docs, 'word'), await found(docs, 'beta'), await found(docs, 'version')]
      await docs.close()
      return results
    }
    const segments = async () => JSON.parse(await readFile(cache, 'utf8')).segments.length
    const counts: number[] = []
    for (let version = 0; version < 10; version++) {
      await write(folder, { 'docs/c.md': `version ${version}`, [`docs/d${version}.md`]: `other ${version}` })
      expect(await start()).toEqual([['a.md'], ['b.md'], ['c.md']])
      counts.push(await segments())
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(9)
    expect(counts.at(-1)).toBeLessThan(9)
    await rm(join(folder, 'docs/a.md'))
    await write(folder, { 'docs/e.md': large })
    expect(await start()).toEqual([['e.md'], ['b.md'], ['c.md']])
    expect(await start()).toEqual([['e.md'], ['b.md'], ['c.md']])
  })

  it('is not used for a different folder, and not written for a small one', async () => {
    const folder = await folderOf({ 'a/a.md': large, 'b/b.md': large, 'c/c.md': 'small' })
    const cache = join(folder, 'index.json')
    const start = async (name: string, path = cache) => {
      const log: string[] = []
      const docs = await open(join(folder, name), { cache: path, log: (line) => log.push(line) })
      await docs.upToDate()
      return parsed(log)
    }
    expect([await start('a'), await start('a'), await start('b'), await start('a')]).toEqual([1, 0, 1, 1])
    await start('c', join(folder, 'small.json'))
    await expect(stat(join(folder, 'small.json'))).rejects.toThrow('ENOENT')
  })

  it('answers without a file that can be written', async () => {
    const folder = await folderOf({ 'docs/a.md': large, file: '' })
    const log: string[] = []
    const docs = await open(join(folder, 'docs'), {
      cache: join(folder, 'file', 'index.json'),
      log: (line) => log.push(line),
    })
    expect(await found(docs, 'word')).toEqual(['a.md'])
    expect(log.join('\n')).toContain('The index cannot be kept: ')
  })
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
