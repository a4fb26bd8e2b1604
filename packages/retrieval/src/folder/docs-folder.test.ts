import { execFileSync } from 'node:child_process'
import { promises } from 'node:fs'
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { deleteFolders, folderOf, write } from '../../../../tools/test-folder.ts'
import * as entry from './docs-folder.ts'
import { DocsFolder, type FileSystem, IgnoreRules, insidePath, MOST_BYTES } from './docs-folder.ts'

afterEach(deleteFolders)

const denied = Object.assign(new Error('no'), { code: 'EACCES' })

async function listed(path: string, fs?: FileSystem): Promise<string[]> {
  const { files, skipped } = await (await DocsFolder.open(path, fs)).list()
  return [...files.map((file) => file.path), ...skipped.map(({ path: one, reason }) => `${one} ✗ ${reason}`)]
}

describe('DocsFolder.open', () => {
  it.each([
    ['a folder that does not exist', 'nothing', 'no such folder.'],
    ['a file', 'a.md', 'expected a folder, received a file.'],
  ])('refuses %s', async (_, name, reason) => {
    const path = join(await folderOf({ 'a.md': '' }), name)
    await expect(DocsFolder.open(path)).rejects.toMatchObject({ code: 'docs_folder', message: `${path}: ${reason}` })
  })

  it('leaves out what ignore files name', async () => {
    const root = await folderOf({
      '.gitignore': 'drafts/\n*.tmp.md\n',
      'a.md': '',
      'a.tmp.md': '',
      'drafts/b.md': '',
      'sub/.ignore': '!x.tmp.md\n/c.md',
      'sub/c.md': '',
      'sub/x.tmp.md': '',
      'sub/deep/c.md': '',
    })
    const { files } = await (await DocsFolder.open(root)).list()
    expect(files.map(({ path }) => path)).toEqual(['a.md', 'sub/deep/c.md', 'sub/x.tmp.md'])
  })

  it('refuses a folder without permission', async () => {
    const fs = { ...promises, readdir: () => Promise.reject(denied) } as unknown as FileSystem
    await expect(DocsFolder.open(await folderOf(), fs)).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be read \(EACCES\)/),
    })
  })

  it('opens a folder through a symbolic link', async () => {
    const folder = await folderOf({ 'docs/a.md': 'a' })
    await symlink(join(folder, 'docs'), join(folder, 'link'))
    const opened = await DocsFolder.open(join(folder, 'link'))
    expect([opened.root, await opened.read('a.md')]).toEqual([join(folder, 'docs'), 'a'])
  })
})

