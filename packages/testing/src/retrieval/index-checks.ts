/**
 * @module
 * Checks of the contract of indexes that search nodes.
 */
import { type NodeWithScore, TextNode, writeJsonText } from '@x/core-model'
import {
  Bm25Retriever,
  filterOperators,
  type IngestionIndex,
  type MetadataFilter,
  nodeFilter,
  type RetrieveOptions,
  type SearchScope,
} from '@x/retrieval'
import { type ContractCheck, expectEqual } from '../storage/contract-check.ts'

/** An index that ingestion fills, with its search. */
interface SearchableIndex extends IngestionIndex {
  /** The maximum number of nodes returned. */
  similarityTopK: number
  retrieve(query: string, options?: RetrieveOptions): Promise<NodeWithScore[]>
}

/** What kind of index is checked. */
interface IndexCheckOptions {
  /** `words`: a node without a term of the query is not found. `vectors`: the index embeds with {@link LetterEmbedding}. */
  kind: 'words' | 'vectors'
  /** Whether the scores are those of `Bm25Retriever`, to nine digits. @defaultValue false */
  hasBm25Scores?: boolean | undefined
}

/** An embedding model for checks: one number per letter, so that strings with the same letters are similar. */
export class LetterEmbedding {
  async getQueryEmbedding(text: string): Promise<number[]> {
    return Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => text.toLowerCase().split(letter).length - 1)
  }
  async getTextEmbedding(text: string): Promise<number[]> {
    return this.getQueryEmbedding(text)
  }
  async getTextEmbeddingBatch(texts: readonly string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.getTextEmbedding(text)))
  }
}

/** What `create` of {@link indexChecks} passes to the index. */
export interface CheckedIndexOptions {
  /** The metadata keys for which each search must state a value. */
  scope?: readonly string[]
}

type Create = (options: CheckedIndexOptions) => SearchableIndex | Promise<SearchableIndex>
type Check = (index: SearchableIndex, options: IndexCheckOptions, create: Create) => Promise<void>

/**
 * Returns the checks of the contract of an index: adding, replacing, removing, filters, scopes, ties, limits, all or nothing, the scores,
 * and the same result for any batches. Use them with any test runner: each check rejects if the index violates the rule in its name.
 * @param create - returns a new, empty index for each check; passes its argument to the constructor
 * @example
 * import { Bm25Retriever } from '@x/retrieval'
 * import { indexChecks } from '@x/testing/retrieval'
 * for (const { run } of indexChecks((options) => new Bm25Retriever(options), { kind: 'words', hasBm25Scores: true })) await run()
 */
export function indexChecks(
  create: (options: CheckedIndexOptions) => SearchableIndex | Promise<SearchableIndex>,
  options: IndexCheckOptions,
): readonly ContractCheck[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => check(await create({}), options, create),
  }))
}

function node(id: string, text: string, metadata: Record<string, unknown> = {}): TextNode {
  return new TextNode({ id, text, metadata, excludedEmbedMetadataKeys: Object.keys(metadata) })
}

const idsOf = (found: readonly NodeWithScore[]): string[] => found.map(({ nodeId }) => nodeId)
const fruit = () => [node('a', 'red apples'), node('b', 'green pears'), node('c', 'yellow lemons')]

/** Returns the code of the error that an operation rejects with. */
async function codeOf(operation: () => unknown): Promise<unknown> {
  try {
    await operation()
  } catch (error) {
    return (error as { code?: unknown }).code ?? String(error)
  }
  return 'a result'
}

/** A node without a content. */
class BrokenNode extends TextNode {
  override getContent(): string {
    throw new Error('no content')
  }
}

async function best(index: SearchableIndex, query: string): Promise<string | undefined> {
  return idsOf(await index.retrieve(query))[0]
}

/** Values of metadata, and what filters compare them with. */
const values = ['x', 'y', '', 'X', 0, 1, 2.5, true, false, null, ['x'], ['x', 1], []]

