import { promises as fs } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { afterEach, describe, expect, it } from 'vitest'
import { deleteFolders, folderOf, write } from '../../../../tools/test-folder.ts'
import { Bm25Retriever } from '../bm25-retriever.ts'
import { IngestionPipeline } from '../ingestion-pipeline.ts'
import type { SkippedFile } from './docs-folder.ts'
import { readMarkdownFolder, watchMarkdownFolder } from './markdown-folder.ts'

afterEach(deleteFolders)

/** A file system in which an operation on a path that ends with `name` fails. */
function failing(code: string, method: 'open' | 'readdir', name: string): typeof fs {
  const operation = (path: string, ...rest: unknown[]) => {
    if (path.endsWith(name)) return Promise.reject(Object.assign(new Error(code), { code }))
    return (fs[method] as (...given: unknown[]) => unknown)(path, ...rest)
  }
  return { ...fs, [method]: operation }
}

describe('readMarkdownFolder', () => {
  it('returns the Markdown files at any depth, without ignored ones', async () => {
    const root = await folderOf({
      '.gitignore': 'drafts/',
      'b.md': '# B',
      'a/c.mdx': 'C',
      'a/x.txt': 'x',
      'drafts/d.md': 'D',
      'node_modules/e.md': 'E',
      'bad.md': new Uint8Array([0xff, 0xfe, 0]),
    })
    const skipped: SkippedFile[] = []
    const documents = await readMarkdownFolder(root, {
      metadata: (path) => ({ team: path.split('/')[0] }),
      onSkip: (file) => skipped.push(file),
    })
    expect(documents.map(({ id, text, metadata }) => [id, text, metadata['team']])).toEqual([
      ['a/c.mdx', 'C', 'a'],
      ['b.md', '# B', 'b.md'],
    ])
    expect(skipped.map(({ path }) => path)).toEqual(['bad.md'])
  })

  it('throws for a file or folder that cannot be read, unless onSkip is told', async () => {
    const root = await folderOf({ 'a.md': '# A', 'b/c.md': '# C', 'text.md': '# T' })
    await expect(readMarkdownFolder(root, { fs: failing('EIO', 'open', 'a.md') })).rejects.toMatchObject({
      code: 'docs_path',
      message: '"a.md": cannot be read (EIO).',
    })
    const skipped: SkippedFile[] = []
    const onSkip = (file: SkippedFile) => skipped.push(file)
    const rest = await readMarkdownFolder(root, { fs: failing('EACCES', 'readdir', 'b'), onSkip })
    expect(rest.map(({ id }) => id)).toEqual(['a.md', 'text.md'])
    await readMarkdownFolder(root, { fs: failing('ENOENT', 'open', 'a.md') })
    await writeFile(join(root, 'text.md'), new Uint8Array([0xe9]))
    await expect(readMarkdownFolder(root)).rejects.toMatchObject({ message: '"text.md": expected UTF-8 text.' })
    expect(skipped).toMatchObject([
      { path: 'b', reason: 'no permission to read it.', error: { cause: { code: 'EACCES' } } },
    ])
  })

  it('refuses what is no folder, and options that it does not have', async () => {
    await expect(readMarkdownFolder('/nowhere')).rejects.toMatchObject({ code: 'docs_folder' })
    await expect(readMarkdownFolder('.', { glob: '*' } as object)).rejects.toMatchObject({ code: 'model_validation' })
  })
})

