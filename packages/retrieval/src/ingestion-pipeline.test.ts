import { Document, type Durable, type Json, TextNode, writeJsonText } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { fromContent, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { CountingEmbedding, runEdits } from '../test/ingestion-edits.ts'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IngestionPipeline } from './ingestion-pipeline.ts'
import type {
  IndexChanges,
  IngestionIndex,
  IngestionPipelineOptions,
  IngestionProgress,
  Transformation,
} from './ingestion-types.ts'
import { nodeFilter } from './metadata-filters.ts'
import { sqlCondition } from './sql-condition.ts'
import { VectorRetriever } from './vector-retriever.ts'

const parser = new MarkdownNodeParser({ idFunc: fromContent() })
const file = (id: string, ...sections: string[]) =>
  new Document({ id, text: sections.map((section) => `# ${section}\n\nAbout ${section}.`).join('\n\n') })

/** A parser that records the documents it parses. */
function recordingParser(parsed: string[]): Transformation {
  return {
    transform: (nodes, options) => {
      parsed.push(...nodes.map(({ id }) => id))
      return parser.transform(nodes, options)
    },
  }
}

const view = ({ id, text }: TextNode) => `${id}: ${text}`

/** The content of a store and an index, for comparing. */
async function contents(store: SimpleDocumentStore, index: Bm25Retriever) {
  index.similarityTopK = 1000
  const found = await index.retrieve('about')
  return {
    sources: Object.fromEntries(
      Object.entries(await store.getAllRefDocInfo()).map(([id, { nodeIds }]) => [id, nodeIds]),
    ),
    stored: Object.values(await store.docs())
      .map(view)
      .sort(),
    indexed: found.map(({ node }) => view(node)).sort(),
    size: index.size,
  }
}

async function afterFreshRun(documents: readonly TextNode[], used: Transformation = parser) {
  const store = new SimpleDocumentStore()
  const index = new Bm25Retriever()
  await new IngestionPipeline({ transformations: [used], store, indexes: [index] }).run(documents)
  return contents(store, index)
}

const before = [file('a', 'one', 'two', 'three'), file('b', 'four'), file('c', 'five', 'six')]
const after = [file('a', 'one', 'new', 'three'), file('c', 'five', 'six'), file('d', 'seven'), file('e')]

