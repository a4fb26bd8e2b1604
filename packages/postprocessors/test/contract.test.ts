/** The contract of every postprocessor, and the classes that are exempt from parts of it. */

import { toSnakeCase } from '@x/core/values'
import {
  CallbackManager,
  type Dict,
  type ModelClass,
  type NodeWithScore,
  QueryBundle,
  type TextNode,
} from '@x/core-model'
import { MapDocumentStore, RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as postprocessors from '../src/index.ts'
import { ExplanationLedger, NodePostprocessor, type PostprocessorProgress } from '../src/index.ts'
import { chain, FunctionLLM, frozenEntries, Gate, LetterEmbedding } from './stand-ins.ts'

interface Subject {
  /** The options other than the callback manager; models pass through the gate. */
  options: (gate: Gate) => Dict
  needsQuery?: boolean
  /** Whether it calls models, which the gate observes. */
  callsModel?: boolean
  /** Whether it makes one call or more per node. */
  concurrent?: boolean
  /** Emits the reranking event. */
  reranking?: boolean
  /** The number of nodes in the result. */
  keepsSome?: boolean
  /** Options without a JSON form. */
  live?: (gate: Gate) => Dict
}

const store = new MapDocumentStore(chain(8))
const rank = () => 'Doc: 2, Relevance: 5\nDoc: 1, Relevance: 7'
const mask = (prompt: string) =>
  `${/^Text: ([\s\S]*?)\nAnswer:/m.exec(prompt)?.[1]?.replaceAll('Bob', '[NAME1]') ?? ''}\nOutput Mapping: {"NAME1": "Bob"}`
const findBob = (gate: Gate) => (text: string) =>
  gate.pass(() => (text.includes('Bob') ? [{ entity_group: 'PER', word: 'Bob' }] : []))
const encoder = (gate: Gate) => ({
  predict: (pairs: readonly unknown[]) => gate.pass(() => pairs.map((_, index) => index)),
})

/** The classes that need options, or differ in what they do. Every other exported class is made without options. */
const special: Record<string, Subject> = {
  AutoPrevNextNodePostprocessor: {
    options: (gate) => ({ docstore: store, llm: new FunctionLLM({ answer: () => 'NEXT', gate }) }),
    live: (gate) => ({ docstore: store, llm: new FunctionLLM({ answer: () => 'NEXT', gate }) }),
    needsQuery: true,
    callsModel: true,
    concurrent: true,
  },
  Deduplicate: { options: () => ({ by: 'hash' }) },
  DocumentGrouping: { options: () => ({ maxPerGroup: 3 }) },
  EmbeddingRecencyPostprocessor: {
    options: (gate) => ({ embedModel: new LetterEmbedding({ gate }), similarity: 'cosine', similarityCutoff: 0.99 }),
    live: (gate) => ({ embedModel: new LetterEmbedding({ gate }) }),
    callsModel: true,
  },
  FixedRecencyPostprocessor: { options: () => ({ topK: 3 }) },
  KeywordNodePostprocessor: {
    options: () => ({ requiredKeywords: ['number'], excludeKeywords: ['ccccc'], lang: 'de' }),
  },
  LLMCompression: {
    options: (gate) => ({ llm: new FunctionLLM({ answer: () => '1', gate }) }),
    live: (gate) => ({ llm: new FunctionLLM({ answer: () => '1', gate }) }),
    needsQuery: true,
    callsModel: true,
    concurrent: true,
  },
  LLMRerank: {
    options: (gate) => ({ llm: new FunctionLLM({ answer: rank, gate }), choiceBatchSize: 2 }),
    live: (gate) => ({ llm: new FunctionLLM({ answer: rank, gate }) }),
    needsQuery: true,
    callsModel: true,
    concurrent: true,
    reranking: true,
  },
  MaximalMarginalRelevance: {
    options: (gate) => ({ embedModel: new LetterEmbedding({ gate }), topN: 3 }),
    live: (gate) => ({ embedModel: new LetterEmbedding({ gate }) }),
    callsModel: true,
  },
  MetadataReplacementPostProcessor: { options: () => ({ targetMetadataKey: 'window' }) },
  NERPIINodePostprocessor: {
    options: (gate) => ({ ner: findBob(gate) }),
    live: (gate) => ({ ner: findBob(gate) }),
    callsModel: true,
    concurrent: true,
  },
  PIINodePostprocessor: {
    options: (gate) => ({ llm: new FunctionLLM({ answer: mask, gate }) }),
    live: (gate) => ({ llm: new FunctionLLM({ answer: mask, gate }) }),
    callsModel: true,
    concurrent: true,
  },
  PostprocessorPipeline: {
    options: (gate) => ({
      postprocessors: [
        new postprocessors.SimilarityPostprocessor({ similarityCutoff: 0 }),
        new postprocessors.LLMRerank({ llm: new FunctionLLM({ answer: rank, gate }) }),
      ],
    }),
    live: (gate) => ({
      postprocessors: [
        new postprocessors.SimilarityPostprocessor({ similarityCutoff: 0 }),
        new postprocessors.LLMRerank({ llm: new FunctionLLM({ answer: rank, gate }) }),
      ],
    }),
    needsQuery: true,
    callsModel: true,
  },
  PrevNextNodePostprocessor: { options: () => ({ docstore: store, mode: 'both' }), live: () => ({ docstore: store }) },
  RankFusion: {
    options: (gate) => ({
      rankers: [
        new postprocessors.LongContextReorder(),
        new postprocessors.LLMRerank({ llm: new FunctionLLM({ answer: rank, gate }) }),
      ],
    }),
    live: (gate) => ({
      rankers: [
        new postprocessors.LongContextReorder(),
        new postprocessors.LLMRerank({ llm: new FunctionLLM({ answer: rank, gate }) }),
      ],
    }),
    needsQuery: true,
    callsModel: true,
  },
  SentenceEmbeddingOptimizer: {
    options: (gate) => ({ embedModel: new LetterEmbedding({ gate }), percentileCutoff: 0.5, contextBefore: 0 }),
    live: (gate) => ({ embedModel: new LetterEmbedding({ gate }) }),
    callsModel: true,
  },
  SentenceTransformerRerank: {
    options: (gate) => ({ crossEncoder: encoder(gate), keepRetrievalScore: true }),
    live: (gate) => ({ crossEncoder: encoder(gate) }),
    needsQuery: true,
    callsModel: true,
    reranking: true,
  },
  SimilarityPostprocessor: { options: () => ({ similarityCutoff: 0.75 }) },
  TimeWeightedPostprocessor: { options: () => ({ now: 1000, topK: 3 }) },
  TokenBudget: { options: () => ({ maxTokens: 40, overflow: 'cut' }) },
}

const subjects: Record<string, Subject> = Object.fromEntries(
  Object.entries(postprocessors).flatMap(([name, value]) =>
    typeof value === 'function' && value.prototype instanceof NodePostprocessor
      ? [[name, special[name] ?? { options: () => ({}) }]]
      : [],
  ),
)

const classNamed = (name: string) =>
  (
    postprocessors as unknown as Record<
      string,
      ModelClass<NodePostprocessor> & Pick<typeof NodePostprocessor, 'schema'>
    >
  )[name]!
const queryStr = 'What is number 3 about?'
const inputs = () => frozenEntries(chain(8).slice(0, 5))
const dicts = (entries: readonly NodeWithScore[]) => entries.map((entry) => entry.toDict())

describe.each(Object.entries(subjects))(
  '%s',
  (name, {
    options,
    needsQuery = false,
    callsModel = false,
    concurrent = false,
    reranking = false,
    live = () => ({}),
  }) => {
    const create = (gate = new Gate(), more: Dict = {}) => new (classNamed(name))({ ...options(gate), ...more })

    it('returns its class name', () => {
      expect(classNamed(name).className()).toBe(name)
      expect(create().toDict()['class_name']).toBe(name)
    })

    it('refuses options of a query component that it does not have', () => {
      expect(() => create().asQueryComponent({ partials: {} } as never)).toThrow('asQueryComponent.partials: unknown')
    })

    it('has a callback manager of its own', () => {
      const [one, other] = [create(), create(new Gate(), { callbackManager: null })]
      expect([one.callbackManager.handlers, other.callbackManager.handlers]).toEqual([[], []])
      expect(one.callbackManager).not.toBe(other.callbackManager)
    })

    it('returns an empty array for no nodes, without a model call or an event', async () => {
      const gate = new Gate()
      const handler = new RecordingCallbackHandler()
      expect(
        await create(gate, { callbackManager: new CallbackManager([handler]) }).postprocessNodes([], { queryStr }),
      ).toEqual([])
      expect([gate.calls, handler.events]).toEqual([0, []])
    })

    it('does not change its inputs or itself', async () => {
      const nodes = inputs()
      const postprocessor = create()
      const query = new QueryBundle({ queryStr })
      Object.freeze(query)
      const before = [dicts(nodes), postprocessor.toDict(), query.toDict()]
      const first = await postprocessor.postprocessNodes(nodes, { queryBundle: query })
      const dict = dicts(first)
      for (const entry of first) {
        // Unchanged entries may be the input objects; a fetched node belongs to its store.
        if (nodes.includes(entry) || !nodes.some(({ nodeId }) => nodeId === entry.nodeId)) continue
        entry.node.metadata['added'] = true
        entry.node.excludedLlmMetadataKeys.push('added')
      }
      expect([dicts(nodes), postprocessor.toDict(), query.toDict()]).toEqual(before)
      expect(dicts(await postprocessor.postprocessNodes(nodes, { queryBundle: query }))).toEqual(dict)
    })

    it('keeps the ids, relationships, offsets and embeddings of the nodes', async () => {
      const byId = new Map(chain(8).map((node) => [node.id, node]))
      for (const { node } of await create().postprocessNodes(inputs(), { queryStr })) {
        expect(node.toDict({ include: ['id', 'relationships', 'startCharIdx', 'embedding'] })).toEqual(
          (byId.get(node.id) as TextNode).toDict({ include: ['id', 'relationships', 'startCharIdx', 'embedding'] }),
        )
      }
    })

    it('rejects two queries, and a missing query if it requires one, before it reads the nodes', async () => {
      const both = { queryStr: '', queryBundle: new QueryBundle({ queryStr }) }
      await expect(create().postprocessNodes([], both)).rejects.toMatchObject({
        code: 'conflicting_query',
        className: name,
      })
      if (needsQuery) await expect(create().postprocessNodes([])).rejects.toMatchObject({ code: 'missing_query' })
      else await expect(create().postprocessNodes(inputs())).resolves.toBeInstanceOf(Array)
      expect(create().needsQuery()).toBe(needsQuery)
    })

    it('can be read from its wire form', () => {
      const postprocessor = create()
      const read = classNamed(name).fromDict(JSON.parse(postprocessor.toJson()), live(new Gate()))
      expect(read.toDict()).toEqual(postprocessor.toDict())
      expect(read.equals(postprocessor)).toBe(true)
      expect(postprocessor.copy().toDict()).toEqual(postprocessor.toDict())
      expect(() => classNamed(name).fromDict({ class_name: 'Another' }, live(new Gate()))).toThrow(
        expect.objectContaining({ code: 'class_name_mismatch' }),
      )
    })

    it('returns the same result as a copy and as a query component', async () => {
      const result = dicts(await create().postprocessNodes(inputs(), { queryStr }))
      expect(dicts(await create().copy().postprocessNodes(inputs(), { queryStr }))).toEqual(result)
      const component = create().asQueryComponent({ partial: { query_str: queryStr } })
      const output = await component.runComponent({ nodes: inputs() })
      expect(dicts(output['nodes'] as NodeWithScore[])).toEqual(result)
      await expect(component.runComponent({ nodes: ['x'] })).rejects.toMatchObject({ code: 'component_input' })
    })

    it('accepts a stream as the query of a query component', async () => {
      const result = dicts(await create().postprocessNodes(inputs(), { queryStr }))
      const componentInputs = { nodes: inputs(), query_str: [queryStr].values() }
      const output = await create().asQueryComponent().runComponent(componentInputs)
      expect(dicts(output['nodes'] as NodeWithScore[])).toEqual(result)
    })

    it('rejects immediately if the signal is aborted', async () => {
      const gate = new Gate()
      const reason = new Error('enough')
      await expect(
        create(gate).postprocessNodes(inputs(), { queryStr, signal: AbortSignal.abort(reason) }),
      ).rejects.toBe(reason)
      expect(gate.calls).toBe(0)
    })

    if (callsModel)
      it('rejects during a model call, even if the model ignores the signal', async () => {
        const controller = new AbortController()
        const reason = new Error('enough')
        const gate = new Gate({ open: false, onCall: () => controller.abort(reason) })
        await expect(create(gate).postprocessNodes(inputs(), { queryStr, signal: controller.signal })).rejects.toBe(
          reason,
        )
        expect(gate.calls).toBe(1)
      })

    if (callsModel)
      it('reports its model calls', async () => {
        const progress: PostprocessorProgress[] = []
        await create().postprocessNodes(inputs(), { queryStr, onProgress: (step) => progress.push(step) })
        expect(progress.length).toBeGreaterThan(0)
        progress.forEach(({ done, total }, index) => {
          expect(done).toBe(index + 1)
          expect(total).toBeGreaterThanOrEqual(done)
        })
      })

    if (concurrent)
      it('runs up to maxConcurrency model calls at the same time, with the same result', async () => {
        const alone = new Gate()
        const one = dicts(await create(alone).postprocessNodes(inputs(), { queryStr }))
        expect(alone.mostInFlight).toBe(1)
        const two = new Gate()
        expect(dicts(await create(two, { maxConcurrency: 2 }).postprocessNodes(inputs(), { queryStr }))).toEqual(one)
        expect(two.mostInFlight).toBe(2)
        expect(() => create(new Gate(), { maxConcurrency: 0 })).toThrow(
          expect.objectContaining({ code: 'model_validation' }),
        )
      })

    it(reranking ? 'emits the reranking event, even if it fails' : 'emits no event', async () => {
      const handler = new RecordingCallbackHandler()
      await create(new Gate(), { callbackManager: new CallbackManager([handler]) }).postprocessNodes(inputs(), {
        queryStr,
      })
      if (!reranking) {
        expect(handler.events).toEqual([])
        return
      }
      expect(handler.summary()).toEqual([
        ['start', 'reranking', ['model_name', 'nodes', 'query_str', 'top_k']],
        ['end', 'reranking', ['nodes']],
      ])
      const failing = new RecordingCallbackHandler()
      const gate = new Gate({
        onCall: () => {
          throw new Error('the model is down')
        },
      })
      const run = create(gate, { callbackManager: new CallbackManager([failing]) }).postprocessNodes(inputs(), {
        queryStr,
      })
      await expect(run).rejects.toThrow('the model is down')
      expect(failing.summary().at(-1)).toEqual(['end', 'reranking', ['exception']])
    })

    it('records its effects without changing the result', async () => {
      const nodes = inputs()
      const ledger = new ExplanationLedger()
      const result = await create().postprocessNodes(nodes, { queryStr, ledger })
      expect(dicts(result)).toEqual(dicts(await create().postprocessNodes(nodes, { queryStr })))
      const last = ledger.entries.filter(({ step }) => step === ledger.entries.at(-1)?.step)
      expect(
        last.filter(({ change }) => change !== 'dropped').map(({ nodeId, rankAfter }) => [nodeId, rankAfter]),
      ).toEqual(result.map(({ nodeId }, index) => [nodeId, index + 1]))
      const named = new Set(ledger.entries.map(({ nodeId }) => nodeId))
      for (const { nodeId } of nodes) expect(named.has(nodeId)).toBe(true)
      expect(ledger.entries.every(({ reason }) => reason !== '')).toBe(true)
    })
  },
)

describe('the classes that LlamaIndex for Python has too', () => {
  const wire: Record<string, string[]> = {
    SimilarityPostprocessor: ['similarity_cutoff'],
    KeywordNodePostprocessor: ['required_keywords', 'exclude_keywords', 'lang'],
    LongContextReorder: [],
    MetadataReplacementPostProcessor: ['target_metadata_key'],
    PrevNextNodePostprocessor: ['num_nodes', 'mode'],
    AutoPrevNextNodePostprocessor: ['num_nodes', 'infer_prev_next_tmpl', 'refine_prev_next_tmpl', 'verbose'],
    FixedRecencyPostprocessor: ['top_k', 'date_key'],
    EmbeddingRecencyPostprocessor: ['embed_model', 'date_key', 'similarity_cutoff', 'query_embedding_tmpl'],
    TimeWeightedPostprocessor: ['time_decay', 'last_accessed_key', 'time_access_refresh', 'now', 'top_k'],
    SentenceEmbeddingOptimizer: ['percentile_cutoff', 'threshold_cutoff', 'context_before', 'context_after'],
    LLMRerank: ['top_n', 'choice_select_prompt', 'choice_batch_size', 'llm'],
    SentenceTransformerRerank: ['model', 'top_n', 'device', 'keep_retrieval_score'],
    PIINodePostprocessor: ['llm', 'pii_str_tmpl', 'pii_node_info_key'],
    NERPIINodePostprocessor: ['pii_node_info_key'],
  }

  it.each(Object.entries(wire))('%s writes exactly its wire keys', (name, keys) => {
    const { similarity: _, ...options } = subjects[name]!.options(new Gate())
    expect(Object.keys(new (classNamed(name))(options).toDict())).toEqual([...keys, 'class_name'])
  })

  it.each(Object.keys(wire))('%s writes its extension options only if they differ from their default', (name) => {
    const base = subjects[name]!.options(new Gate())
    const { fields } = classNamed(name).spec()
    const extras = Object.keys(fields).filter(
      (field) => !fields[field]!.runtime && !wire[name]!.includes(fields[field]!.wire ?? toSnakeCase(field)),
    )
    for (const field of extras) {
      const { default: standard, schema } = fields[field]!
      const other = schema.enum
        ? schema.enum.find((value) => value !== standard)
        : typeof standard === 'boolean'
          ? !standard
          : typeof standard === 'string'
            ? 'de'
            : 7
      const postprocessor = new (classNamed(name))({ ...base, [field]: other })
      expect(postprocessor.toDict()[fields[field]!.wire ?? toSnakeCase(field)]).toBe(other)
      const read = classNamed(name).fromDict(postprocessor.toDict(), subjects[name]!.live?.(new Gate()))
      expect((read as unknown as Dict)[field]).toBe(other)
    }
  })

  it.each([
    ['EmbeddingRecencyPostprocessor', 'embedModel'],
    ['LLMCompression', 'llm'],
    ['LLMRerank', 'llm'],
    ['PIINodePostprocessor', 'llm'],
  ])('%s leaves an %s that is a plain object out of its wire form', (name, option) => {
    const model = {
      metadata: { contextWindow: Infinity },
      predict: async () => '',
      getQueryEmbedding: async () => [1],
      getTextEmbedding: async () => [1],
      getTextEmbeddingBatch: async () => [[1]],
    }
    const made = new (classNamed(name))({ [option]: model })
    expect(made.toDict()).not.toHaveProperty(toSnakeCase(option))
    const pipeline = new postprocessors.PostprocessorPipeline({ postprocessors: [made] })
    expect(JSON.parse(pipeline.toJson()).postprocessors).toEqual([made.toDict()])
    expect(
      classNamed(name)
        .fromDict(made.toDict(), { [option]: model })
        .equals(made),
    ).toBe(true)
  })

  it.each<[string, Dict, string, unknown[]]>([
    [
      'SentenceEmbeddingOptimizer',
      { embedModel: new LetterEmbedding() },
      'tokenizerFn',
      [null, 'text', [1], Promise.resolve([])],
    ],
    ['LLMRerank', { llm: new FunctionLLM({ answer: rank }) }, 'formatNodeBatchFn', [null, 5, Promise.resolve('')]],
    [
      'LLMRerank',
      { llm: new FunctionLLM({ answer: rank }) },
      'parseChoiceSelectAnswerFn',
      [null, 5, [[1], [2]], { choices: 1 }, { choices: [1], relevances: 5 }],
    ],
  ])('%s with %o names the function %s that returns a wrong value', async (name, options, option, values) => {
    for (const value of values) {
      const made = new (classNamed(name))({ ...options, [option]: () => value })
      await expect(made.postprocessNodes(inputs(), { queryStr })).rejects.toMatchObject({
        code: 'model_validation',
        issues: [{ path: expect.stringMatching(`^${option}\\(\\)`) }],
      })
    }
  })

  it.each([[null], ['x'], [{}], [[5]]])('names a store whose getNodes returns %j', async (value) => {
    const docstore = { getNode: () => null, getNodes: () => value }
    const around = new postprocessors.PrevNextNodePostprocessor({ docstore: docstore as never })
    await expect(around.postprocessNodes(inputs())).rejects.toMatchObject({
      code: 'model_validation',
      issues: [{ path: 'docstore.getNodes()' }],
    })
  })

  it('refuses scores of a cross-encoder that are no array, and lists without scored nodes', async () => {
    const crossEncoder = { predict: () => ({ length: 5 }) as never }
    const rerank = new postprocessors.SentenceTransformerRerank({ crossEncoder })
    await expect(rerank.postprocessNodes(inputs(), { queryStr })).rejects.toMatchObject({ code: 'rerank_score' })
    for (const list of [[{}], [5]])
      expect(() => postprocessors.fuseNodes([list] as never)).toThrow(
        expect.objectContaining({ code: 'model_validation', message: expect.stringContaining('lists[0]') }),
      )
  })

  it('lists its required fields in its JSON Schema', () => {
    const required = (name: string) => classNamed(name).schema().required ?? []
    expect(required('LLMRerank').toSorted()).toEqual(['choice_batch_size', 'choice_select_prompt', 'llm', 'top_n'])
    expect(required('SentenceTransformerRerank').toSorted()).toEqual(['model', 'top_n'])
    expect(required('MetadataReplacementPostProcessor')).toEqual(['target_metadata_key'])
    expect(required('SimilarityPostprocessor')).toEqual([])
    const properties = Object.fromEntries(
      Object.keys(wire).map((name) => [name, Object.keys(classNamed(name).schema().properties!).sort()]),
    )
    for (const [name, keys] of Object.entries(wire)) {
      const live =
        name === 'PrevNextNodePostprocessor'
          ? ['docstore']
          : name === 'AutoPrevNextNodePostprocessor'
            ? ['docstore', 'service_context']
            : []
      expect(properties[name]).toEqual([...keys, ...live, 'callback_manager', 'class_name'].sort())
    }
    expect(Object.keys(classNamed('KeywordNodePostprocessor').schema().properties!).sort()).toEqual([
      'callback_manager',
      'class_name',
      'exclude_keywords',
      'lang',
      'required_keywords',
    ])
  })
})

const { SimilarityPostprocessor, TimeWeightedPostprocessor } = postprocessors
const steps = [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new TimeWeightedPostprocessor()]

const llm = new ScriptedLLM()

describeRoundTrips(postprocessors, {
  '': {
    live: {
      callbackManager: new CallbackManager(),
      docstore: new MapDocumentStore(),
      llm,
      embedModel: new TableEmbedding(),
    },
  },
  // Keywords must not be blank, and the language must be valid.
  KeywordNodePostprocessor: {
    adjust: ({ requiredKeywords = [], excludeKeywords = [], ...options }: Dict) => ({
      ...options,
      requiredKeywords: (requiredKeywords as string[]).map((keyword) => `a${keyword}`),
      excludeKeywords: (excludeKeywords as string[]).map((keyword) => `a${keyword}`),
      lang: 'de',
    }),
  },
  LLMCompression: { adjust: (options) => ({ ...options, lang: 'de' }) },
  SentenceEmbeddingOptimizer: { adjust: (options) => ({ ...options, lang: 'de' }) },
  AutoPrevNextNodePostprocessor: { adjust: (options) => ({ ...options, llm }) },
  PostprocessorPipeline: { adjust: (options) => ({ ...options, postprocessors: steps }) },
  RankFusion: { adjust: (options) => ({ ...options, rankers: steps, weights: [1, 2] }) },
})
