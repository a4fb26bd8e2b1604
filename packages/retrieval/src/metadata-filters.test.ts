import { NodeWithScore, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bm25Retriever } from './bm25-retriever.ts'
import { type FiltersInput, filterOperators, filterStep, type MetadataFilter, nodeFilter } from './metadata-filters.ts'
import { VectorRetriever } from './vector-retriever.ts'

const node = new TextNode({
  metadata: {
    year: 2020,
    name: 'Report',
    tags: ['a', 'b'],
    draft: false,
    big: 2n ** 60n,
    none: null,
    empty: '',
    list: [],
    years: [2020, 2021n],
  },
})

describe('nodeFilter', () => {
  it.each<[boolean, MetadataFilter]>([
    [true, { key: 'year', value: 2020 }],
    [false, { key: 'year', operator: '==', value: '2020' }],
    [true, { key: 'year', operator: '!=', value: 2021 }],
    [true, { key: 'year', operator: '>', value: 2019 }],
    [false, { key: 'year', operator: '>', value: 2020 }],
    [true, { key: 'year', operator: '>=', value: 2020 }],
    [true, { key: 'year', operator: '<', value: 2021 }],
    [true, { key: 'year', operator: '<=', value: 2020 }],
    [false, { key: 'year', operator: '<', value: '3' }],
    [true, { key: 'name', operator: '<', value: 'S' }],
    [true, { key: 'year', operator: 'in', value: [2019, 2020] }],
    [false, { key: 'year', operator: 'nin', value: [2019, 2020] }],
    [true, { key: 'name', operator: 'nin', value: ['report'] }],
    [true, { key: 'tags', operator: 'any', value: ['b', 'c'] }],
    [false, { key: 'tags', operator: 'all', value: ['b', 'c'] }],
    [true, { key: 'tags', operator: 'all', value: ['b', 'a'] }],
    [true, { key: 'tags', operator: 'contains', value: 'a' }],
    [true, { key: 'tags', value: ['a', 'b'] }],
    [true, { key: 'name', operator: 'contains', value: 'port' }],
    [false, { key: 'name', operator: 'contains', value: 'PORT' }],
    [true, { key: 'name', operator: 'text_match', value: 'PORT' }],
    [true, { key: 'draft', value: false }],
    [true, { key: 'big', value: 2n ** 60n }],
    [true, { key: 'big', operator: '>', value: 5 }],
    [true, { key: 'year', value: 2020n }],
    [true, { key: 'years', value: [2020n, 2021] }],
    [false, { key: 'years', value: [2020n] }],
    [true, { key: 'none', operator: 'is_empty' }],
    [true, { key: 'empty', operator: 'is_empty' }],
    [true, { key: 'list', operator: 'is_empty' }],
    [false, { key: 'tags', operator: 'is_empty' }],
    [false, { key: 'name', operator: 'is_empty' }],
    [true, { key: 'missing', operator: 'is_empty' }],
    [false, { key: 'missing', operator: '!=', value: 1 }],
    [false, { key: 'missing', operator: 'nin', value: [1] }],
    [false, { key: 'constructor', operator: '!=', value: 1 }],
  ])('returns %s for %o', (expected, filter) => {
    expect(nodeFilter([filter])(node)).toBe(expected)
  })

  it('combines conditions at any depth', () => {
    const is = (key: string, value: number | string) => ({ key, value })
    const year = { filters: [is('year', 1), is('year', 2020)], condition: 'or' as const }
    expect(nodeFilter([year, is('name', 'Report')])(node)).toBe(true)
    expect(nodeFilter([year, is('name', 'x')])(node)).toBe(false)
    expect(nodeFilter({ filters: [year, is('name', 'x')], condition: 'or' })(node)).toBe(true)
    expect(nodeFilter({ filters: [year, is('name', 'x')], condition: 'not' })(node)).toBe(false)
    expect(nodeFilter({ filters: [is('missing', 1), is('name', 'x')], condition: 'not' })(node)).toBe(true)
    expect(nodeFilter({ filters: [], condition: 'not' })(node)).toBe(true)
    expect([nodeFilter([])(node), nodeFilter({ filters: [], condition: 'or' })(node)]).toEqual([true, false])
  })

  it('reports every invalid condition with its path', () => {
    const filters = [
      { key: 5, value: 1 },
      { key: 'a', operator: '=~', value: 1 },
      { filters: [{ key: 'a', operator: 'in', value: 'x' }, { key: 'a' }], condition: 'nor' },
      { key: 'a', operator: '>', value: true },
      'a == 1',
    ]
    expect(() => nodeFilter(filters as unknown as FiltersInput)).toThrow(
      [
        'MetadataFilters.filters[0].key: expected a string, received 5.',
        `MetadataFilters.filters[1].operator: expected one of ${filterOperators.join(' ')}, received "=~".`,
        'MetadataFilters.filters[2].condition: expected "and", "or" or "not", received "nor".',
        'MetadataFilters.filters[2].filters[0].value: expected an array for the operator in, received a string.',
        'MetadataFilters.filters[2].filters[1].value: expected a string, number, boolean or array, received undefined.',
        'MetadataFilters.filters[3].value: expected a number or a string for the operator >, received true.',
        'MetadataFilters.filters[4]: expected an object with key, operator and value, received a string.',
      ].join('\n'),
    )
    for (const group of [null, 'x', {}, { filters: 1 }])
      expect(() => nodeFilter(group as unknown as FiltersInput)).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
  })

  it('refuses keys that conditions do not have', () => {
    const filters = [
      { key: 'a', operater: '!=', value: 1 },
      { filters: [], conditoin: 'or' },
    ]
    expect(() => nodeFilter({ filters, metadata: {} } as unknown as FiltersInput)).toThrow(
      [
        'MetadataFilters.metadata: unknown option.',
        'MetadataFilters.filters[0].operater: unknown option; did you mean operator?.',
        'MetadataFilters.filters[1].conditoin: unknown option; did you mean condition?.',
      ].join('\n'),
    )
  })

  it('accepts filters that were parsed from JSON', () => {
    const filters: FiltersInput = { filters: [{ key: 'year', operator: '>', value: 2019 }], condition: 'and' }
    expect(nodeFilter(JSON.parse(JSON.stringify(filters)))(node)).toBe(true)
  })
})

