import { expect, it } from 'vitest'
import * as storage from './index.ts'
import * as node from './node.ts'

it('exports these names', () => {
  expect(Object.keys(storage).sort()).toMatchInlineSnapshot(`
    [
      "ChatStoreError",
      "InMemoryKeyValueStore",
      "KVDocumentStore",
      "NodeExistsError",
      "RefDocNotFoundError",
      "SimpleChatStore",
      "SimpleDocumentStore",
      "StoreReadError",
    ]
  `)
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "SimpleChatStore",
      "SimpleDocumentStore",
    ]
  `)
})

it('has these error codes', () => {
  const { ChatStoreError, NodeExistsError, RefDocNotFoundError, StoreReadError } = storage
  const errors = [
    new ChatStoreError('x'),
    new NodeExistsError('n'),
    new RefDocNotFoundError('d'),
    new StoreReadError('p', 'why'),
  ]
  expect(Object.fromEntries(errors.map(({ name, code }) => [name, code]))).toMatchInlineSnapshot(`
    {
      "ChatStoreError": "chat_store",
      "NodeExistsError": "node_exists",
      "RefDocNotFoundError": "ref_doc_not_found",
      "StoreReadError": "store_read",
    }
  `)
})
