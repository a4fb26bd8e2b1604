import { Document } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { expect, it } from 'vitest'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IngestionPipeline } from './ingestion-pipeline.ts'

function setUp() {
  const store = new SimpleDocumentStore()
  const retriever = new Bm25Retriever()
  const of = (origin?: string) =>
    new IngestionPipeline({
      transformations: [new MarkdownNodeParser({ idFunc: fromContent() })],
      store,
      indexes: [retriever],
      origin,
    })
  const texts = async () => (await retriever.retrieve('refunds')).map(({ text }) => text)
  return { of, texts, store }
}
const policy = (text: string) => new Document({ id: 'docs://policy', text })
const refused = { code: 'configuration', message: expect.stringContaining('another origin') }

it.each([
  [undefined, 'evil'],
  ['good', 'evil'],
  ['good', undefined],
])('a document of the origin %j is neither replaced nor removed by a pipeline of the origin %j', async (own, other) => {
  const { of, texts } = setUp()
  await of(own).run([policy('Refunds within 14 days.')])
  await expect(of(other).run([policy('No refunds.')])).rejects.toMatchObject(refused)
  await expect(of(other).ingest(policy('No refunds.'))).rejects.toMatchObject(refused)
  await expect(of(other).remove('docs://policy')).rejects.toMatchObject(refused)
  const counts = await of(other).run([new Document({ id: 'other', text: 'Refunds of others.' })], {
    removeMissing: true,
  })
  expect(counts).toMatchObject({ added: 1, removed: 0 })
  expect((await texts()).sort()).toEqual(['Refunds of others.', 'Refunds within 14 days.'])
  const skipped = await of(other).run([policy('No refunds.')], { onError: 'skip' })
  expect(skipped.errors).toHaveLength(1)
})

it('an origin replaces, skips and removes its own documents', async () => {
  const { of, texts } = setUp()
  expect(await of('good').run([policy('Refunds within 14 days.')])).toMatchObject({ added: 1 })
  expect(await of('good').run([policy('Refunds within 14 days.')])).toMatchObject({ unchanged: 1 })
  expect(await of('good').run([policy('Refunds within 30 days.')])).toMatchObject({ changed: 1 })
  expect(await texts()).toEqual(['Refunds within 30 days.'])
  expect(await of('good').run([], { removeMissing: true })).toMatchObject({ removed: 1 })
  expect(await texts()).toEqual([])
})