describe('watchMarkdownFolder', () => {
  it('yields all documents, then changes, so that an index follows the folder', async () => {
    const root = await folderOf({ 'a.md': '# A\n\none', 'b.md': '# B\n\ntwo' })
    const stop = new AbortController()
    const index = new Bm25Retriever()
    const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
    const pipeline = new IngestionPipeline({ transformations, store: new SimpleDocumentStore(), indexes: [index] })
    const seen: [string[], string[]][] = []
    const watched = (async () => {
      for await (const { documents, removed } of watchMarkdownFolder(root, {
        signal: stop.signal,
        quietMs: 5,
        lookEveryMs: 50,
      })) {
        await pipeline.run(documents)
        for (const id of removed) await pipeline.remove(id)
        seen.push([documents.map(({ id }) => id), removed])
        if (seen.length === 1) await write(root, { 'a.md': '# A\n\nthree', 'new/c.md': '# C\n\nfour' })
        if (seen.length === 1) await rm(join(root, 'b.md'))
        if (seen.flatMap(([, gone]) => gone).length > 0 && index.size === 2) stop.abort(new Error('enough'))
      }
    })()
    await expect(watched).rejects.toThrow('enough')
    expect(seen[0]).toEqual([['a.md', 'b.md'], []])
    expect(
      seen
        .slice(1)
        .flatMap(([ids]) => ids)
        .sort(),
    ).toEqual(['a.md', 'new/c.md'])
    expect((await index.retrieve('three'))[0]?.text).toBe('# A\n\nthree')
    expect(await index.retrieve('two')).toEqual([])
  })

  it('yields an empty folder once, looks without events, and can be stopped', async () => {
    const root = await folderOf()
    const changes = watchMarkdownFolder(root, {
      quietMs: 1,
      lookEveryMs: 20,
      watch: (() => {
        throw Object.assign(new Error('no'), { code: 'ENOSPC' })
      }) as never,
    })
    expect((await changes.next()).value).toEqual({ documents: [], removed: [] })
    await writeFile(join(root, 'a.md'), 'x')
    expect((await changes.next()).value).toMatchObject({ documents: [{ id: 'a.md' }], removed: [] })
    await changes.return()
    expect(await changes.next()).toEqual({ value: undefined, done: true })
  })

  it('keeps the documents of files that cannot be read for a time', async () => {
    const root = await folderOf({ 'a.md': 'one', 'b/c.md': 'two' })
    const changes = watchMarkdownFolder(root, { quietMs: 1, lookEveryMs: 20 })
    await changes.next()
    await writeFile(join(root, 'a.md'), new Uint8Array([0xe9]))
    await write(root, { 'd.md': 'three' })
    expect((await changes.next()).value).toMatchObject({ documents: [{ id: 'd.md' }], removed: [] })
    // At once: a file that is being written is read as empty.
    await writeFile(join(root, 'a.txt'), 'four')
    await rename(join(root, 'a.txt'), join(root, 'a.md'))
    expect((await changes.next()).value).toMatchObject({ documents: [{ id: 'a.md', text: 'four' }], removed: [] })
    await changes.return()
  })

  it('continues when its folder is replaced while it is read', async () => {
    const root = await folderOf({ 'a.md': 'one' })
    let reads = 0
    const readdir = (...given: never[]) =>
      ++reads === 3
        ? Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }))
        : (fs.readdir as (...all: never[]) => Promise<unknown>)(...given)
    const changes = watchMarkdownFolder(root, {
      quietMs: 1,
      lookEveryMs: 20,
      fs: { ...fs, readdir: readdir as typeof fs.readdir },
    })
    await changes.next()
    await write(root, { 'b.md': 'two' })
    expect((await changes.next()).value).toMatchObject({ documents: [{ id: 'b.md' }] })
    expect(reads).toBeGreaterThan(3)
    await changes.return()
  })

  it('keeps its process running while its reader waits', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const changes = watchMarkdownFolder(await folderOf())
    await changes.next()
    const before = timers()
    const next = expect(changes.next()).rejects.toMatchObject({ name: 'AbortError' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(timers()).toBe(before + 1)
    await changes.return()
    await next
    expect(timers()).toBe(before)
  })

  it('can be stopped while nothing changes', async () => {
    const changes = watchMarkdownFolder(await folderOf())
    await changes.next()
    const next = expect(changes.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(await changes.return()).toEqual({ value: undefined, done: true })
    await next
  })
})
