/**
 * @module
 * Checks of the contract of key-value stores.
 */
import type { KeyValueOperations, KeyValueStore, StoredValue } from '@x/storage'
import { type ContractCheck, ContractError, checksOf, errorOf, expectEqual } from './contract-check.ts'

/** Keys that a store confuses if it joins, trims, quotes or changes the case of keys. */
const CONFUSABLE_KEYS = [
  'a',
  'A',
  'á',
  'a\u0301',
  ' a',
  'a/b',
  '',
  '__proto__',
  'constructor',
  "a'b",
  'a"b',
  '%',
  'a\u0000b',
  'ab',
  '🍎',
  '10',
]

/** More keys than a single statement of most databases accepts. */
const MANY = 40_000

/**
 * Returns the checks of the `KeyValueStore` contract. Use them with any test runner: each check rejects if the store violates the
 * rule in its name. A store without `transaction` passes the checks about transactions.
 * @param create - returns a new, empty store for each check
 * @example
 * import { InMemoryKeyValueStore } from '@x/storage'
 * import { keyValueStoreChecks } from '@x/testing/storage'
 * const checks = keyValueStoreChecks(() => new InMemoryKeyValueStore())
 * for (const { run } of checks) await run()
 * checks[0].name // => 'returns a value as it was written, with the order of its keys'
 */
export function keyValueStoreChecks(create: () => KeyValueStore | Promise<KeyValueStore>): readonly ContractCheck[] {
  return checksOf(create, { ...values, ...batches, ...transactions })
}

const values: Record<string, (store: KeyValueStore) => Promise<void>> = {
  'returns a value as it was written, with the order of its keys': async (store) => {
    const value = { b: 1, a: { z: [1.5, -1e-7, 2 ** 53 - 1, null, true], '10': 'x', '9': '', ä: [[], {}] } }
    await store.put('k', value)
    expectEqual('get', await store.get('k'), value)
    await store.putAll([['k', { c: 1, ...value }]])
    expectEqual('get after putAll', await store.get('k'), { c: 1, ...value })
  },

  'keeps every character of strings': async (store) => {
    const value = {
      nul: 'a\u0000b',
      quotes: `'"\\`,
      apple: '🍎',
      separators: '\u2028\u2029',
      long: 'é'.repeat(300_000),
    }
    await store.put('k', value)
    expectEqual('get', await store.get('k'), value)
  },

  'keeps a bigint, or refuses it': async (store) => {
    const value = { id: 2n ** 64n }
    try {
      await store.put('k', value)
    } catch {
      expectEqual('get after a refused put', await store.get('k'), null)
      return
    }
    expectEqual('get', await store.get('k'), value)
  },

  'keeps keys and collections apart': async (store) => {
    const pairs = CONFUSABLE_KEYS.map((key, n) => [key, { n }] as const)
    for (const [i, collection] of CONFUSABLE_KEYS.entries())
      await store.putAll(
        pairs.map(([key, { n }]) => [key, { n: n + 100 * i }]),
        collection,
      )
    for (const [i, collection] of CONFUSABLE_KEYS.entries()) {
      for (const [key, { n }] of pairs)
        expectEqual(`get(${JSON.stringify(key)}, ${JSON.stringify(collection)})`, await store.get(key, collection), {
          n: n + 100 * i,
        })
      const all = Object.entries(await store.getAll(collection)).map(([key, value]) => `${key}=${value['n']}`)
      expectEqual('getAll', all.sort(), pairs.map(([key, { n }]) => `${key}=${n + 100 * i}`).sort())
    }
    await store.put('b', { n: 1 }, 'x/a')
    expectEqual('get', await store.get('a/b', 'x'), null)
  },

  'uses the collection data when none is given': async (store) => {
    await store.put('a', { n: 1 })
    expectEqual('get', await store.get('a', 'data'), { n: 1 })
    expectEqual('getAll', await store.getAll(), { a: { n: 1 } })
  },

  'returns null for a missing key, and an empty object for a missing collection': async (store) => {
    expectEqual('get', await store.get('a'), null)
    expectEqual('getAll', await store.getAll('none'), {})
    expectEqual('getMany', await store.getMany(['a', 'b'], 'none'), [null, null])
  },

  'replaces values whole': async (store) => {
    await store.put('a', { old: 1 })
    await store.put('a', { new: 1 })
    expectEqual('get', await store.get('a'), { new: 1 })
  },

  'copies values when it writes and reads them': async (store) => {
    const value = { list: [1] }
    await store.put('a', value)
    value.list.push(2)
    for (const read of [await store.get('a'), (await store.getMany(['a']))[0], (await store.getAll())['a']])
      (read!['list'] as number[]).push(3)
    expectEqual('get', await store.get('a'), { list: [1] })
  },

  'deletes a value and returns whether there was one': async (store) => {
    await store.put('a', {})
    await store.put('a', {}, 'other')
    expectEqual(
      'delete',
      [await store.delete('a'), await store.delete('a'), await store.delete('a', 'none')],
      [true, false, false],
    )
    expectEqual('get', [await store.get('a'), await store.get('a', 'other')], [null, {}])
  },
}

