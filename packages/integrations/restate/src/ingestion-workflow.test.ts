import * as restate from '@restatedev/restate-sdk'
import { Document } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { fromContent, MarkdownElementNodeParser, type TableSummarizer } from '@x/node-parser'
import { IngestionPipeline } from '@x/retrieval'
import { SimpleDocumentStore } from '@x/storage'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { call, type Endpoint, serve } from '../test/endpoint.ts'
import { ingestionWorkflow } from './ingestion-workflow.ts'

/** The tables that were asked about, by their first header. */
const asked: string[] = []
/** Replacements of the next answer about a table. */
const instead = new Map<string, () => Promise<never>>()

const summarizer: TableSummarizer = async ({ element }) => {
  const name = element.table?.columns[0] ?? ''
  asked.push(name)
  const other = instead.get(name)
  instead.delete(name)
  await other?.()
  return { summary: `About ${name}`, tableTitle: null, tableId: null, columns: [] }
}
const store = new SimpleDocumentStore()
const pipeline = new IngestionPipeline({
  transformations: [new MarkdownElementNodeParser({ summarizer, idFunc: fromContent(), numWorkers: 1 })],
  store,
})
const page = (id: string, ...tables: string[]) =>
  new Document({ id, text: tables.map((name) => `| ${name} | b |\n|---|---|\n| 1 | 2 |`).join('\n\n') }).toDict()

let server: RestateServer
let endpoint: Endpoint
beforeAll(async () => {
  server = await startRestate()
  endpoint = await serve([
    ingestionWorkflow({
      restate,
      name: 'docs',
      ingest: (document, options) => pipeline.ingest(document, options),
      retry: { maxRetryAttempts: 3, initialRetryInterval: { milliseconds: 1 } },
    }),
  ])
  await registerServices(server, endpoint.uri)
}, 60_000)
afterAll(async () => {
  endpoint.close()
  await server.stop()
})
beforeEach(() => {
  asked.length = 0
})

it('continues after a lost connection without repeating recorded summaries', async () => {
  // Asked when the other summaries are in the journal.
  instead.set('plums', () => {
    endpoint.disconnect()
    return new Promise<never>(() => {})
  })
  const document = page('fruit', 'pears', 'apples', 'plums')
  expect(await call(server, 'docs/monday:fruit/run', document)).toBe('added')
  expect(asked).toEqual(['pears', 'apples', 'plums', 'plums'])
  expect((await store.getRefDocInfo('fruit'))?.nodeIds).toHaveLength(3)
  expect(await call(server, 'docs/tuesday:fruit/run', document)).toBe('unchanged')
  expect(asked).toHaveLength(4)
})

it('repeats retryable errors, and ends with others', async () => {
  instead.set('busy', () => Promise.reject(new ModelCallError('slow down', { kind: 'rate_limit', retryAfterMs: 1 })))
  expect(await call(server, 'docs/busy/run', page('busy', 'busy'))).toBe('added')
  expect(asked).toEqual(['busy', 'busy'])
  instead.set('bad', () => Promise.reject(new ModelCallError('no such model', { kind: 'bad_request' })))
  await expect(call(server, 'docs/bad/run', page('bad', 'bad'))).rejects.toThrow('no such model')
  expect(await store.getRefDocInfo('bad')).toBeNull()
})

it('refuses unknown and missing options', () => {
  const refused = expect.objectContaining({ code: 'model_validation' })
  expect(() => ingestionWorkflow({ restate, name: 'docs' } as never)).toThrow(refused)
  const ingest = async () => null
  expect(() => ingestionWorkflow({ restate, name: 'docs', ingest, more: 1 } as never)).toThrow(refused)
})
