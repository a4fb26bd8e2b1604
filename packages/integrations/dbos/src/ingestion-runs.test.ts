import { DBOS } from '@dbos-inc/dbos-sdk'
import { type BaseLLM, ChatMessage, ChatResponse, Document, LLMMetadata } from '@x/core-model'
import { ModelCallError, withCache } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { fromContent, MarkdownElementNodeParser } from '@x/node-parser'
import { openDatabase, PostgresAnswerCache, PostgresDocumentStore } from '@x/postgres'
import { IngestionPipeline } from '@x/retrieval'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launch } from '../test/launch.ts'
import { IngestionRuns } from './ingestion-runs.ts'
import { ingestionWorkflow } from './ingestion-workflow.ts'

/** The tables that the model was asked about, by their first header. */
const asked: string[] = []
/** The errors of the model, by the same key. */
const failures = new Map<string, Error>()

/** A model that summarizes tables, or fails. */
class TableModel extends ScriptedLLM {
  protected override async chatRequest([message]: readonly ChatMessage[]): Promise<ChatResponse> {
    const name = /\|\s*(\w+) \|/.exec(String(message?.content))?.[1] ?? ''
    asked.push(name)
    const failure = failures.get(name)
    failures.delete(name)
    if (failure) throw failure
    const content = JSON.stringify({ summary: `About ${name}`, columns: [] })
    return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }) })
  }
}

const page = (id: string, ...tables: string[]) =>
  new Document({ id, text: tables.map((name) => `# ${id}\n\n| ${name} | b |\n|---|---|\n| 1 | 2 |`).join('\n\n') })

let database: Awaited<ReturnType<typeof launch>>
let pool: pg.Pool
let store: PostgresDocumentStore
const runs = new IngestionRuns({ dbos: DBOS, workflow: 'ingest', queue: 'documents', pollingIntervalMs: 30 })

async function register(url: string) {
  pool = new pg.Pool({ connectionString: url })
  const tables = await openDatabase(pool)
  store = new PostgresDocumentStore(tables)
  const model: BaseLLM = new TableModel({ metadata: new LLMMetadata({ isChatModel: true, modelName: 'tables' }) })
  const llm = withCache(model, new PostgresAnswerCache(tables))
  const pipeline = new IngestionPipeline({
    transformations: [new MarkdownElementNodeParser({ llm, idFunc: fromContent() })],
    store,
    transaction: (work) =>
      tables.transaction((inside) => work({ store: new PostgresDocumentStore(inside), indexes: [] })),
  })
  ingestionWorkflow({
    dbos: DBOS,
    name: 'ingest',
    ingest: (document, options) => pipeline.ingest(document, options),
    retry: { baseDelayMs: 1 },
  })
}

beforeAll(async () => {
  database = await launch(register)
  await DBOS.registerQueue('documents', { minPollingIntervalMs: 30 })
})
afterAll(async () => {
  await pool.end()
  await database.stop()
})
beforeEach(() => {
  asked.length = 0
})

const sorted = () => asked.toSorted()

describe('a run of documents', () => {
  it('asks the model once for each table, and in a later run only for changed tables', async () => {
    const documents = [page('a', 'apples', 'pears'), page('b', 'plums'), page('c')]
    expect(await runs.submit(documents, { run: 'first' })).toEqual(['a', 'b', 'c'])
    const states: number[] = []
    const state = await runs.finished('first', { onProgress: ({ total }) => states.push(total) })
    expect(state).toEqual({ total: 3, queued: 0, running: 0, finished: { added: 3 }, failed: [] })
    expect(states[0]).toBe(3)
    expect(sorted()).toEqual(['apples', 'pears', 'plums'])
    const { nodeIds } = (await store.getRefDocInfo('a'))!
    expect(nodeIds).toHaveLength(4)
    const steps = await DBOS.listWorkflowSteps('first/a')
    const table = expect.stringMatching(/^table\//)
    expect(steps?.map(({ name }) => name)).toEqual(['known', table, table, 'store'])

    // Submitting to the same run again changes nothing; the next run checks all documents.
    await runs.submit([page('a', 'other')], { run: 'first' })
    expect((await runs.finished('first')).total).toBe(3)
    await runs.submit([page('a', 'apples', 'quinces'), page('b', 'plums'), page('d', 'pears')], { run: 'second' })
    const second = await runs.finished('second')
    expect(second.finished).toEqual({ changed: 1, unchanged: 1, added: 1 })
    // The cache contains the answer about the pears of another document.
    expect(sorted()).toEqual(['apples', 'pears', 'plums', 'quinces'])
  })

  it('repeats retryable errors, reports others, and continues when it is retried', async () => {
    failures.set('busy', new ModelCallError('slow down', { kind: 'rate_limit', retryAfterMs: 1 }))
    failures.set('bad', new ModelCallError('no such model', { kind: 'bad_request' }))
    await runs.submit([page('busy', 'busy'), page('bad', 'good', 'bad')], { run: 'failing' })
    const { finished, failed } = await runs.finished('failing')
    expect(finished).toEqual({ added: 1 })
    expect(failed).toEqual([{ documentId: 'bad', code: 'model_call', message: 'no such model' }])
    expect(await store.getRefDocInfo('bad')).toBeNull()
    expect(await runs.retry('failing')).toBe(1)
    expect(await runs.finished('failing')).toMatchObject({ finished: { added: 2 }, failed: [] })
    expect(sorted()).toEqual(['bad', 'bad', 'busy', 'busy', 'good'])
  })

  it('waits while the queue is full, until it is cancelled', async () => {
    const controller = new AbortController()
    const taken: string[] = []
    async function* documents() {
      for (const id of ['1', '2', '3', '4', '5', '6']) {
        taken.push(id)
        yield page(id)
      }
    }
    // No worker has this version.
    const options = { run: 'waiting', version: 'none', maxQueued: 2, signal: controller.signal }
    const submitted = runs.submit(documents(), options)
    submitted.catch(() => {})
    while ((await runs.state('waiting')).queued < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await runs.state('waiting')).toMatchObject({ total: 2, queued: 2 })
    expect(taken).toEqual(['1', '2', '3', '4'])
    controller.abort(new Error('enough'))
    await expect(submitted).rejects.toThrow('enough')
    await DBOS.cancelWorkflow('waiting/1')
    const { failed } = await runs.state('waiting')
    expect(failed).toEqual([{ documentId: '1', code: 'cancelled', message: 'The document is CANCELLED.' }])
  })

  it('refuses a limit with which it would wait forever', async () => {
    for (const maxQueued of [0, -1, 1.5, Number.NaN])
      await expect(runs.submit([page('1')], { run: 'limited', maxQueued })).rejects.toMatchObject({
        code: 'configuration',
        message: `IngestionRuns.submit: maxQueued: expected an integer of at least 1, received ${maxQueued}.`,
      })
  })

  it('needs a name without slashes', async () => {
    for (const run of ['', 'a/b', undefined as never])
      await expect(runs.submit([], { run })).rejects.toMatchObject({ code: 'configuration' })
    await expect(runs.state('a/b')).rejects.toMatchObject({ code: 'configuration' })
  })
})