const batches: Record<string, (store: KeyValueStore) => Promise<void>> = {
  'returns many values in the order of the keys': async (store) => {
    await store.putAll(['a', 'b', 'c'].map((id) => [id, { id }]))
    expectEqual('getMany', await store.getMany(['c', 'none', 'a', 'c']), [{ id: 'c' }, null, { id: 'a' }, { id: 'c' }])
  },

  'keeps the last value of a key that is written twice in one call': async (store) => {
    await store.putAll([
      ['a', { n: 1 }],
      ['a', { n: 2 }],
    ])
    expectEqual('get', await store.get('a'), { n: 2 })
  },

  'deletes many values and ignores keys that do not exist': async (store) => {
    await store.putAll(['a', 'b', 'c'].map((id) => [id, { id }]))
    await store.deleteMany(['a', 'none', 'c', 'a'])
    await store.deleteMany(['b'], 'other')
    expectEqual('getAll', await store.getAll(), { b: { id: 'b' } })
  },

  'takes empty batches': async (store) => {
    await store.putAll([])
    await store.deleteMany([])
    expectEqual('getMany', await store.getMany([]), [])
  },

  'takes batches of any size': async (store) => {
    const keys = Array.from({ length: MANY }, (_, i) => `k${i}`)
    await store.putAll(new Map(keys.map((key, n): [string, StoredValue] => [key, { n }])))
    const found = await store.getMany(keys)
    expectEqual('getMany', [found.length, found[MANY - 1]], [MANY, { n: MANY - 1 }])
    expectEqual('getAll', Object.keys(await store.getAll()).length, MANY)
    await store.deleteMany(keys)
    expectEqual('getAll', await store.getAll(), {})
  },
}

/** A check of transactions, for stores that have them. */
function inTransactions(
  check: (transaction: NonNullable<KeyValueStore['transaction']>, store: KeyValueStore) => Promise<void>,
) {
  return async (store: KeyValueStore) => {
    if (store.transaction) await check(store.transaction.bind(store), store)
  }
}

const transactions: Record<string, (store: KeyValueStore) => Promise<void>> = {
  'transaction: keeps all writes and returns the result': inTransactions(async (transaction, store) => {
    await store.put('old', {})
    const result = await transaction(async (inside) => {
      await inside.putAll([['a', { n: 1 }]])
      await inside.put('b', { n: 2 }, 'other')
      await inside.delete('old')
      return [await inside.get('a'), await inside.getMany(['b', 'old'], 'other'), await inside.getAll()]
    })
    expectEqual('own writes', result, [{ n: 1 }, [{ n: 2 }, null], { a: { n: 1 } }])
    expectEqual('after', [await store.getAll(), await store.getAll('other')], [{ a: { n: 1 } }, { b: { n: 2 } }])
  }),

  'transaction: undoes all writes and rejects with the error of the work': inTransactions(
    async (transaction, store) => {
      await store.putAll([
        ['kept', { n: 1 }],
        ['changed', { n: 1 }],
      ])
      const reason = new Error('stopped')
      const error = await errorOf('transaction', () =>
        transaction(async (inside) => {
          await inside.put('new', {})
          await inside.put('changed', { n: 2 })
          await inside.deleteMany(['kept'])
          throw reason
        }),
      )
      if (error !== reason) throw new ContractError('the error of transaction', String(reason), String(error))
      expectEqual('get', await store.getMany(['kept', 'changed', 'new']), [{ n: 1 }, { n: 1 }, null])
      await transaction((inside) => inside.put('next', {}))
      expectEqual('get after the next transaction', await store.get('next'), {})
    },
  ),

  'transaction: two at the same time have the effect of one after the other': inTransactions(
    async (transaction, store) => {
      const increment = async (inside: KeyValueOperations) => {
        const n = Number((await inside.get('n'))?.['n'] ?? 0)
        await inside.put('n', { n: n + 1 })
      }
      // A database may reject one of two conflicting transactions with an error that can be retried.
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => transaction(increment)))
      const done = results.filter(({ status }) => status === 'fulfilled').length
      if (done === 0) throw new ContractError('transactions that succeed', 'at least one', done)
      expectEqual('the counter', await store.get('n'), { n: done })
    },
  ),
}