describe('the filters of a retriever', () => {
  const nodes = Array.from({ length: 20 }, (_, i) => {
    const texts = ['red apple', 'red', 'apple', 'wine red']
    return new TextNode({ id: `n${i}`, text: texts[i % 4]!, embedding: [Math.cos(i), Math.sin(i)], metadata: { i } })
  })
  const embedModel = new TableEmbedding({ texts: {}, queries: { 'red apple': [1, 0] } })

  it('restrict the results to the best nodes that meet the conditions', async () => {
    const vectors = await VectorRetriever.fromNodes(nodes, { embedModel })
    for (const retriever of [new Bm25Retriever({ nodes }), vectors]) {
      retriever.similarityTopK = 100
      const all = await retriever.retrieve('red apple')
      await fc.assert(
        fc.asyncProperty(fc.nat(20), fc.nat(20), fc.nat(10), async (from, to, limit) => {
          retriever.similarityTopK = limit
          const filters: MetadataFilter[] = [
            { key: 'i', operator: '>=', value: from },
            { key: 'i', operator: '<', value: to },
          ]
          const expected = all.filter(({ metadata }) => Number(metadata['i']) >= from && Number(metadata['i']) < to)
          const found = await retriever.retrieve('red apple', { filters })
          expect(found.map(({ id }) => id)).toEqual(expected.slice(0, limit).map(({ id }) => id))
        }),
      )
    }
  })

  it('are combined with the filters of the search', async () => {
    const filters: MetadataFilter[] = [{ key: 'i', operator: '<', value: 4 }]
    const search = { filters: [{ key: 'i', operator: '>' as const, value: 2 }] }
    const vectors = await VectorRetriever.fromNodes(nodes, { embedModel, filters, similarityTopK: 9 })
    for (const retriever of [new Bm25Retriever({ nodes, filters }), vectors])
      expect((await retriever.retrieve('red apple', search)).map(({ id }) => id)).toEqual(['n3'])
  })

  it('are validated when the retriever is created and when it searches', async () => {
    const filters = [{ key: 'a', operator: '~', value: 1 }] as unknown as FiltersInput
    const invalid = { code: 'model_validation' }
    expect(() => new Bm25Retriever({ filters })).toThrow(expect.objectContaining(invalid))
    expect(() => new VectorRetriever({ embedModel, filters })).toThrow(expect.objectContaining(invalid))
    await expect(new Bm25Retriever().retrieve('x', { filters })).rejects.toMatchObject(invalid)
  })
})

const nodes = ['en', 'de', null].map(
  (lang, at) => new NodeWithScore({ node: new TextNode({ id: `${at}`, metadata: lang ? { lang } : {} }) }),
)

it('keeps the nodes that meet the conditions, in their order', async () => {
  const step = filterStep({ filters: [{ key: 'lang', value: 'de' }], condition: 'not' })
  const found = await step.postprocessNodes(nodes)
  expect(found).toEqual([nodes[0], nodes[2]])
})

it('refuses conditions that are not valid', () => {
  expect(() => filterStep([{ key: 'a', operator: 'like' as never }])).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})
