import { expect, it } from 'vitest'
import * as storage from './index.ts'
import * as indexeddb from './indexeddb.ts'
import * as node from './node.ts'
import * as testing from './testing.ts'

it('exports these names', () => {
  expect(Object.keys(storage).sort()).toMatchInlineSnapshot(`
    [
      "BaseDocumentStore",
      "InMemoryKeyValueStore",
      "KVDocumentStore",
      "NodeExistsError",
      "NodeRecords",
      "RefDocNotFoundError",
      "SimpleDocumentStore",
      "StoreChangedError",
      "StoreReadError",
      "StoreTooLargeError",
    ]
  `)
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "FileChatStore",
      "FileTaskStore",
      "SimpleDocumentStore",
    ]
  `)
  expect(Object.keys(indexeddb).sort()).toEqual(['IndexedDBDocumentStore', 'IndexedDBKeyValueStore'])
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "ContractError",
      "chatStoreChecks",
      "documentStoreChecks",
      "keyValueStoreChecks",
    ]
  `)
})

it('has these error codes', () => {
  const { NodeExistsError, RefDocNotFoundError, StoreChangedError, StoreReadError, StoreTooLargeError } = storage
  const errors = [
    new NodeExistsError('n'),
    new RefDocNotFoundError('d'),
    new StoreChangedError('p', true),
    new StoreReadError('p', 'why'),
    new StoreTooLargeError('p', 1),
    new testing.ContractError('w', 1, 2),
  ]
  expect(Object.fromEntries(errors.map(({ name, code }) => [name, code]))).toMatchInlineSnapshot(`
    {
      "ContractError": "contract",
      "NodeExistsError": "node_exists",
      "RefDocNotFoundError": "ref_doc_not_found",
      "StoreChangedError": "store_changed",
      "StoreReadError": "store_read",
      "StoreTooLargeError": "store_too_large",
    }
  `)
})
