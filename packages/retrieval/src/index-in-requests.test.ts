import { Document, TextNode } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { expect, it } from 'vitest'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IngestionPipeline } from './ingestion-pipeline.ts'
import type { IndexChanges } from './ingestion-types.ts'
import { nodeFilter } from './metadata-filters.ts'
import { sqlCondition } from './sql-condition.ts'

/** An index whose requests are expensive, such as one in a database. */
class RemoteIndex extends Bm25Retriever {
  requests: string[] = []
  apply({ added = [], updated = [], removed = [], kept = [] }: IndexChanges) {
    this.requests.push(`apply ${added.length} ${updated.length} ${removed.length} ${kept.length}`)
    this.add([...added, ...updated])
    this.remove(removed)
    return Promise.resolve(kept.filter((id) => !this.has(id)))
  }
  missing(ids: readonly string[]) {
    this.requests.push(`missing ${ids.length}`)
    return ids.filter((id) => !this.has(id))
  }
}

it('an index receives the changes of a document in one request', async () => {
  const index = new RemoteIndex()
  const store = new SimpleDocumentStore()
  const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
  const pipeline = new IngestionPipeline({ transformations, store, indexes: [index] })
  const sections = ['a', 'b', 'c', 'd'].map((name) => `# ${name}\n\nAbout ${name}.`)
  const ingest = async (parts: string[]) => {
    index.requests = []
    await pipeline.ingest(new Document({ id: 'f.md', text: parts.join('\n\n') }))
    return index.requests
  }
  expect(await ingest(sections)).toEqual(['apply 4 0 0 0'])
  expect(await ingest(sections)).toEqual(['missing 4'])
  expect(await ingest([sections[0]!, '# New\n\nAbout it.', ...sections.slice(2)])).toEqual(['apply 1 3 1 3'])
  const lost = (await index.retrieve('about'))[0]!.id
  index.remove([lost])
  expect(await ingest([...sections, '# E'])).toHaveLength(1)
  expect(index.has(lost)).toBe(true)
})

it('a condition is true for at least the nodes that meet the filters', () => {
  const known = (key: string) => ({ key, value: 1 })
  const unknown = { key: 'x', operator: 'contains', value: 1 } as const
  const conditionOf = (all: Parameters<typeof sqlCondition>[0]) =>
    sqlCondition(all, ({ key, value, operator }) => (operator ? null : { sql: `${key} = ?`, values: [value] }))
  expect(conditionOf([])).toBeNull()
  expect(conditionOf([[known('a'), unknown], { filters: [known('b'), known('c')], condition: 'or' }])).toEqual({
    sql: '((a = ?) and (b = ? or c = ?))',
    values: [1, 1, 1],
  })
  expect(conditionOf([{ filters: [known('a'), unknown], condition: 'or' }])).toBeNull()
  expect(conditionOf([{ filters: [known('a')], condition: 'not' }])).toBeNull()
  expect(nodeFilter({ filters: [known('a')], condition: 'not' })(new TextNode())).toBe(true)
})