describe('list', () => {
  it('returns Markdown files at any depth, sorted, without hidden ones and node_modules', async () => {
    const folder = await folderOf({
      'b.md': '',
      'a/z.MARKDOWN': '',
      'a/b/c.mdx': '',
      'a/notes.txt': '',
      '.hidden.md': '',
      '.git/a.md': '',
      'node_modules/p/README.md': '',
      'folder.md/inside.md': '',
    })
    expect(await listed(folder)).toEqual(['a/b/c.mdx', 'a/z.MARKDOWN', 'b.md', 'folder.md/inside.md'])
  })

  it('lists what it skips: links, pipes, files that are too large', async () => {
    const outside = await folderOf({ 'secret.md': 'secret' })
    const folder = await folderOf({ 'a.md': '', 'large.md': '' })
    await symlink(join(outside, 'secret.md'), join(folder, 'link.md'))
    await symlink(outside, join(folder, 'linked'))
    await write(folder, { 'plain.txt': '' })
    for (const target of ['plain.txt', 'nothing']) await symlink(join(folder, target), join(folder, `to-${target}`))
    await truncate(join(folder, 'large.md'), MOST_BYTES + 1)
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    expect((await listed(folder)).sort()).toEqual([
      'a.md',
      `large.md ✗ the file is too large (${MOST_BYTES + 1} bytes; at most ${MOST_BYTES} are read).`,
      'link.md ✗ symbolic links are not followed.',
      'linked ✗ symbolic links are not followed.',
      'pipe.md ✗ expected a file.',
    ])
  })

  it('skips folders and files without permission', async () => {
    const folder = await folderOf({ 'a.md': '', 'closed/b.md': '', 'c.md': '' })
    const fs = {
      ...promises,
      readdir: (path: string, options: object) =>
        path.endsWith('closed') ? Promise.reject(denied) : promises.readdir(path, options),
      lstat: (path: string, options: object) =>
        path.endsWith('c.md') ? Promise.reject(denied) : promises.lstat(path, options),
    } as unknown as FileSystem
    expect(await listed(folder, fs)).toEqual([
      'a.md',
      'c.md ✗ no permission to read it.',
      'closed ✗ no permission to read it.',
    ])
  })

  it('reads nothing in a folder whose ignore file cannot be read', async () => {
    const folder = await folderOf({ 'a.md': '', 'sub/.gitignore': 'draft.md', 'sub/draft.md': '', 'sub/in/b.md': '' })
    const without = (file: string, error: Error) =>
      ({
        ...promises,
        open: (path: string, flags: number) =>
          path.endsWith(file) ? Promise.reject(error) : promises.open(path, flags),
      }) as unknown as FileSystem
    const ignored = join('sub', '.gitignore')
    const reason = '.gitignore: no permission to read it.'
    const { files, skipped } = await (await DocsFolder.open(folder, without(ignored, denied))).list()
    expect(files.map(({ path }) => path)).toEqual(['a.md'])
    expect(skipped).toEqual([{ path: 'sub', reason, error: expect.objectContaining({ code: 'docs_path', reason }) }])
    const gone = Object.assign(new Error('deleted since it was listed'), { code: 'ENOENT' })
    expect(await listed(folder, without(ignored, gone))).toEqual(['a.md', 'sub/draft.md', 'sub/in/b.md'])
    await write(folder, { '.ignore': 'a.md' })
    const opened = await DocsFolder.open(folder, without(`${folder}${sep}.ignore`, denied))
    await expect(opened.list()).rejects.toMatchObject({
      code: 'docs_folder',
      message: `${folder}: .ignore: no permission to read it.`,
    })
  })

  it('names files and folders whose names are not UTF-8', async () => {
    const folder = await folderOf({ 'a.md': '' })
    const named = (...bytes: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes)])
    await writeFile(named(0xff, 0x2e, 0x6d, 0x64), 'text')
    await mkdir(named(0x62, 0xff))
    expect((await listed(folder)).sort()).toEqual([
      'a.md',
      'b\ufffd ✗ expected a name in UTF-8.',
      '\ufffd.md ✗ expected a name in UTF-8.',
    ])
  })

  it('changes the stamp of a file that was written in place with the same size', async () => {
    const folder = await folderOf({ 'a.md': 'one' })
    const opened = await DocsFolder.open(folder)
    const stamp = async () => (await opened.list()).files[0]!.stamp
    const before = await stamp()
    await write(folder, { 'a.md': 'two' })
    expect(await stamp()).not.toBe(before)
  })

  it('throws when the folder was deleted', async () => {
    const folder = await folderOf({ 'docs/a.md': '' })
    const opened = await DocsFolder.open(join(folder, 'docs'))
    await rm(join(folder, 'docs'), { recursive: true })
    await expect(opened.list()).rejects.toMatchObject({ code: 'docs_folder' })
  })
})

