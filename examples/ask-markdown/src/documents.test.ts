import { promises } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileReader, readDocuments } from './documents.ts'
import { workspace } from './testing/workspace.ts'

const quiet = () => {}

describe('readDocuments', () => {
  it('reads the Markdown files of folders in order, without hidden folders and node_modules', async () => {
    const { folder } = await workspace({
      'docs/b.md': 'b',
      'docs/a.markdown': 'a',
      'docs/deep/er/c.MD': 'c',
      'docs/notes.txt': 'no',
      'docs/.hidden/d.md': 'no',
      'docs/node_modules/e.md': 'no',
    })
    await symlink(folder, join(folder, 'docs/loop'))
    const documents = await readDocuments(['docs'], { folder, warn: quiet })
    expect(documents.map(({ id, text }) => [id, text])).toEqual([
      ['docs/a.markdown', 'a'],
      ['docs/b.md', 'b'],
      ['docs/deep/er/c.MD', 'c'],
    ])
    expect(documents[0]!.metadata).toEqual({ file: 'docs/a.markdown' })
  })

  it('reads each file once, and any file that is passed', async () => {
    const { folder } = await workspace({ 'a.md': 'a', 'notes.txt': 'notes', 'empty.md': '' })
    const documents = await readDocuments(['a.md', '.', './a.md', 'notes.txt'], { folder, warn: quiet })
    expect(documents.map(({ id }) => id)).toEqual(['a.md', 'empty.md', 'notes.txt'])
  })

  it('skips files and folders that cannot be read, with a warning, and refuses a passed file', async () => {
    const { folder } = await workspace({ 'a.md': 'a', 'b.md': 'b', 'c.mdx': 'c', 'closed/d.md': 'd', 'open/e.md': 'e' })
    const denied = (path: string) => Object.assign(new Error(path), { code: 'EACCES' })
    const files: FileReader = {
      ...promises,
      readdir: async (path, options) => {
        if (path.endsWith('closed')) throw denied(path)
        return promises.readdir(path, options)
      },
      readFile: async (path) => {
        if (path.endsWith('b.md')) throw denied(path)
        return promises.readFile(path)
      },
    }
    const warnings: string[] = []
    const options = { folder, files, warn: (message: string) => void warnings.push(message) }
    const documents = await readDocuments(['.'], options)
    expect(documents.map(({ id }) => id)).toEqual(['a.md', 'c.mdx', 'open/e.md'])
    expect(warnings).toEqual([
      'closed: the folder cannot be read (EACCES); skipped.',
      'b.md: cannot be read (EACCES); skipped.',
    ])
    await expect(readDocuments(['a.md', 'b.md'], options)).rejects.toMatchObject({
      exitCode: 3,
      message: 'b.md: cannot be read (EACCES).',
    })
    await expect(readDocuments(['closed'], options)).rejects.toMatchObject({ exitCode: 3 })
  })

  it('refuses a device, which might never end', async () => {
    await expect(readDocuments(['/dev/zero'], { folder: '/', warn: quiet })).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('/dev/zero: expected a file or a folder, received a pipe or a device'),
    })
  })

  it('identifies files outside the folder by their absolute path', async () => {
    const { folder } = await workspace({ 'a.md': 'a', 'inner/b.md': 'b' })
    const documents = await readDocuments(['../a.md', 'b.md'], { folder: join(folder, 'inner'), warn: quiet })
    expect(documents.map(({ id }) => id)).toEqual([join(folder, 'a.md').replaceAll('\\', '/'), 'b.md'])
  })
})
