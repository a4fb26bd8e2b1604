import { ChatMessage, Document, isToolkitError, ModelValidationError, type TextNode, ToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { runTwo } from '../test/ingestion-edits.ts'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IngestionPipeline } from './ingestion-pipeline.ts'
import type {
  IngestionPipelineOptions,
  IngestionProgress,
  IngestionRunOptions,
  IngestionStore,
} from './ingestion-types.ts'
import { VectorRetriever } from './vector-retriever.ts'

const parser = new MarkdownNodeParser({ idFunc: fromContent() })
const file = (id: string, ...sections: string[]) =>
  new Document({ id, text: sections.map((section) => `# ${section}\n\nAbout ${section} of ${id}.`).join('\n\n') })
const files = (count: number) => Array.from({ length: count }, (_, i) => file(`d${i}`, 'one'))

/** Records the requests, and how many run at the same time. */
class RecordingEmbedding {
  readonly sizes: number[] = []
  readonly texts: string[] = []
  most = 0
  private running = 0
  readonly embedBatchSize: number
  private readonly waitMs: number
  constructor(embedBatchSize: number, waitMs = 1) {
    this.embedBatchSize = embedBatchSize
    this.waitMs = waitMs
  }
  async getQueryEmbedding() {
    return [1, 1]
  }
  async getTextEmbedding(text: string) {
    return [text.length, 1]
  }
  async getTextEmbeddingBatch(texts: readonly string[]) {
    this.sizes.push(texts.length)
    this.texts.push(...texts)
    this.most = Math.max(this.most, ++this.running)
    await new Promise((resolve) => setTimeout(resolve, this.waitMs))
    this.running--
    const bad = texts.find((text) => text.includes('poison'))
    if (bad) throw new Error('too long')
    return texts.map((text) => [text.length, 1])
  }
}

function pipelineOf(embedModel: RecordingEmbedding | undefined, more: Partial<IngestionPipelineOptions> = {}) {
  const [store, index] = [new SimpleDocumentStore(), new Bm25Retriever({ similarityTopK: 1000 })]
  const pipeline = new IngestionPipeline({ transformations: [parser], store, indexes: [index], embedModel, ...more })
  return { pipeline, store, index }
}

const vectorsOf = async (store: SimpleDocumentStore) =>
  Object.values(await store.docs()).map((node) => [node.getContent('embed'), node.embedding] as const)