describe('IngestionPipeline', () => {
  it('parses what has changed, skips what has not, and removes what is missing', async () => {
    const store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const parsed: string[] = []
    const pipeline = new IngestionPipeline({ transformations: [recordingParser(parsed)], store, indexes: [index] })
    expect(await pipeline.run(before)).toEqual({ unchanged: 0, changed: 0, added: 3, removed: 0 })
    parsed.length = 0
    const progress: IngestionProgress[] = []
    const options = { removeMissing: true, onProgress: (each: IngestionProgress) => progress.push(each) }
    expect(await pipeline.run(after, options)).toEqual({ unchanged: 1, changed: 1, added: 2, removed: 1 })
    expect(parsed).toEqual(['a', 'd', 'e'])
    expect(progress.map(({ done, documentId, outcome }) => `${done} ${documentId} ${outcome}`)).toEqual([
      '1 a changed',
      '2 c unchanged',
      '3 d added',
      '4 e added',
      '5 b removed',
    ])
    expect(await contents(store, index)).toEqual(await afterFreshRun(after))
    expect(await pipeline.run(after)).toEqual({ unchanged: 4, changed: 0, added: 0, removed: 0 })
  })

  it('embeds and indexes only the nodes that have changed', async () => {
    const store = new SimpleDocumentStore()
    const asked: string[][] = []
    const embedModel = new TableEmbedding({ texts: {}, queries: { q: [1, 0] } })
    embedModel.getTextEmbeddingBatch = async (texts) => {
      asked.push([...texts])
      return texts.map((text) => [text.length, 1])
    }
    const vectors = new VectorRetriever({ embedModel, similarityTopK: 10 })
    const pipeline = new IngestionPipeline({ transformations: [parser], store, indexes: [vectors], embedModel })
    await pipeline.run(before)
    asked.length = 0
    await pipeline.run(after)
    expect(asked.map((texts) => texts.map((text) => /# (\w+)/.exec(text)?.[1]))).toEqual([['new', 'seven']])
    const restarted = new VectorRetriever({ embedModel, similarityTopK: 10 })
    asked.length = 0
    await new IngestionPipeline({ transformations: [parser], store, indexes: [restarted], embedModel }).run(after)
    expect([asked, restarted.size]).toEqual([[], 6])
  })

  it('fills an index that starts empty from the store, without parsing', async () => {
    const store = new SimpleDocumentStore()
    await new IngestionPipeline({ transformations: [parser], store }).run(before)
    const parsed: string[] = []
    const index = new Bm25Retriever()
    const transformations = [recordingParser(parsed)]
    const counts = await new IngestionPipeline({ transformations, store, indexes: [index] }).run(before)
    expect([counts.unchanged, parsed]).toEqual([3, []])
    expect(await contents(store, index)).toEqual(await afterFreshRun(before))
  })

  it('fills an index with all that is stored, without documents', async () => {
    const store = new SimpleDocumentStore()
    await new IngestionPipeline({ transformations: [parser], store }).run(before)
    const other = new IngestionPipeline({ transformations: [parser], store, origin: 'other' })
    await other.run([new Document({ id: 'x', text: 'of another origin' })])
    const index = new Bm25Retriever()
    const pipeline = new IngestionPipeline({ transformations: [parser], store, indexes: [index] })
    await expect(pipeline.fill({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
    await expect(pipeline.fill({ all: true } as object)).rejects.toMatchObject({ code: 'model_validation' })
    await pipeline.fill()
    await other.remove('x')
    expect(await contents(store, index)).toEqual(await afterFreshRun(before))
  })

  it('embeds everything again when the embedding model has another name', async () => {
    const store = new SimpleDocumentStore()
    const counted = (mark: number) => {
      const asked: string[] = []
      const batch = async (texts: readonly string[]) => {
        asked.push(...texts)
        return texts.map(() => [mark, 1])
      }
      const embedModel = {
        getTextEmbeddingBatch: batch,
        getTextEmbedding: async () => [mark, 1],
        getQueryEmbedding: async () => [mark, 1],
      }
      const index = new VectorRetriever({ embedModel, similarityTopK: 10 })
      const pipelineWith = (more: Partial<IngestionPipelineOptions>) =>
        new IngestionPipeline({ transformations: [parser], store, indexes: [index], embedModel, ...more })
      return { asked, index, pipelineWith }
    }
    const marks = async () => [...new Set(Object.values(await store.docs()).map(({ embedding }) => embedding?.[0]))]
    const one = counted(1)
    await one.pipelineWith({ embedName: 'one' }).run(before)
    const count = one.asked.length
    expect((await one.pipelineWith({ embedName: 'one', version: '2' }).run(before)).changed).toBe(3)
    expect(one.asked).toHaveLength(count)
    const two = counted(2)
    const pipeline = two.pipelineWith({ embedName: 'one:2', version: '2' })
    expect((await pipeline.run(before)).changed).toBe(3)
    expect([two.asked.length, await marks()]).toEqual([count, [2]])
    expect((await two.index.retrieve('x')).map(({ score }) => score?.toFixed(6))).toEqual(Array(count).fill('1.000000'))
    expect((await pipeline.run(before)).unchanged).toBe(3)
    const unnamed = counted(3)
    await unnamed.pipelineWith({ version: '2' }).run(before)
    expect([unnamed.asked.length, await marks()]).toEqual([count, [3]])
    // The model of an interrupted document is not known.
    await store.setDocumentHash('a', 'in progress')
    await two.pipelineWith({ embedName: 'one:2' }).run([before[0]!])
    expect(two.asked.length).toBeGreaterThan(count)
  })

  it('parses again when the version changes or the store has lost nodes', async () => {
    const store = new SimpleDocumentStore()
    const options: IngestionPipelineOptions = { transformations: [parser], store, indexes: [] }
    await new IngestionPipeline(options).run(before)
    const next = new IngestionPipeline({ ...options, version: '2', indexes: [new Bm25Retriever()] })
    expect((await next.run(before)).changed).toBe(3)
    const [lost] = (await store.getRefDocInfo('c'))!.nodeIds
    const { 'docstore/data': data = {}, ...rest } = store.toDict() as Record<string, Record<string, never>>
    const { [lost!]: _, ...kept } = data
    const damaged = SimpleDocumentStore.fromDict({ 'docstore/data': kept, ...rest })
    const index = new Bm25Retriever()
    const healed = new IngestionPipeline({ ...options, version: '2', store: damaged, indexes: [index] })
    expect(await healed.run(before)).toMatchObject({ unchanged: 2, changed: 1 })
    expect(await contents(damaged, index)).toEqual(await afterFreshRun(before))
  })

  /** A proxy of an object whose writing methods throw once `left` of them have been called. */
  function stopping<T extends object>(target: T, budget: { left: number }): T {
    return new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        if (!/^(add|upsert|set|delete|remove)/.test(String(name))) return value.bind(object)
        return (...given: unknown[]) => {
          if (budget.left-- === 0) throw new Error('stop')
          return value.apply(object, given)
        }
      },
    })
  }

  const byPlace = new MarkdownNodeParser({ idFunc: (i, { id }) => `${id}#${i}` })
  it.each([
    { what: 'an index that survives', survives: true, has: true, used: parser },
    { what: 'an index that is lost', survives: false, has: true, used: parser },
    { what: 'an index without has', survives: true, has: false, used: parser },
    { what: 'ids by position', survives: true, has: true, used: byPlace },
    { what: 'ids by position and an index without has', survives: true, has: false, used: byPlace },
  ])('is safe to run again after a stop at any point: $what', async ({ survives, has, used }) => {
    // The process stops while it ingests a different version of the documents; the next run may ingest either version.
    const between = [file('a', 'one', 'between'), file('c', 'between'), file('d', 'between'), file('e', 'between')]
    for (const next of [before, after]) {
      const expected = await afterFreshRun(next, used)
      let stopped = true
      let step = 0
      for (; stopped; step++) {
        const store = new SimpleDocumentStore()
        let index = new Bm25Retriever()
        const indexed = (): IngestionIndex =>
          has ? index : { add: (nodes) => index.add(nodes), remove: (ids) => index.remove(ids) }
        await new IngestionPipeline({ transformations: [used], store, indexes: [indexed()] }).run(before)
        const budget = { left: step }
        const interrupted = new IngestionPipeline({
          transformations: [used],
          store: stopping(store, budget),
          indexes: [stopping(indexed(), budget)],
        })
        await interrupted.run(between, { removeMissing: true }).catch(() => {})
        stopped = budget.left < 0
        if (!survives) index = new Bm25Retriever()
        const pipeline = new IngestionPipeline({ transformations: [used], store, indexes: [indexed()] })
        await pipeline.run(next, { removeMissing: true })
        expect(await contents(store, index)).toEqual(expected)
      }
      expect(step).toBeGreaterThan(20)
    }
  })

  it('processes the old version of a document again after the run with the new one was interrupted', async () => {
    const store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const options = { transformations: [parser], store, indexes: [index] }
    await new IngestionPipeline(options).run(before)
    const failing: IngestionIndex = { add: () => Promise.reject(new Error('stop')), remove: () => {} }
    await expect(new IngestionPipeline({ ...options, indexes: [failing] }).run(after)).rejects.toThrow('stop')
    expect(await new IngestionPipeline(options).run(before)).toMatchObject({ changed: 1, unchanged: 2 })
    expect(await contents(store, index)).toEqual(await afterFreshRun(before))
  })

  it('stops when it is aborted, and continues in the next run', async () => {
    const store = new SimpleDocumentStore()
    const controller = new AbortController()
    const pipeline = new IngestionPipeline({ transformations: [parser], store })
    const onProgress = () => controller.abort(new Error('enough'))
    await expect(pipeline.run(before, { signal: controller.signal, onProgress })).rejects.toThrow('enough')
    expect(await pipeline.run(before)).toMatchObject({ unchanged: 1, added: 2 })
  })

  it('rejects two documents with one id, and nodes of a different source', async () => {
    const store = new SimpleDocumentStore()
    const run = (documents: TextNode[], transformations: Transformation[] = [parser]) =>
      new IngestionPipeline({ transformations, store }).run(documents)
    const invalid = { code: 'configuration' }
    await expect(run([file('a', 'x'), file('a', 'y')])).rejects.toMatchObject(invalid)
    await expect(run([file('b', 'x')], [])).rejects.toMatchObject(invalid)
    expect(await store.getRefDocInfo('b')).toBeNull()
  })

  it('removes a document', async () => {
    const store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const pipeline = new IngestionPipeline({ transformations: [parser], store, indexes: [index] })
    await pipeline.run(before)
    await pipeline.remove('a')
    await pipeline.remove('none')
    expect(await contents(store, index)).toEqual(await afterFreshRun(before.slice(1)))
  })

  it('removes a document without nodes, and no node with the id of a document', async () => {
    const store = new SimpleDocumentStore()
    const pipeline = new IngestionPipeline({ transformations: [parser], store })
    const empty = new Document({ id: 'empty', text: '' })
    await pipeline.run([...before, empty])
    await pipeline.remove('empty')
    expect(await store.getDocumentHash('empty')).toBeNull()
    expect(await pipeline.ingest(empty)).toBe('added')
    const [node] = Object.keys(await store.docs())
    await pipeline.remove(node!)
    expect(await store.documentExists(node!)).toBe(true)
  })

  it('removes missing documents without nodes, and those whose ingestion was interrupted', async () => {
    const store = new SimpleDocumentStore()
    const pipeline = new IngestionPipeline({ transformations: [parser], store })
    const own = new TextNode({ id: 'own', text: 'no document' })
    await store.addDocuments([own])
    await pipeline.run([
      ...before,
      new Document({ id: 'empty', text: '' }),
      new Document({ id: 'empty too', text: '' }),
    ])
    const dying = new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target)
        return typeof value !== 'function'
          ? value
          : name === 'addDocuments'
            ? () => Promise.reject(new Error('dead'))
            : value.bind(target)
      },
    })
    for (const id of ['x', 'y']) {
      const killed = new IngestionPipeline({ transformations: [parser], store: dying })
      await expect(killed.run([file(id, 'text')])).rejects.toThrow('dead')
      expect(await store.getDocumentHash(id)).toBe('in progress')
    }
    expect(await pipeline.run(before, { removeMissing: true })).toMatchObject({ unchanged: before.length, removed: 4 })
    for (const id of ['x', 'y', 'empty', 'empty too']) expect(await store.getDocumentHash(id)).toBeNull()
    expect(await store.documentExists('own')).toBe(true)
  })

  it('does not count metadata that is excluded from the hash as a change', async () => {
    const embedModel = new CountingEmbedding()
    const store = new SimpleDocumentStore()
    const excludedHashMetadataKeys = ['read_at']
    const pipeline = new IngestionPipeline({ transformations: [parser], store, embedModel, excludedHashMetadataKeys })
    const at = (read_at: number, text: string, lang = 'en') =>
      new Document({ id: 'd', text, metadata: { read_at, lang } })
    expect(await pipeline.ingest(at(1, '# A\n\none\n\n# B\n\ntwo'))).toBe('added')
    expect(await pipeline.ingest(at(2, '# A\n\none\n\n# B\n\ntwo'))).toBe('unchanged')
    expect(embedModel.texts).toBe(2)
    expect(await pipeline.ingest(at(3, '# A\n\none\n\n# B\n\nother'))).toBe('changed')
    expect(embedModel.texts).toBe(3)
    expect(Object.values(await store.docs()).map(({ metadata }) => metadata['read_at'])).toEqual([3, 3])
    expect(await pipeline.ingest(at(3, '# A\n\none\n\n# B\n\nother', 'de'))).toBe('changed')
    expect(embedModel.texts).toBe(5)
    // Without the option, all metadata counts, as in Python.
    expect(await new IngestionPipeline({ transformations: [parser], store }).ingest(at(4, 'x'))).toBe('changed')
  })

  it('embeds floats of Python as they were written, whether all metadata counts or not', async () => {
    const whole = Document.fromJson('{"id_": "d", "text": "one", "metadata": {"score": 1.0, "read_at": 1}}')
    for (const excludedHashMetadataKeys of [[], ['read_at']]) {
      const store = new SimpleDocumentStore()
      await new IngestionPipeline({ transformations: [parser], store, excludedHashMetadataKeys }).ingest(whole)
      const [node] = Object.values(await store.docs())
      expect(node?.getContent('all')).toContain('score: 1.0')
      expect(writeJsonText((await store.getRefDocInfo('d'))?.metadata)).toContain('"score":1.0')
    }
  })

  /** A journal that throws at part number `left`, before or after the part has run. */
  function journal(saved: Map<string, Json>, budget = { left: Number.POSITIVE_INFINITY }, isAfter = false): Durable {
    return async (name, fn) => {
      if (saved.has(name)) return saved.get(name) as Awaited<ReturnType<typeof fn>>
      const stops = budget.left-- === 0
      if (stops && !isAfter) throw new Error('stop')
      const value = await fn()
      if (stops) throw new Error('stop')
      saved.set(name, value)
      return value
    }
  }

  it.each([false, true])(
    'runs each part of a document once when it is resumed (interrupted after the part: %s)',
    async (isAfter) => {
      const text = '# Prices\n\n| fruit | price |\n|---|---|\n| pears | 2 |'
      const table = new MarkdownElementNodeParser({
        idFunc: fromContent(),
        summarizer: () => ({ summary: 'prices', tableTitle: null, tableId: null, columns: [] }),
      })
      const document = new Document({ id: 'p', text })
      for (let left = 0; left < 3; left++) {
        const store = new SimpleDocumentStore()
        const index = new Bm25Retriever()
        const pipeline = new IngestionPipeline({ transformations: [table], store, indexes: [index] })
        const saved = new Map<string, Json>()
        const stopped = pipeline.ingest(document, { durable: journal(saved, { left }, isAfter) })
        await expect(stopped).rejects.toThrow('stop')
        expect(await pipeline.ingest(document, { durable: journal(saved) })).toBe('added')
        expect([...saved.keys()]).toEqual(['known', expect.stringMatching(/^table\/[0-9a-f]{32}$/), 'store'])
        expect(await contents(store, index)).toEqual(await afterFreshRun([document], table))
        const again = new Map<string, Json>()
        expect(await pipeline.ingest(document, { durable: journal(again) })).toBe('unchanged')
        expect([...again]).toEqual([['known', 'unchanged']])
      }
    },
  )

  /** A parser whose documents are parsed when they are released. */
  function waitingParser() {
    const release = new Map<string, () => void>()
    const transform: Transformation['transform'] = async (nodes, options) => {
      await new Promise<void>((resolve) => release.set(nodes[0]!.getContent('none'), resolve))
      return parser.transform(nodes, options)
    }
    const parse = async (document: Document) => {
      while (!release.has(document.text)) await new Promise((resolve) => setImmediate(resolve))
      release.get(document.text)!()
    }
    return { transform, parse }
  }
  const versions = [file('a', 'one', 'two'), file('a', 'one', 'three'), file('a', 'nine')] as const

  it('ingests versions of one document one after the other, and different documents at the same time', async () => {
    const store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const { transform, parse } = waitingParser()
    const pipeline = new IngestionPipeline({ transformations: [{ transform }], store, indexes: [index] })
    const ingesting = versions.map((version) => pipeline.ingest(version))
    const other = pipeline.ingest(before[1]!)
    await parse(before[1]!)
    expect(await other).toBe('added')
    const removing = pipeline.remove('b')
    for (const version of versions) await parse(version)
    expect(await Promise.all(ingesting)).toEqual(['added', 'changed', 'changed'])
    await removing
    expect(await contents(store, index)).toEqual(await afterFreshRun([versions[2]]))
  })

  it('leaves no node in an index that the store does not have, when two processes ingest one document', async () => {
    for (let waits = 0; waits < 40; waits++) {
      const store = new SimpleDocumentStore()
      const index = new Bm25Retriever({ nodes: [] })
      const ingest = async (text: string, delay: number) => {
        for (let turn = 0; turn < delay; turn++) await null
        await new IngestionPipeline({ transformations: [parser], store, indexes: [index] }).run([file('a', text)])
      }
      await Promise.all([ingest('one', waits), ingest('two', 20)])
      const ids = Object.keys(await store.docs())
      expect([index.size, ids.filter((id) => index.has(id))]).toEqual([1, ids])
    }
  })

  it('goes on with the next version when one fails or is cancelled', async () => {
    const store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const failing: Transformation = {
      transform: async (nodes, options) => {
        if (nodes[0]!.getContent('none').includes('two')) throw new Error('unreadable')
        return parser.transform(nodes, options)
      },
    }
    const pipeline = new IngestionPipeline({ transformations: [failing], store, indexes: [index] })
    const [first, second, third] = versions.map((version, i) =>
      pipeline.ingest(version, i === 1 ? { signal: AbortSignal.abort(new Error('enough')) } : {}),
    )
    await expect(first).rejects.toThrow('unreadable')
    await expect(second).rejects.toThrow('enough')
    expect(await third).toBe('added')
    expect(await contents(store, index)).toEqual(await afterFreshRun([versions[2]]))
  })

  it.each([0, 1])(
    'leaves nothing of a version that an engine ingests at the same time (%i is written first)',
    async (first) => {
      const store = new SimpleDocumentStore()
      const index = new Bm25Retriever()
      const { transform, parse } = waitingParser()
      // Every read and write of the store takes a while.
      const slow = new Proxy(store, {
        get: (target, name) =>
          name in target &&
          (async (...args: never[]) => {
            await new Promise((resolve) => setImmediate(resolve))
            return (target[name as 'upsert'] as (...args: never[]) => unknown).apply(target, args)
          }),
      })
      const pipeline = new IngestionPipeline({ transformations: [{ transform }], store: slow, indexes: [index] })
      const order = first === 0 ? [versions[0], versions[1]] : [versions[1], versions[0]]
      const ingesting = order.map((version) => pipeline.ingest(version, { durable: journal(new Map()) }))
      for (const version of order) await parse(version)
      await Promise.all(ingesting)
      expect(await contents(store, index)).toEqual(await afterFreshRun([order[1]!]))
    },
  )

  it('writes a document in one transaction, after its model calls', async () => {
    let store = new SimpleDocumentStore()
    const index = new Bm25Retriever()
    const embedModel = new TableEmbedding({ texts: {}, queries: {} })
    const order: string[] = []
    embedModel.getTextEmbeddingBatch = async (texts) => {
      order.push('embed')
      return texts.map(() => [1, 0])
    }
    const budget = { left: Number.POSITIVE_INFINITY }
    // A transaction works on a copy, which replaces the store if nothing fails.
    const transaction: IngestionPipelineOptions['transaction'] = async (work) => {
      order.push('begin')
      const copy = SimpleDocumentStore.fromDict(store.toDict())
      const result = await work({ store: stopping(copy, budget), indexes: [index] })
      store = copy
      order.push('commit')
      return result
    }
    const outside = new Proxy(store, { get: (_, name) => stopping(store, { left: 0 })[name as 'docs'] })
    const options = { transformations: [parser], store: outside, indexes: [index], embedModel, transaction }
    const pipeline = new IngestionPipeline(options)
    await pipeline.run(before)
    expect(order).toEqual(['embed', ...Array(3).fill(['begin', 'commit']).flat()])
    const whole = JSON.stringify(store.toDict())
    for (let left = 0; ; left++) {
      budget.left = left
      const failed = await pipeline.ingest(after[0]!).then(
        () => false,
        () => true,
      )
      if (!failed) break
      expect(JSON.stringify(store.toDict())).toBe(whole)
      expect(left).toBeLessThan(10)
    }
    budget.left = Number.POSITIVE_INFINITY
    await pipeline.run(after, { removeMissing: true })
    expect(await contents(store, index)).toEqual(await afterFreshRun(after))
    order.length = 0
    // Stored nodes are neither embedded nor written again, as when a worker dies right after the transaction.
    await pipeline.ingest(after[0]!, { durable: journal(new Map<string, Json>([['known', 'changed']])) })
    expect(order).toEqual(['begin', 'commit'])
  })
})

describe.each([
  { lineNumbers: false, embeds: true },
  { lineNumbers: true, embeds: true },
  { lineNumbers: false, embeds: false },
  { lineNumbers: true, embeds: false },
])('after edits, with %j', (options) => {
  it.each([3, 5, 7])('store and indexes equal those of a fresh ingestion (seed %i)', async (seed) => {
    const embedModel = new CountingEmbedding()
    const store = new SimpleDocumentStore()
    const indexes = [
      new Bm25Retriever({ similarityTopK: 1000 }),
      new VectorRetriever({ embedModel, similarityTopK: 1000 }),
    ]
    expect(await runEdits({ open: async () => ({ store, indexes }), embedModel, edits: 60, seed, ...options })).toEqual(
      [],
    )
  })
})

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
