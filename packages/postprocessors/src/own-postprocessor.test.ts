import {
  CallbackManager,
  ClassRegistry,
  isToolkitError,
  type NodesPostprocessor,
  NodeWithScore,
  QueryBundle,
  TextNode,
} from '@x/core-model'
import { fields, integer, nested } from '@x/core-model/fields'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from './explanation/explanation-ledger.ts'
import { keepingOrder, ModelCalls } from './model-calls.ts'
import { NodePostprocessor, type PostprocessRun } from './node-postprocessor.ts'
import { PostprocessorPipeline } from './pipeline/postprocessor-pipeline.ts'
import { RankFusion } from './rank-fusion/rank-fusion.ts'
import { SimilarityPostprocessor } from './similarity-postprocessor.ts'
import type { PostprocessorLike } from './steps-postprocessor.ts'
import { TokenBudget } from './token-budget/token-budget.ts'

class Reverse extends NodePostprocessor {
  protected override async process(nodes: readonly NodeWithScore[]) {
    return nodes.toReversed()
  }
}

class FirstNodes extends fields(NodePostprocessor, 'FirstNodes', { count: integer({ minimum: 0, default: 1 }) }) {
  protected override async process(nodes: readonly NodeWithScore[]) {
    return nodes.slice(0, this.count)
  }
}

class Foreign implements PostprocessorLike {
  async postprocessNodes(nodes: readonly NodeWithScore[]) {
    return nodes.slice(1)
  }
}

const nodes = ['a', 'b', 'c'].map((id) => new NodeWithScore({ node: new TextNode({ id }), score: 0.5 }))
const idsOf = (list: readonly NodeWithScore[]) => list.map(({ nodeId }) => nodeId)
const plain: PostprocessorLike = { postprocessNodes: async (list) => list.toReversed() }

/** The issues of the error that `make` throws. */
function faultsOf(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    if (isToolkitError(error, 'model_validation')) return error.message
    throw error
  }
  return ''
}

describe('a custom postprocessor without fields', () => {
  it('has the name of its class on the wire, in ledgers and in registries, without a spec', async () => {
    const ledger = new ExplanationLedger()
    expect(idsOf(await new Reverse().postprocessNodes(nodes, { ledger }))).toEqual(['c', 'b', 'a'])
    expect(new Set(ledger.entries.map(({ className }) => className))).toEqual(new Set(['Reverse']))
    expect(new Reverse().toDict()['class_name']).toBe('Reverse')
    const registry = new ClassRegistry([Reverse, FirstNodes])
    expect(registry.fromDict(new Reverse().toDict())).toBeInstanceOf(Reverse)
  })

  it('does not change the names of the base class and of built-in classes', () => {
    class Derived extends SimilarityPostprocessor {}
    expect([NodePostprocessor.className(), Derived.className()]).toEqual(['base_component', 'SimilarityPostprocessor'])
  })
})