describe('a run', () => {
  it('fills the requests to the embedding model with the texts of several documents', async () => {
    const embedModel = new RecordingEmbedding(100)
    const { pipeline, store } = pipelineOf(embedModel)
    await pipeline.run(files(250))
    expect(embedModel.sizes).toEqual([100, 100, 50])
    for (const [text, vector] of await vectorsOf(store)) expect(vector).toEqual([text.length, 1])
  })

  it('divides the texts of a large document, and sends several requests at the same time on request', async () => {
    const embedModel = new RecordingEmbedding(10)
    const { pipeline, store } = pipelineOf(embedModel)
    const large = file('large', ...Array.from({ length: 34 }, (_, i) => `s${i}`))
    await pipeline.run([file('a', 'one'), large, file('b', 'two')], { maxEmbedConcurrency: 3 })
    expect([embedModel.sizes, embedModel.most]).toEqual([[10, 10, 10, 6], 3])
    expect(Object.keys(await store.docs())).toHaveLength(36)
    for (const [text, vector] of await vectorsOf(store)) expect(vector).toEqual([text.length, 1])
  })

  it('equals a run of one document after the other, with any concurrency', async () => {
    const documents = Array.from({ length: 30 }, (_, i) => file(`d${i}`, ...['a', 'b', 'c'].slice(i % 3)))
    const states = []
    for (const concurrency of [1, 2, 7, 100]) {
      const { pipeline, store, index } = pipelineOf(new RecordingEmbedding(7), {})
      const counts = await pipeline.run(documents, { maxConcurrency: concurrency, maxEmbedConcurrency: concurrency })
      const ids = (await index.retrieve('about')).map(({ nodeId }) => nodeId).sort()
      const { 'docstore/data': data } = store.toDict() as Record<string, object>
      states.push(JSON.stringify([counts, ids, Object.entries(data!).sort()]))
    }
    expect(new Set(states).size).toBe(1)
  })

  it('limits the documents that are processed at the same time', async () => {
    let [running, most] = [0, 0]
    const slow: IngestionPipelineOptions['transformations'][number] = {
      async transform(nodes) {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running--
        return parser.transform(nodes)
      },
    }
    for (const concurrency of [1, 4]) {
      most = 0
      const { pipeline } = pipelineOf(new RecordingEmbedding(5), { transformations: [slow] })
      await pipeline.run(files(20), { maxConcurrency: concurrency })
      expect(most).toBe(concurrency)
    }
  })

  it.each([
    [1, 1],
    [3, 2],
  ])('overlaps another run with documents in another order (%i, %i)', async (maxConcurrency, maxEmbedConcurrency) => {
    const { pipeline, store } = pipelineOf(new RecordingEmbedding(100))
    const options = { maxConcurrency, maxEmbedConcurrency, removeMissing: true }
    const runs: Promise<unknown>[] = []
    for (let i = 0; i < 12; i++) {
      const own = files(20).map(({ id }) => file(id, `version ${i}`))
      runs.push(pipeline.run(i % 2 === 0 ? own : own.reverse(), options))
      await pause(i % 3)
    }
    await Promise.all(runs)
    expect(Object.keys(await store.docs())).toHaveLength(20)
    expect((await pipeline.run(files(20), options)).changed).toBe(20)
  })

  it('needs no full request when the next document is not there yet', async () => {
    const embedModel = new RecordingEmbedding(100)
    const { pipeline } = pipelineOf(embedModel)
    const finished: string[] = []
    async function* documents() {
      for (const document of files(3)) {
        yield document
        // The next document comes when this one is finished.
        while (!finished.includes(document.id)) await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    await pipeline.run(documents(), { onProgress: ({ documentId }) => finished.push(documentId) })
    expect([finished, embedModel.sizes]).toEqual([
      ['d0', 'd1', 'd2'],
      [1, 1, 1],
    ])
  })

  it('fills a request with the documents that are processed while the next one is not there yet', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const second: IngestionPipelineOptions['transformations'][number] = {
      async transform(nodes) {
        if (nodes[0]!.id === 'd1') await released
        return parser.transform(nodes)
      },
    }
    const embedModel = new RecordingEmbedding(100)
    const { pipeline, store } = pipelineOf(embedModel, { transformations: [second] })
    async function* documents() {
      yield* files(2)
      await new Promise((resolve) => setTimeout(resolve, 20))
      release()
      while (Object.keys(await store.docs()).length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await pipeline.run(documents(), { maxConcurrency: 2 })
    expect(embedModel.sizes).toEqual([2])
  })

  it('reports removed documents too, and counts them among all', async () => {
    const seen: IngestionProgress[] = []
    const { pipeline } = pipelineOf(undefined)
    await pipeline.run(files(4))
    const onProgress = (progress: IngestionProgress) => seen.push(progress)
    await pipeline.run(files(1), { removeMissing: true, onProgress })
    expect(seen.map(({ done, total, outcome }) => [done, total, outcome])).toEqual([
      [1, 1, 'unchanged'],
      [2, 4, 'removed'],
      [3, 4, 'removed'],
      [4, 4, 'removed'],
    ])
  })

  it('removes those of the missing documents that a function names', async () => {
    const { pipeline, store } = pipelineOf(undefined)
    await pipeline.run(files(4))
    const asked: string[] = []
    const removeMissing = (id: string) => asked.push(id) > 0 && id !== 'd2'
    expect(await pipeline.run(files(1), { removeMissing })).toMatchObject({ unchanged: 1, removed: 2 })
    expect([asked.sort(), Object.keys(await store.getAllRefDocInfo()).sort()]).toEqual([
      ['d1', 'd2', 'd3'],
      ['d0', 'd2'],
    ])
    expect(() => pipeline.run([], { removeMissing: 'all' as never })).toThrow(
      'removeMissing: expected a boolean or a function',
    )
  })

  it('removes no document that another run stores meanwhile, and reads the list of the store once', async () => {
    const target = { store: new SimpleDocumentStore(), indexes: [new Bm25Retriever({ similarityTopK: 100 })] }
    const ids = ['kept', 'new', 'slow']
    const counts = { unchanged: 1, changed: 0, added: 1, removed: 1 }
    expect(await runTwo(target, target)).toEqual({ counts, lists: 1, ids: [ids, ids] })
  })

  it('reports the progress, with the number of all documents if it is known', async () => {
    const seen: IngestionProgress[] = []
    const { pipeline } = pipelineOf(undefined)
    await pipeline.run(files(2), { onProgress: (progress) => seen.push(progress) })
    expect(seen).toEqual([
      { done: 1, total: 2, documentId: 'd0', outcome: 'added' },
      { done: 2, total: 2, documentId: 'd1', outcome: 'added' },
    ])
  })

  it.each<[unknown, string]>([
    [['text'], 'documents[0]: expected a document, such as new Document({ text }), received a string'],
    [
      [new Document({ text: 'a' }), { text: 'b' }],
      'documents[1]: expected a document, such as new Document({ text }), received an object',
    ],
    [[null], 'documents[0]: expected a document, such as new Document({ text }), received null'],
    [[['a']], 'documents[0]: expected a document, such as new Document({ text }), received an array'],
    [
      [new ChatMessage()],
      'documents[0]: expected a document, such as new Document({ text }), received an instance of ChatMessage',
    ],
    ['text', 'documents: expected an iterable of documents, received a string'],
    [new Document(), 'documents: expected an iterable of documents, received an instance of Document'],
    [undefined, 'documents: expected an iterable of documents, received undefined'],
  ])('names what is no document: %o', async (documents, message) => {
    const { pipeline } = pipelineOf(undefined)
    const running = async () => pipeline.run(documents as never, { onError: 'skip' })
    await expect(running()).rejects.toMatchObject({
      code: 'model_validation',
      message: `IngestionPipeline.run.${message}.`,
    })
  })

  it('rejects options that are out of range', async () => {
    const { pipeline } = pipelineOf(undefined)
    for (const options of [{ maxConcurrency: 0 }, { maxEmbedConcurrency: 1.5 }, { onError: 'ignore' as 'skip' }])
      expect(() => pipeline.run([], options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})

describe('a document that fails', () => {
  const failing: IngestionPipelineOptions['transformations'][number] = {
    async transform(nodes) {
      if (nodes[0]!.getContent('none').includes('broken')) throw new Error('cannot be parsed')
      return parser.transform(nodes)
    },
  }
  const documents: readonly TextNode[] = [...files(3), file('x', 'broken'), ...files(6).slice(3)]

  it('ends the run, after the documents that were started', async () => {
    const { pipeline, store } = pipelineOf(new RecordingEmbedding(100), { transformations: [failing] })
    await expect(pipeline.run(documents)).rejects.toThrow('cannot be parsed')
    expect(Object.keys(await store.getAllRefDocInfo())).toEqual(expect.arrayContaining(['d0', 'd1', 'd2']))
  })

  it('ends the run, also when a document is removed', async () => {
    const { pipeline, store } = pipelineOf(undefined)
    await pipeline.run(files(4))
    const tried: string[] = []
    store.deleteRefDoc = async (id) => {
      tried.push(id)
      throw new Error('the disk is full')
    }
    await expect(pipeline.run([], { removeMissing: true })).rejects.toThrow('the disk is full')
    expect(tried).toEqual(['d0'])
  })

  it('is skipped on request: the others are ingested, and the result names it', async () => {
    const { pipeline, store } = pipelineOf(new RecordingEmbedding(2), { transformations: [failing] })
    const seen: string[] = []
    const result = await pipeline.run(documents, {
      onError: 'skip',
      removeMissing: true,
      onProgress: ({ documentId, outcome }) => seen.push(`${documentId} ${outcome}`),
    })
    expect(result).toEqual({
      ...{ unchanged: 0, changed: 0, added: 6, removed: 0 },
      errors: [{ documentId: 'x', error: expect.objectContaining({ message: 'cannot be parsed' }) }],
    })
    expect(seen).toContain('x failed')
    expect(Object.keys(await store.getAllRefDocInfo())).toHaveLength(6)
    // It is tried again in the next run.
    const again = await pipeline.run(documents, { onError: 'skip' })
    expect([again.unchanged, again.errors.map(({ documentId }) => documentId)]).toEqual([6, ['x']])
  })

  it('takes no other document along when the model refuses its text', async () => {
    const { pipeline, store } = pipelineOf(new RecordingEmbedding(100))
    const result = await pipeline.run([...files(5), file('x', 'poison'), file('y', 'fine')], { onError: 'skip' })
    expect([result.added, result.errors.map(({ documentId }) => documentId)]).toEqual([6, ['x']])
    for (const [text, vector] of await vectorsOf(store)) expect(vector).toEqual([text.length, 1])
  })

  it('keeps its stored version, and may fail in the store too', async () => {
    const { pipeline, store } = pipelineOf(undefined)
    await pipeline.run(files(3))
    const broken: IngestionStore = Object.create(store)
    broken.addDocuments = async (nodes) => {
      if (nodes.some(({ refDocId }) => refDocId === 'd1')) throw new Error('disk full')
      await store.addDocuments(nodes)
    }
    const second = new IngestionPipeline({ transformations: [parser], store: broken })
    const edited = files(3).map(({ id }) => file(id, 'two'))
    const { changed, errors } = await second.run(edited, { onError: 'skip', maxConcurrency: 3 })
    expect([changed, errors.map(({ documentId }) => documentId)]).toEqual([2, ['d1']])
    expect((await store.getNodes((await store.getRefDocInfo('d1'))!.nodeIds)).map(({ text }) => text)).toEqual([
      '# one\n\nAbout one of d1.',
    ])
  })
})

describe('a fault that is not of a document', () => {
  const refused = (message: string, retryable: boolean) =>
    new (class extends ToolkitError {
      override get retryable() {
        return retryable
      }
    })('Refused', 'refused', message)
  /** A model whose service refuses requests. */
  class Refusing extends RecordingEmbedding {
    refuse: (texts: readonly string[]) => Error | undefined = () => undefined
    override async getTextEmbeddingBatch(texts: readonly string[]) {
      const vectors = await super.getTextEmbeddingBatch(texts)
      const error = this.refuse(texts)
      if (error) throw error
      return vectors
    }
  }
  const refusing = (refuse: (texts: readonly string[]) => Error | undefined) =>
    Object.assign(new Refusing(10), { refuse })

  it.each([
    ['a retryable error', { retryable: true, requests: 2, blamed: 0 }],
    ['another error', { retryable: false, requests: 5, blamed: 2 }],
  ])('ends the run that skips documents: the service answers no request (%s)', async (_, each) => {
    const { retryable, requests, blamed } = each
    const down = refused('the service is down', retryable)
    const embedModel = refusing(() => (embedModel.sizes.length > 2 ? down : undefined))
    const { pipeline, store } = pipelineOf(embedModel)
    const seen: IngestionProgress[] = []
    const run = pipeline.run(files(200), { onError: 'skip', onProgress: (progress) => seen.push(progress) })
    const error = await run.catch((thrown: unknown) => thrown)
    expect(isToolkitError(error, 'ingestion_stopped')).toBe(true)
    expect(error).toMatchObject({
      cause: down,
      left: 180 - blamed,
      result: { added: 20, errors: Array.from({ length: blamed }, () => expect.objectContaining({ error: down })) },
      message: expect.stringContaining(`new and changed documents would fail; ${180 - blamed} documents are left`),
    })
    expect(embedModel.sizes.length - 2).toBe(requests)
    expect([seen.length, Object.keys(await store.getAllRefDocInfo()).length]).toEqual([20 + blamed, 20])
    embedModel.refuse = () => undefined
    expect(await pipeline.run(files(200), { onError: 'skip' })).toMatchObject({ unchanged: 20, added: 180, errors: [] })
  })

  it('says how many documents are left when it ends', async () => {
    const embedModel = refusing(() => refused('the service is down', true))
    const { pipeline } = pipelineOf(embedModel)
    const messageOf = (run: Promise<unknown>) =>
      run.catch(({ message }: Error) => /; (.*) for the next run/.exec(message)?.[1])
    expect(await messageOf(pipeline.run(files(1), { onError: 'skip' }))).toBe('1 document is left')
    expect(await messageOf(pipeline.run(files(2), { onError: 'skip' }))).toBe('2 documents are left')
    const unknown = pipeline.run(files(2).values(), { onError: 'skip' })
    expect(await messageOf(unknown)).toBe('the documents that follow are left')
  })

  it.each([true, false])('does not end it when documents in a row are refused (%s)', async (retryable) => {
    const embedModel = refusing((texts) =>
      texts.some((text) => /bad\d/.test(text)) ? refused('too long', retryable) : undefined,
    )
    const documents = [...files(4), ...Array.from({ length: 25 }, (_, i) => file(`bad${i}`, 'one')), file('z', 'one')]
    const { pipeline } = pipelineOf(embedModel)
    for (const options of [{}, { maxConcurrency: 4, maxEmbedConcurrency: 3 }]) {
      const { added, unchanged, errors } = await pipeline.run(documents, { onError: 'skip', ...options })
      expect([added + unchanged, errors.length]).toEqual([5, 25])
      expect(errors.every(({ documentId }) => documentId.startsWith('bad'))).toBe(true)
    }
  })

  it('needs no vectors for a search by words, which a later run adds', async () => {
    const [store, words] = [new SimpleDocumentStore(), new Bm25Retriever()]
    const embedModel = new RecordingEmbedding(10)
    const vectors = new VectorRetriever({ embedModel })
    const parts = { transformations: [parser], store }
    await new IngestionPipeline({ ...parts, indexes: [words] }).run(files(20))
    expect(await words.retrieve('about d7')).not.toEqual([])
    const whole = new IngestionPipeline({ ...parts, indexes: [words, vectors], embedModel, embedName: 'small' })
    await whole.run(files(20))
    expect([vectors.size, embedModel.sizes]).toEqual([20, [10, 10]])
  })

  it('ends it with the reason of a signal that aborts meanwhile', async () => {
    const controller = new AbortController()
    const embedModel = refusing((texts) => {
      if (texts.length === 1) controller.abort(new Error('enough'))
      return refused('down', true)
    })
    const { pipeline } = pipelineOf(embedModel)
    await expect(pipeline.run(files(30), { onError: 'skip', signal: controller.signal })).rejects.toThrow('enough')
  })

  it.each(['throw', 'skip'] as const)(
    'ends it when vectors do not have the length of an index, which tells how to empty it (%s)',
    async (onError) => {
      const store = new SimpleDocumentStore()
      const index = new VectorRetriever({ embedModel: new RecordingEmbedding(10) })
      const run = (documents: TextNode[], dimensions: number, options: IngestionRunOptions) => {
        const embedModel = new RecordingEmbedding(10)
        embedModel.getTextEmbeddingBatch = async (texts) => texts.map(() => Array.from({ length: dimensions }, () => 1))
        const embedName = `model ${dimensions}`
        const parts = { transformations: [parser], store, indexes: [index], embedModel, embedName }
        return new IngestionPipeline(parts).run(documents, options)
      }
      await run(files(40), 2, {})
      const error = await run(files(40), 3, { onError }).catch((thrown: unknown) => thrown)
      const dimension = expect.objectContaining({ code: 'embedding_dimension', expected: 2, received: 3 })
      const isStopped = onError === 'skip'
      expect(isStopped ? (error as Error).cause : error).toEqual(dimension)
      expect(String(error)).toContain('run([], { removeMissing: true })')
      if (isStopped)
        expect(error).toMatchObject({ code: 'ingestion_stopped', left: 40, result: { changed: 0, errors: [] } })
      const hashes = await Promise.all(files(40).map(({ id }) => store.getDocumentHash(id)))
      expect(hashes.filter((hash) => hash === 'in progress')).toHaveLength(1)
      expect(await run([], 3, { removeMissing: true })).toMatchObject({ removed: 40 })
      expect(await run(files(40), 3, { onError })).toMatchObject({ added: 40 })
      expect(index.size).toBe(40)
    },
  )
})

describe('a store or an index that fails', () => {
  class Busy extends ToolkitError {
    override get retryable() {
      return true
    }
  }
  const busy = new Busy('Busy', 'busy', 'another one writes')
  const failing: [string, (parts: ReturnType<typeof pipelineOf>, error: Error) => void][] = [
    ['a store that writes', ({ store }, error) => replace(store, 'addDocuments', error)],
    ['a store that is read', ({ store }, error) => replace(store, 'getDocumentHash', error)],
    ['an index', ({ index }, error) => replace(index, 'add', error)],
  ]
  const replace = (part: object, method: string, error: Error) =>
    Object.assign(part, { [method]: () => Promise.reject(error) })
  const run = (pipeline: IngestionPipeline, count: number, options: IngestionRunOptions = {}) =>
    pipeline.run(files(count), { onError: 'skip', ...options }).catch((thrown: unknown) => thrown)

  it.each(failing)('ends the run at once if the work may be repeated, and blames no document: %s', async (_, fail) => {
    for (const options of [{}, { maxConcurrency: 4, maxEmbedConcurrency: 3 }]) {
      const embedModel = new RecordingEmbedding(10)
      const parts = pipelineOf(embedModel)
      await parts.pipeline.run(files(20))
      fail(parts, busy)
      const error = await run(parts.pipeline, 200, options)
      expect(error).toMatchObject({ code: 'ingestion_stopped', cause: busy, result: { added: 0, errors: [] } })
      expect(embedModel.texts.length).toBeLessThanOrEqual(20 + 40)
      expect(Object.keys(await parts.store.getAllRefDocInfo()).length).toBeLessThanOrEqual(24)
    }
  })

  it('ends the run at the third document in a row for another error', async () => {
    const embedModel = new RecordingEmbedding(2)
    const { pipeline, index } = pipelineOf(embedModel)
    const denied = new Error('permission denied')
    replace(index, 'add', denied)
    const errors = ['d0', 'd1'].map((documentId) => ({ documentId, error: denied }))
    const error = await run(pipeline, 100)
    expect(error).toMatchObject({ code: 'ingestion_stopped', cause: denied, left: 98, result: { errors } })
    expect(embedModel.texts.length).toBeLessThanOrEqual(6)
  })

  it('ends the run when documents cannot be removed', async () => {
    const { pipeline, store } = pipelineOf(undefined)
    await pipeline.run(files(9))
    replace(store, 'deleteRefDoc', busy)
    const error = await run(pipeline, 1, { removeMissing: true })
    expect(error).toMatchObject({ code: 'ingestion_stopped', left: 8, result: { unchanged: 1, errors: [] } })
  })

  it.each([
    ['any number of them, if their values are invalid', 20, new ModelValidationError('Id', [])],
    ['some between others', 2, new Error('the row is too large')],
  ])('skips the documents that it refuses for their own sake: %s', async (_, count, refusal) => {
    const { pipeline, store } = pipelineOf(new RecordingEmbedding(10))
    const { addDocuments } = store
    store.addDocuments = async (nodes) => {
      if (nodes.some(({ refDocId }) => refDocId?.startsWith('bad'))) throw refusal
      await addDocuments.call(store, nodes)
    }
    const bad = (from: string) => Array.from({ length: count }, (_, i) => file(`bad ${from} ${i}`, 'one'))
    const documents = [...bad('a'), ...files(3), ...bad('b'), file('z', 'one')]
    const { added, errors } = await pipeline.run(documents, { onError: 'skip' })
    expect([added, errors.length, errors.every(({ error }) => error === refusal)]).toEqual([4, 2 * count, true])
  })
})

describe('a run that is cancelled', () => {
  const abortable = () => {
    const controller = new AbortController()
    return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) }
  }

  it.each(['throw', 'skip'] as const)('rejects at once, and continues in the next run (%s)', async (onError) => {
    const embedModel = new RecordingEmbedding(5)
    const never = {
      ...embedModel,
      getQueryEmbedding: embedModel.getQueryEmbedding,
      getTextEmbedding: embedModel.getTextEmbedding,
    }
    const controller = new AbortController()
    let requests = 0
    const stuck = Object.assign(never, {
      getTextEmbeddingBatch: async (texts: readonly string[]) => {
        if (++requests === 2) {
          setTimeout(() => controller.abort(new Error('enough')), 1)
          return new Promise<number[][]>(() => {})
        }
        return texts.map((text) => [text.length, 1])
      },
    })
    const { pipeline, store } = pipelineOf(stuck as unknown as RecordingEmbedding)
    const run = pipeline.run(files(20), { onError, maxConcurrency: 2, signal: controller.signal })
    await expect(run).rejects.toThrow('enough')
    expect(Object.keys(await store.docs())).toHaveLength(5)
    const { unchanged, added } = await pipeline.run(files(20))
    expect([unchanged, added]).toEqual([5, 15])
  })

  it.each(['same tick', '1 microtask', '5 microtasks', 'timer', 'never'])(
    'rejects with the reason when a request does so later (%s), and the next run completes',
    async (when) => {
      const delay = async () => {
        if (when === 'never') await new Promise(() => {})
        if (when === 'timer') await pause(1)
        for (let left = Number.parseInt(when, 10) || 0; left > 0; left--) await null
      }
      const cases = [5, 25, 60].flatMap((count) =>
        [1, 3].flatMap((maxConcurrency) =>
          [1, 3].flatMap((maxEmbedConcurrency) =>
            (['throw', 'skip'] as const).map((onError) => ({ count, maxConcurrency, maxEmbedConcurrency, onError })),
          ),
        ),
      )
      await Promise.all(
        cases.map(async ({ count, ...options }) => {
          const { signal, abort } = abortable()
          const embedModel = new RecordingEmbedding(10)
          const answers = embedModel.getTextEmbeddingBatch.bind(embedModel)
          let requests = 0
          embedModel.getTextEmbeddingBatch = async (texts) => {
            if (++requests !== 2 && count > 5) return answers(texts)
            setTimeout(abort, 1)
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            await delay()
            throw new Error('the request was stopped')
          }
          const { pipeline, store, index } = pipelineOf(embedModel)
          const run = pipeline.run(files(count), { ...options, signal })
          const late = pause(2000).then(() => 'hangs')
          const settled = await Promise.race([run.catch((error: Error) => error.message), late])
          expect([settled, count, options]).toEqual(['enough', count, options])
          embedModel.getTextEmbeddingBatch = answers
          // A document that was being written when the run ended counts as changed.
          const { unchanged, changed, added } = await pipeline.run(files(count), options)
          expect([unchanged + changed + added, index.size]).toEqual([count, count])
          expect((await pipeline.run(files(count))).unchanged).toBe(count)
          expect(Object.keys(await store.docs())).toHaveLength(count)
        }),
      )
    },
  )

  it.each([
    ['store', 'throw'],
    ['transformation', 'skip'],
    ['source', 'throw'],
    ['list of the store', 'skip'],
  ] as const)('does not wait for a %s that hangs', async (part, onError) => {
    const never = () => new Promise<never>(() => {})
    const store = new SimpleDocumentStore()
    if (part === 'store') Object.assign(store, { getIngested: never, getDocumentHash: never })
    if (part === 'list of the store') Object.assign(store, { getAllRefDocInfo: never })
    const { pipeline } = pipelineOf(undefined, {
      store,
      ...(part === 'transformation' && { transformations: [{ transform: never }] }),
    })
    const endless = async function* () {
      yield await never()
    }
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 5)
    const run = pipeline.run(part === 'source' ? endless() : files(2), {
      onError,
      removeMissing: true,
      signal: controller.signal,
    } as object)
    await expect(run).rejects.toThrow('enough')
  })

  it('ends with the error of onProgress, also of an asynchronous one', async () => {
    const onProgress = async () => Promise.reject(new Error('the log is down'))
    const { pipeline } = pipelineOf(undefined)
    await expect(pipeline.run(files(2), { onProgress })).rejects.toThrow('the log is down')
  })

  it('lets other work of the process run between documents, so that it can be cancelled', async () => {
    const busy: IngestionPipelineOptions['transformations'][number] = {
      transform(nodes) {
        for (const end = performance.now() + 11; performance.now() < end; );
        return parser.transform(nodes)
      },
    }
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 0)
    const { pipeline, store } = pipelineOf(undefined, { transformations: [busy] })
    await expect(pipeline.run(files(10), { signal: controller.signal })).rejects.toThrow('enough')
    expect(Object.keys(await store.docs()).length).toBeLessThan(4)
    let timers = 0
    const timer = setInterval(() => timers++, 1)
    const slow = new IngestionPipeline({ transformations: [busy], store: new SimpleDocumentStore() })
    await slow.run(files(5))
    clearInterval(timer)
    expect(timers).toBeGreaterThanOrEqual(3)
  })

  it('lets other work of the process run while it writes a large document', async () => {
    const sizes: number[] = []
    const index = {
      add(nodes: readonly TextNode[]) {
        sizes.push(nodes.length)
        for (const end = performance.now() + 11; performance.now() < end; );
      },
      remove: () => {},
    }
    const { pipeline, store } = pipelineOf(undefined, { indexes: [index] })
    let timers = 0
    const timer = setInterval(() => timers++, 1)
    await pipeline.run([file('large', ...Array.from({ length: 2500 }, (_, i) => `s${i}`))])
    clearInterval(timer)
    expect(sizes).toEqual([1000, 1000, 500])
    expect(timers).toBeGreaterThanOrEqual(2)
    expect((await store.getRefDocInfo('large'))?.nodeIds).toHaveLength(2500)
  })
})
