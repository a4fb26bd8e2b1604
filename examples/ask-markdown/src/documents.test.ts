import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocuments } from './documents.ts'
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

  it('identifies files outside the folder by their absolute path', async () => {
    const { folder } = await workspace({ 'a.md': 'a', 'inner/b.md': 'b' })
    const documents = await readDocuments(['../a.md', 'b.md'], { folder: join(folder, 'inner'), warn: quiet })
    expect(documents.map(({ id }) => id)).toEqual([join(folder, 'a.md').replaceAll('\\', '/'), 'b.md'])
  })
})
