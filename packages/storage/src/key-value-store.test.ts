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
    ).rejects.toThrow()
    expect(store.toDict()).toEqual({})
  })
})