describe('read', () => {
  it('returns text without a byte-order mark', async () => {
    const opened = await DocsFolder.open(await folderOf({ 'a.md': '\ufeffä' }))
    expect([await opened.read('a.md'), await opened.read('./a.md')]).toEqual(['ä', 'ä'])
  })

  it.each([
    '../secret.md',
    'a/../../secret.md',
    '/etc/passwd.md',
    'C:\\secret.md',
    '\\\\host\\secret.md',
    'a.md\0.md',
    '..',
  ])('refuses %j before it looks at the disk', async (path) => {
    const opened = await DocsFolder.open(await folderOf({ 'a.md': '' }))
    await expect(opened.read(path)).rejects.toMatchObject({
      code: 'docs_path',
      message: expect.stringMatching(/expected a path inside of the folder/),
    })
  })

  it('refuses paths that lead out of the folder by a link, also after a folder was replaced by a link', async () => {
    const outside = await folderOf({ 'secret.md': 'secret' })
    const folder = await folderOf({ 'a/secret.md': 'mine' })
    await symlink(join(outside, 'secret.md'), join(folder, 'link.md'))
    const opened = await DocsFolder.open(folder)
    await opened.list()
    await rename(join(folder, 'a'), join(folder, 'b'))
    await symlink(outside, join(folder, 'a'))
    for (const path of ['link.md', 'a/secret.md'])
      await expect(opened.read(path)).rejects.toMatchObject({ reason: 'symbolic links are not followed.' })
    expect(await opened.read('b/secret.md')).toBe('mine')
  })

  it.each<[string, string | Uint8Array, string]>([
    ['a missing file', '', 'no such file.'],
    ['binary data', new Uint8Array([35, 0, 1]), 'expected text, found a NUL byte.'],
    ['text in a different encoding', new Uint8Array([35, 228]), 'expected UTF-8 text.'],
    ['half of a character', new TextEncoder().encode('# ä').slice(0, 3), 'expected UTF-8 text.'],
  ])('refuses %s', async (_, content, reason) => {
    const opened = await DocsFolder.open(await folderOf(content === '' ? {} : { 'a.md': content }))
    await expect(opened.read('a.md')).rejects.toMatchObject({ code: 'docs_path', reason })
  })

  it('refuses other files, folders, pipes, files that are too large, and files without permission', async () => {
    const folder = await folderOf({ 'a.txt': 'text', 'large.md': '' })
    await mkdir(join(folder, 'folder.md'))
    await truncate(join(folder, 'large.md'), MOST_BYTES + 1)
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    const reasons = async (opened: DocsFolder, ...paths: string[]) =>
      Promise.all(paths.map((path) => opened.read(path).catch((error) => error.reason)))
    expect(await reasons(await DocsFolder.open(folder), 'a.txt', 'folder.md', 'pipe.md', 'large.md')).toEqual([
      'expected a Markdown file (.md, .mdx, .markdown).',
      'expected a file.',
      'expected a file.',
      `the file is too large (${MOST_BYTES + 1} bytes; at most ${MOST_BYTES} are read).`,
    ])
    const fs = { ...promises, open: () => Promise.reject(denied) } as unknown as FileSystem
    expect(await reasons(await DocsFolder.open(folder, fs), 'large.md')).toEqual(['no permission to read it.'])
  })
})

it('insidePath removes empty parts and dots', () => {
  expect(['./a//b.md', 'a/', '', '.', 'a..b/c...md'].map(insidePath)).toEqual(['a/b.md', 'a', '', '', 'a..b/c...md'])
})

const ignores = (source: string, path: string, base = '') =>
  new IgnoreRules().with(base, source).ignores(path, path.endsWith('/'))

describe('IgnoreRules', () => {
  it.each([
    ['*.draft.md', 'a/b.draft.md', true],
    ['drafts', 'a/drafts', true],
    ['/drafts', 'a/drafts', false],
    ['a/*.md', 'a/b.md', true],
    ['a/*.md', 'a/b/c.md', false],
    ['a/**/c.md', 'a/c.md', true],
    ['a/**/c.md', 'a/b/b/c.md', true],
    ['**/c.md', 'c.md', true],
    ['a/**', 'a/b/c.md', true],
    ['?.md', 'ab.md', false],
    ['[ab].md', 'b.md', true],
    ['[!ab].md', 'b.md', false],
    ['a.md', 'axmd', false],
    ['# a\n\n  ', 'a', false],
    ['\\#a', '#a', true],
    ['*.md\n!b.md', 'b.md', false],
    ['[z-a].md', 'b.md', false],
    ['a(b', 'a(b', true],
  ])('with %j it ignores %j: %j', (source, path, is) => {
    expect(ignores(source, path)).toBe(is)
  })

  it('tells folders from files, and reads paths from the folder of the rules', () => {
    const rules = new IgnoreRules().with('', 'build/').with('sub', '/x.md')
    expect([rules.ignores('build', true), rules.ignores('build', false)]).toEqual([true, false])
    expect([rules.ignores('sub/x.md', false), rules.ignores('x.md', false)]).toEqual([true, false])
  })

  it('takes little time for patterns of stars', () => {
    const rules = new IgnoreRules().with('', `${'*'.repeat(200)}x`)
    expect(rules.ignores(`${'a'.repeat(50_000)}`, false)).toBe(false)
  })
})

it('has these error codes', () => {
  const { DocsFolderError, DocsPathError } = entry
  const errors = [DocsFolderError, DocsPathError].map((Class) => new Class('p', 'why'))
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toMatchInlineSnapshot(`
    [
      "DocsFolderError docs_folder",
      "DocsPathError docs_path",
    ]
  `)
})
