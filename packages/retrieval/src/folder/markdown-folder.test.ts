import { rm, writeFile } from 'node:fs/promises'
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

  it('can be stopped while nothing changes', async () => {
    const changes = watchMarkdownFolder(await folderOf())
    await changes.next()
    const next = expect(changes.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(await changes.return()).toEqual({ value: undefined, done: true })
    await next
  })
})
