import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import { expect, it, onTestFinished } from 'vitest'
import { Library } from './library.ts'

const fruit = '# Fruit\n\nPears keep for weeks.\n\n| name | price |\n|---|---|\n| pear | 3 |\n'
const wine = '# Wine\n\nWine keeps for years.\n'
const documents = (texts: Record<string, string>) =>
  Object.entries(texts).map(([id, text]) => new Document({ id, text, metadata: { file: id } }))

async function storePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ask-library-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'store.db')
}

/** Returns the passages that a library of these documents finds, and the ids of the documents that were parsed. */
async function finds(path: string | null, texts: Record<string, string>, query: string) {
  const parsed: string[] = []
  class Parser extends MarkdownElementNodeParser {
    override getNodesFromDocuments(nodes: readonly Document[]) {
      parsed.push(...nodes.map(({ id }) => id))
      return super.getNodesFromDocuments(nodes)
    }
  }
  const library = path === null ? new Library({ Parser }) : await Library.open(path, { Parser })
  try {
    await library.add(documents(texts))
    const found = await library.search(library.vocabulary.correct(query).text)
    return { parsed, found: found.map(({ node }) => node.id), counts: library.counts() }
  } finally {
    library.close()
  }
}

it('finds tables by their cells, and counts files, texts and tables', async () => {
  const { found, counts } = await finds(null, { 'fruit.md': fruit, 'wine.md': wine }, 'pear price')
  expect(found).toContain('fruit.md#2')
  expect(counts).toEqual({ files: 2, texts: 2, tables: 1 })
})

it('parses a document once per store, until it changes', async () => {
  const path = await storePath()
  const both = { 'fruit.md': fruit, 'wine.md': wine }
  const first = await finds(path, both, 'paer price')
  expect(first.parsed).toEqual(['fruit.md', 'wine.md'])
  const second = await finds(path, both, 'paer price')
  expect(second).toEqual({ ...first, parsed: [] })
  expect(second.found).toContain('fruit.md#2')

  const changed = await finds(path, { 'fruit.md': fruit.replaceAll('pear', 'quince'), 'wine.md': wine }, 'qunice price')
  expect(changed.parsed).toEqual(['fruit.md'])
  expect(changed.found).toContain('fruit.md#2')
})

it('removes documents that are not among those of the question', async () => {
  const path = await storePath()
  await finds(path, { 'fruit.md': fruit, 'wine.md': wine }, 'wine')
  const { found, counts, parsed } = await finds(path, { 'fruit.md': fruit }, 'wine keeps')
  expect({ counts, parsed }).toEqual({ counts: { files: 1, texts: 1, tables: 1 }, parsed: [] })
  expect(found.every((id) => id.startsWith('fruit.md'))).toBe(true)
})

it('finds the same passages in memory and in a store', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`d${n}.md`, `# Part ${n}\n\nThe n${n} lives here.\n`]),
  )
  const texts = { 'fruit.md': fruit, 'wine.md': wine, ...many }
  for (const query of ['pear price', 'wine', 'n17'])
    expect((await finds(await storePath(), texts, query)).found[0]).toBe((await finds(null, texts, query)).found[0])
})

it('reads the tables between the tags of an mdx file', async () => {
  const text =
    'import { Note } from "./note"\n\n# Fruit\n\n<Note>\n  | name | price |\n  |---|---|\n  | pear | 3 |\n</Note>\n'
  expect((await finds(null, { 'fruit.mdx': text }, 'pear')).counts.tables).toBe(1)
})