const checks: Record<string, Check> = {
  'finds a node by its text': async (index) => {
    await index.add(fruit())
    for (const { id, text } of fruit()) expectEqual(text, await best(index, text), id)
  },

  'returns whole nodes, and changes none': async (index) => {
    const whole = node('a', 'red apples', { page: 1, big: 2n ** 70n, list: [1, 'é', null] })
    const before = whole.toDict()
    await index.add([whole])
    expectEqual('the node that was added', whole.toDict(), before)
    const [found] = await index.retrieve('red apples')
    expectEqual('the node that is found', { ...found?.node.toDict(), embedding: null }, { ...before, embedding: null })
  },

  'replaces a node with the same id': async (index, { kind }) => {
    await index.add(fruit())
    await index.add([node('a', 'blue plums')])
    expectEqual('the new text', await best(index, 'blue plums'), 'a')
    const old = idsOf(await index.retrieve('red apples'))
    if (kind === 'words') expectEqual('the old text', old, [])
    else expectEqual('the number of nodes', old.length, 3)
  },

  'removes nodes, and ignores ids that it does not contain': async (index) => {
    await index.add(fruit())
    await index.remove(['a', 'unknown', 'a'])
    await index.remove([])
    expectEqual('removed', idsOf(await index.retrieve('red apples')).includes('a'), false)
    expectEqual('kept', await best(index, 'green pears'), 'b')
    await index.add([node('a', 'red apples')])
    expectEqual('added again', await best(index, 'red apples'), 'a')
  },

  'says which nodes it contains': async (index) => {
    if (!index.has) return
    await index.add(fruit())
    await index.remove(['b'])
    expectEqual('has', await Promise.all(['a', 'b', 'unknown'].map((id) => index.has?.(id))), [true, false, false])
  },

  'replaces the data of a node and keeps its vector': async (index) => {
    if (!index.update) return
    await index.add(fruit())
    await index.update([node('a', 'red apples', { page: 2 }), node('unknown', 'red apples')])
    const found = await index.retrieve('red apples')
    expectEqual('the metadata', found[0]?.metadata['page'], 2)
    expectEqual('an unknown node', idsOf(found).includes('unknown'), false)
  },

  'keeps the order of adding between equal scores': async (index) => {
    await index.add(['d', 'b', 'a', 'c'].map((id) => node(id, 'same words')))
    expectEqual('ids', idsOf(await index.retrieve('same words')), ['d', 'b', 'a', 'c'])
    await index.add([node('b', 'same words', { edited: true })])
    expectEqual('a replaced node', idsOf(await index.retrieve('same words')), ['d', 'b', 'a', 'c'])
  },

  'returns at most similarityTopK nodes, best first': async (index) => {
    await index.add(Array.from({ length: 20 }, (_, i) => node(`${i}`, `word ${'other '.repeat(i)}`)))
    for (const limit of [0, 1, 7, 50]) {
      index.similarityTopK = limit
      const scores = (await index.retrieve('word')).map(({ score }) => score!)
      expectEqual(`similarityTopK ${limit}`, scores.length, Math.min(limit, 20))
      expectEqual(
        'the order',
        [...scores].sort((one, other) => other - one),
        scores,
      )
    }
  },

  'applies filters before it selects the best nodes': async (index) => {
    index.similarityTopK = 2
    await index.add(Array.from({ length: 40 }, (_, i) => node(`${i}`, 'word', { tenant: i < 38 ? 'a' : 'b' })))
    const found = await index.retrieve('word', { filters: [{ key: 'tenant', value: 'b' }] })
    expectEqual('ids', idsOf(found), ['38', '39'])
  },

  'finds exactly the nodes that meet a filter': async (index) => {
    index.similarityTopK = 100
    const nodes = values.map((value, i) => node(`${i}`, 'word', value === null ? {} : { key: value }))
    await index.add(nodes)
    for (const operator of filterOperators)
      for (const value of values) {
        const filters: MetadataFilter[] = [{ key: 'key', operator, value: value as never }]
        let accepts: (node: TextNode) => boolean
        try {
          accepts = nodeFilter(filters)
        } catch {
          continue // not a value of this operator
        }
        const found = idsOf(await index.retrieve('word', { filters })).sort()
        expectEqual(`${operator} ${writeJsonText(value)}`, found, idsIn(nodes.filter(accepts)).sort())
        const none = { filters, condition: 'not' as const }
        const others = idsOf(await index.retrieve('word', { filters: none })).sort()
        expectEqual(
          `not ${operator} ${writeJsonText(value)}`,
          others,
          idsIn(nodes.filter((each) => !accepts(each))).sort(),
        )
      }
  },

  'has the same result for any batches and orders of writes': async (index, { hasBm25Scores = false }) => {
    index.similarityTopK = 30
    const nodes = Array.from({ length: 30 }, (_, i) => node(`${i}`, `word${i % 7} shared ${'filler '.repeat(i % 3)}`))
    await index.add(nodes)
    // Other scores may depend on statistics that are not exact.
    const result = async () =>
      (await index.retrieve('word3 shared')).map(({ nodeId, score }) => [nodeId, hasBm25Scores && score!.toFixed(9)])
    const once = await result()
    await index.remove(nodes.map(({ id }) => id))
    await index.add([node('0', 'to be replaced')])
    for (const each of nodes) await index.add([each])
    expectEqual('ids and scores', await result(), once)
  },

  'keeps ids and texts with any characters apart': async (index) => {
    const ids = ['', 'a', 'A', ' a', "a'b", 'a"b', '__proto__', 'constructor', 'a\u0000b', 'é', 'é', '🍎', '%', '_']
    await index.add(ids.map((id, i) => node(id, `number${'x'.repeat(i)}`)))
    index.similarityTopK = 100
    await index.remove(['a', '%'])
    const left = ids.filter((id) => id !== 'a' && id !== '%')
    if (index.has) for (const id of ids) expectEqual(JSON.stringify(id), await index.has(id), left.includes(id))
  },

  'has the scores of BM25': async (index, { hasBm25Scores = false }) => {
    if (!hasBm25Scores) return
    const words = ['wing', 'lift', 'drag', 'flow', 'heat']
    const nodes = Array.from({ length: 60 }, (_, i) =>
      node(`${i}`, Array.from({ length: 3 + (i % 9) }, (_, at) => words[(i * 7 + at * at) % 5]).join(' ')),
    )
    const expected = new Bm25Retriever({ nodes: nodes.slice(5), similarityTopK: 60 })
    index.similarityTopK = 60
    await index.add(nodes)
    await index.remove(idsIn(nodes.slice(0, 5)))
    for (const query of ['wing', 'lift drag', 'heat flow heat', 'none']) {
      const scores = (found: readonly NodeWithScore[]) => found.map(({ nodeId, score }) => [nodeId, score!.toFixed(9)])
      expectEqual(query, scores(await index.retrieve(query)), scores(await expected.retrieve(query)))
    }
  },

  'has the cosine similarity as score': async (index, { kind }) => {
    if (kind !== 'vectors') return
    index.similarityTopK = 10
    const embedModel = new LetterEmbedding()
    const nodes = [...fruit(), node('d', 'red apples and green pears'), node('e', '123')]
    await index.add(nodes)
    const query = await embedModel.getQueryEmbedding('red pears')
    const expected = await Promise.all(
      nodes.map(
        async ({ id, text }) => [id, cosine(query, await embedModel.getTextEmbedding(text)).toFixed(5)] as const,
      ),
    )
    const found = await index.retrieve('red pears')
    const scores = new Map(found.map(({ nodeId, score }) => [nodeId, (score! || 0).toFixed(5)]))
    expectEqual(
      'scores',
      expected.map(([id]) => [id, scores.get(id)]),
      expected,
    )
  },

  'adds all nodes or none': async (index) => {
    await index.add(fruit())
    const broken = new BrokenNode({ id: 'broken', text: 'red' })
    const outcome = await codeOf(() => index.add([node('new', 'red apples'), broken]))
    expectEqual('whether it fails', outcome !== 'a result', true)
    expectEqual('ids', idsOf(await index.retrieve('red apples')).includes('new'), false)
  },

  'tells which of many nodes it lacks': async (index) => {
    if (!index.missing) return
    await index.add(fruit())
    await index.remove(['b'])
    expectEqual('missing', [...(await index.missing(['a', 'b', 'unknown']))].sort(), ['b', 'unknown'])
    expectEqual('of no ids', await index.missing([]), [])
  },

  'applies the changes of a document together': async (index) => {
    if (!index.apply) return
    await index.add(fruit())
    const missing = await index.apply({
      added: [node('d', 'blue plums'), node('c', 'yellow quinces')],
      updated: [node('a', 'red apples', { page: 2 })],
      removed: ['b', 'unknown'],
      kept: ['a', 'lost'],
    })
    expectEqual('missing', missing, ['lost'])
    index.similarityTopK = 10
    const found = await index.retrieve('red apples, green pears, yellow lemons, blue plums')
    expectEqual('ids', idsOf(found).sort(), ['a', 'c', 'd'])
    expectEqual('metadata', found.find(({ nodeId }) => nodeId === 'a')?.metadata, { page: 2 })
    expectEqual('nothing to do', await index.apply({}), [])
  },

  'finds only nodes in the scope, and refuses a search without one': async (_index, _options, create) => {
    const index = await create({ scope: ['tenant', 'open'] })
    const metadata = [{ tenant: 'a', open: true }, { tenant: 'a', open: false }, { tenant: 'b', open: true }, {}]
    await index.add(metadata.map((each, i) => node(`${i}`, 'word', each)))
    index.similarityTopK = 10
    const incomplete: (SearchScope | undefined)[] = [
      undefined,
      {},
      { tenant: 'a' },
      { tenant: 'a', open: null as never },
    ]
    for (const scope of incomplete)
      expectEqual('an incomplete scope', await codeOf(() => index.retrieve('word', { scope })), 'scope_missing')
    const search = async (options: RetrieveOptions) => idsOf(await index.retrieve('word', options))
    expectEqual('ids', await search({ scope: { tenant: 'a', open: true } }), ['0'])
    const filters = { filters: [{ key: 'open', value: true }], condition: 'not' } as const
    expectEqual('with filters', await search({ scope: { tenant: 'a', open: false }, filters }), ['1'])
    const any = {
      filters: [
        { key: 'tenant', value: 'b' },
        { key: 'tenant', value: 'a' },
      ],
      condition: 'or',
    } as const
    expectEqual('with alternatives', await search({ scope: { tenant: 'b', open: true }, filters: any }), ['2'])
  },

  'rejects with the reason of a signal that has aborted': async (index) => {
    await index.add(fruit())
    const reason = new Error('enough')
    const outcome = await index.retrieve('red', { signal: AbortSignal.abort(reason) }).then(
      () => 'a result',
      (error: unknown) => (error === reason ? 'the reason' : String(error)),
    )
    expectEqual('retrieve', outcome, 'the reason')
  },
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  return product(one, other) / (Math.sqrt(product(one, one) * product(other, other)) || 1)
}

function idsIn(nodes: readonly TextNode[]): string[] {
  return nodes.map(({ id }) => id)
}