describe('postprocessNodes', () => {
  class Noting extends NodePostprocessor {
    readonly queries: (string | null)[] = []
    protected override async process(list: readonly NodeWithScore[], { query }: PostprocessRun) {
      this.queries.push(query?.queryStr ?? null)
      return [...list]
    }
  }

  it('returns no nodes for none, without running', async () => {
    const noting = new Noting()
    expect(await noting.postprocessNodes([])).toEqual([])
    expect(noting.queries).toEqual([])
    await expect(noting.postprocessNodes([], { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  })

  it('rejects with the reason of a signal that aborts before the result is ready', async () => {
    const controller = new AbortController()
    class Aborting extends Noting {
      protected override async process(list: readonly NodeWithScore[]) {
        controller.abort('enough')
        return [...list]
      }
    }
    await expect(new Aborting().postprocessNodes(nodes, { signal: controller.signal })).rejects.toBe('enough')
  })

  it('takes one query, as a string or as a bundle', async () => {
    const noting = new Noting()
    const queryBundle = new QueryBundle({ queryStr: 'bundle' })
    await expect(noting.postprocessNodes(nodes, { queryStr: '', queryBundle })).rejects.toMatchObject({
      code: 'conflicting_query',
    })
    for (const query of [{ queryStr: '' }, { queryBundle }, { queryStr: null, queryBundle: null }])
      await noting.postprocessNodes(nodes, query)
    expect(noting.queries).toEqual(['', 'bundle', null])
    expect(noting.callbackManager).toBeInstanceOf(CallbackManager)
  })

  it('names the first item that is no scored node', async () => {
    for (const at of [0, 1])
      await expect(new Noting().postprocessNodes(nodes.with(at, 'x' as never))).rejects.toThrow(
        `Noting.postprocessNodes.nodes[${at}]: expected a scored node (NodeWithScore), received a string.`,
      )
  })

  it('runs as a component of a query pipeline', async () => {
    const noting = new Noting()
    const component = noting.asQueryComponent({ partial: { query_str: 'partial' } })
    expect(await component.runComponent({ nodes })).toEqual({ nodes })
    for (const query_str of ['own', null, undefined]) await noting.asQueryComponent().runComponent({ nodes, query_str })
    await noting.asQueryComponent().runComponent({ nodes })
    expect(noting.queries).toEqual(['partial', 'own', null, null, null])
    const manager = new CallbackManager()
    component.setCallbackManager(manager)
    expect(noting.callbackManager).toBe(manager)
    await expect(noting.postprocessNodes(nodes, { ledger: {} as never })).rejects.toThrow('ledger: expected a ledger')
    expect(() => noting.asQueryComponent({ partal: {} } as never)).toThrow('asQueryComponent.partal: unknown option')
  })
})

describe('the model calls of a postprocessor', () => {
  it('report their number, with the expected number or what they exceed it by', async () => {
    const progress: unknown[] = []
    const calls = new ModelCalls(new Reverse(), { query: null, onProgress: (each) => progress.push(each) }, 1)
    calls.expect(1)
    for (let call = 1; call <= 3; call++) expect(await calls.run(() => call)).toBe(call)
    expect(progress).toEqual([
      { className: 'Reverse', done: 1, total: 2 },
      { className: 'Reverse', done: 2, total: 2 },
      { className: 'Reverse', done: 3, total: 3 },
    ])
  })

  it('receive the signal and the event of the run', async () => {
    const { signal } = new AbortController()
    const given = (run: Partial<PostprocessRun>) =>
      new ModelCalls(new Reverse(), { query: null, ...run }, 1).run((options) => options)
    expect(await given({ signal, parentId: 'p' })).toStrictEqual({ signal, parentId: 'p' })
    expect(await given({})).toStrictEqual({ signal: undefined })
  })

  it('may fail and keep the first nodes in their order, unless they were aborted', async () => {
    const failing = async () => Promise.reject(new Error('busy'))
    const reasons = new Map<NodeWithScore, string>()
    const kept = await keepingOrder({ onError: 'keep', topN: 2 }, nodes, { query: null, reasons }, failing)
    expect(kept).toEqual(nodes.slice(0, 2))
    expect([...reasons.values()]).toEqual([
      'kept in its order, because the model failed: busy',
      'kept in its order, because the model failed: busy',
      'not among the first 2; the model failed: busy',
    ])
    const aborted = { query: null, signal: AbortSignal.abort() }
    await expect(keepingOrder({ onError: 'keep', topN: 2 }, nodes, aborted, failing)).rejects.toThrow('busy')
    await expect(keepingOrder({ onError: 'throw', topN: 2 }, nodes, { query: null }, failing)).rejects.toThrow('busy')
  })
})

describe('a custom postprocessor with fields', () => {
  it('can be read from JSON as a step of a pipeline', async () => {
    const pipeline = new PostprocessorPipeline({ postprocessors: [new Reverse(), new FirstNodes({ count: 2 })] })
    const again = PostprocessorPipeline.fromJson(
      pipeline.toJson(),
      {},
      { registry: new ClassRegistry([Reverse, FirstNodes]) },
    )
    expect(again.postprocessors.map((step) => step.constructor)).toEqual([Reverse, FirstNodes])
    expect(idsOf(await again.postprocessNodes(nodes))).toEqual(['c', 'b'])
  })
})

describe('a step that is not a class of this package', () => {
  it('works in a pipeline, and its effects are recorded in the ledger', async () => {
    const ledger = new ExplanationLedger()
    const pipeline = new PostprocessorPipeline({ postprocessors: [new Foreign(), plain] })
    expect(idsOf(await pipeline.postprocessNodes(nodes, { ledger }))).toEqual(['c', 'b'])
    expect(ledger.of('a').map(({ className, change }) => `${className} ${change}`)).toEqual(['Foreign dropped'])
    expect(new Set(ledger.entries.map(({ className }) => className))).toEqual(new Set(['Foreign', 'postprocessor']))
  })

  it('works in rank fusion', async () => {
    const fusion = new RankFusion({ rankers: [plain, { postprocessNodes: async (list) => list.slice(2) }], topN: 1 })
    expect(idsOf(await fusion.postprocessNodes(nodes))).toEqual(['c'])
  })

  it('may return its result at once, as an array that nobody may change', async () => {
    const first: PostprocessorLike = { postprocessNodes: (list) => list }
    const frozen: PostprocessorLike = { postprocessNodes: async (list) => Object.freeze(list.slice(0, 2)) }
    expect(idsOf(await new PostprocessorPipeline({ postprocessors: [first, frozen] }).postprocessNodes(nodes))).toEqual(
      ['a', 'b'],
    )
    expect(idsOf(await new RankFusion({ rankers: [first, frozen], topN: 1 }).postprocessNodes(nodes))).toEqual(['a'])
  })

  it.each<[unknown, string]>([
    [undefined, ': expected an array of scored nodes, received undefined'],
    [{ nodes }, ': expected an array of scored nodes, received an object'],
    [
      [...nodes, new TextNode()],
      `[${nodes.length}]: expected a scored node (NodeWithScore), received an instance of TextNode`,
    ],
  ])('is named in the error when it does not return scored nodes: %#', async (result, problem) => {
    class Wrong {
      async postprocessNodes() {
        return result as never
      }
    }
    const error = {
      code: 'component_output',
      message: `Wrong.postprocessNodes${problem}.`,
    }
    const pipeline = new PostprocessorPipeline({ postprocessors: [plain, new Wrong()] })
    await expect(pipeline.postprocessNodes(nodes)).rejects.toMatchObject(error)
    await expect(new RankFusion({ rankers: [new Wrong()] }).postprocessNodes(nodes)).rejects.toMatchObject(error)
  })

  it('names the item of its input that is no scored node', async () => {
    const wrong = [...nodes, 'x'] as never
    const rank = new RankFusion({ rankers: [plain] })
    await expect(rank.postprocessNodes(wrong)).rejects.toThrow(
      `RankFusion.postprocessNodes.nodes[${nodes.length}]: expected a scored node (NodeWithScore), received a string.`,
    )
    await expect(rank.asQueryComponent().runComponent({ nodes: wrong })).rejects.toThrow(
      `Input nodes[${nodes.length}]: expected a scored node`,
    )
  })

  it('is needed by RankFusion, and a count of at least 1', () => {
    expect(() => new RankFusion({ rankers: [] })).toThrow('RankFusion.rankers: expected at least one postprocessor')
    expect(() => new RankFusion({ rankers: [plain], topN: 0 })).toThrow('RankFusion.topN: expected a number at least 1')
    expect(() => new TokenBudget({ maxTokens: 0 })).toThrow('TokenBudget.maxTokens: expected a number at least 1')
  })

  it('may declare with needsQuery that it needs a query', async () => {
    const pipeline = new PostprocessorPipeline({ postprocessors: [{ ...plain, needsQuery: () => true }] })
    await expect(pipeline.postprocessNodes(nodes)).rejects.toMatchObject({ code: 'missing_query' })
  })

  it('cannot be written as JSON', () => {
    expect(() => new PostprocessorPipeline({ postprocessors: [plain] }).toJson()).toThrow(
      expect.objectContaining({ code: 'serialization', field: expect.stringContaining('postprocessors[0]') }),
    )
  })
})

describe('an abstract class', () => {
  class Holder extends fields(NodePostprocessor, 'Holder', { inner: nested(NodePostprocessor) }) {
    protected override async process(list: readonly NodeWithScore[]) {
      return this.inner.postprocessNodes(list)
    }
  }

  it('is never instantiated from a plain object', () => {
    expect(faultsOf(() => new PostprocessorPipeline({ postprocessors: [{} as never] }))).toMatch(
      /^PostprocessorPipeline\.postprocessors\[0\]: expected NodePostprocessor or an object with the method postprocessNodes, /,
    )
    expect(faultsOf(() => new RankFusion({ rankers: [{ callbackManager: null } as never] }))).toContain('rankers[0]')
    expect(faultsOf(() => new Holder({ inner: {} as never }))).toMatch(/^Holder\.inner: expected NodePostprocessor, /)
  })

  it('is never instantiated from data without a class name, or with the name of a base class', () => {
    for (const inner of [{}, { class_name: 'base_component' }])
      expect(() => Holder.fromDict({ inner })).toThrow(expect.objectContaining({ code: 'unknown_class_name' }))
    expect(() => PostprocessorPipeline.fromDict({ postprocessors: [{}] })).toThrow(
      expect.objectContaining({ code: 'unknown_class_name' }),
    )
  })
})

it('an own step receives the query in both forms, in a pipeline, in a fusion and beside postprocessors of this package', async () => {
  const received: unknown[] = []
  const own: NodesPostprocessor = {
    postprocessNodes: (list, { queryStr, queryBundle }) => {
      received.push([queryStr, queryBundle?.queryStr ?? null])
      return list
    },
  }
  const nodes = [new NodeWithScore({ node: new TextNode({ text: 'cat' }), score: 1 })]
  const inner = new PostprocessorPipeline({
    postprocessors: [own, new SimilarityPostprocessor({ similarityCutoff: 0 })],
  })
  const pipeline = new PostprocessorPipeline({ postprocessors: [own, inner] })
  await pipeline.postprocessNodes(nodes, { queryStr: 'Cat' })
  await pipeline.postprocessNodes(nodes, { queryBundle: new QueryBundle({ queryStr: 'Cat' }) })
  await new RankFusion({ rankers: [own] }).postprocessNodes(nodes, { queryStr: 'Cat' })
  expect(received).toEqual(Array(5).fill(['Cat', 'Cat']))
  await pipeline.postprocessNodes(nodes)
  expect(received.slice(5)).toEqual(Array(2).fill([null, null]))
})
