import { describe, expect, it } from 'vitest'
import { InMemoryKeyValueStore } from './key-value-store.ts'

describe('InMemoryKeyValueStore', () => {
  it('keeps collections separate', async () => {
    const store = new InMemoryKeyValueStore()
    await store.put('a', { n: 1 })
    await store.putAll(
      [
        ['a', { n: 2 }],
        ['b', { n: 3 }],
      ],
      'other',
    )
    expect(await store.getAll()).toEqual({ a: { n: 1 } })
    expect(await store.get('b')).toBeNull()
    expect(await store.getAll('none')).toEqual({})
    expect(store.toDict()).toEqual({ data: { a: { n: 1 } }, other: { a: { n: 2 }, b: { n: 3 } } })
    expect(InMemoryKeyValueStore.fromDict(store.toDict()).toDict()).toEqual(store.toDict())
  })

  it('returns whether it deleted a value, and drops empty collections', async () => {
    const store = new InMemoryKeyValueStore()
    await store.put('a', {})
    expect([await store.delete('a'), await store.delete('a'), await store.delete('a', 'none')]).toEqual([
      true,
      false,
      false,
    ])
    expect(store.toDict()).toEqual({})
  })

  it('copies values when it writes and reads them', async () => {
    const store = new InMemoryKeyValueStore()
    const value = { list: [1] }
    await store.put('a', value)
    value.list.push(2)
    ;((await store.get('a'))!['list'] as number[]).push(3)
    ;(store.toDict()['data']!['a']!['list'] as number[]).push(4)
    expect(await store.get('a')).toEqual({ list: [1] })
  })

  it('treats __proto__ as an ordinary key', async () => {
    const store = new InMemoryKeyValueStore()
    await store.put('__proto__', { n: 1 }, '__proto__')
    expect(JSON.stringify(store.toDict())).toBe('{"__proto__":{"__proto__":{"n":1}}}')
    expect(({} as { n?: number }).n).toBeUndefined()
  })

  it('writes either all values or no value', async () => {
    const store = new InMemoryKeyValueStore()
    await expect(
      store.putAll([
        ['a', {}],
        ['b', { broken: () => {} }],
      ]),
    ).rejects.toMatchObject({ code: 'serialization', field: 'broken' })
    const circular: Record<string, unknown> = { when: new Date(0) }
    circular['list'] = [circular]
    await expect(store.put('c', circular)).rejects.toMatchObject({ code: 'serialization', message: /^list.0:/ })
    expect(store.toDict()).toEqual({})
  })

  it('is written as JSON in pieces, with the collections that became empty', async () => {
    const store = new InMemoryKeyValueStore()
    const text = () => [...store.toJsonPieces()].join('')
    expect(text()).toBe('{}')
    for (const collection of ['first', 'gone', 'last'])
      await store.putAll(
        [
          ['a', { collection }],
          ['"b"', {}],
        ],
        collection,
      )
    await store.deleteMany(['a', '"b"', 'none'], 'gone')
    await store.deleteMany(['a'], 'none')
    expect(JSON.parse(text())).toEqual({ ...store.toDict(), gone: {} })
    expect(Object.keys(store.toDict())).toEqual(['first', 'last'])
    await store.put('c', { n: Number.NaN }, 'last')
    expect(text).toThrow(expect.objectContaining({ code: 'serialization', message: expect.stringContaining('last.c') }))
  })

  it.each<[unknown, string]>([
    [null, 'InMemoryKeyValueStore.fromDict.data: expected an object of collections, received null.'],
    [5, 'InMemoryKeyValueStore.fromDict.data: expected an object of collections, received 5.'],
    [{ nodes: 5 }, 'InMemoryKeyValueStore.fromDict.nodes: expected an object of values, received 5.'],
    [{ nodes: null }, 'InMemoryKeyValueStore.fromDict.nodes: expected an object of values, received null.'],
  ])('is not created from %j', (data, message) => {
    expect(() => InMemoryKeyValueStore.fromDict(data as never)).toThrow(message)
  })

  it('returns many values in the order of their keys, null for a missing one', async () => {
    const store = new InMemoryKeyValueStore()
    await store.putAll([
      ['a', { n: 1 }],
      ['b', { n: 2 }],
    ])
    expect(await store.getMany(['b', 'none', 'a'])).toEqual([{ n: 2 }, null, { n: 1 }])
    expect(await store.getMany(['a'], 'none')).toEqual([null])
  })
})

it.each<[string, (store: InMemoryKeyValueStore) => Promise<unknown>]>([
  ['putAll.pairs', (store) => store.putAll({} as never)],
  ['putAll.pairs', (store) => store.putAll('ab' as never)],
  ['putAll.pairs[1]', (store) => store.putAll([['a', {}], null] as never)],
  ['putAll.pairs[0]', (store) => store.put(5 as never, {})],
  ['putAll.pairs[0]', (store) => store.put('a', undefined as never)],
  ['getMany.keys', (store) => store.getMany('a' as never)],
  ['deleteMany.keys', (store) => store.deleteMany(undefined as never)],
  ['get.key', (store) => store.get(5 as never)],
  ['get.key', (store) => store.getMany([5 as never])],
  ['delete.key', (store) => store.delete(undefined as never)],
])('a wrong argument is refused, and nothing is written: %s', async (path, call) => {
  const store = new InMemoryKeyValueStore()
  const error: unknown = await call(store).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'model_validation', message: expect.stringContaining(`${path}: expected `) })
  expect(store.toDict()).toEqual({})
})
