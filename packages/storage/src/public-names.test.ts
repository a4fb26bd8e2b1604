import { expect, it } from 'vitest'
import * as storage from './index.ts'
import * as node from './node.ts'

it('exports these names', () => {
  expect(Object.keys(storage).sort()).toMatchInlineSnapshot(`
    [
      "InMemoryKeyValueStore",
      "KVDocumentStore",
      "NodeExistsError",
      "RefDocNotFoundError",
      "SimpleDocumentStore",
      "StoreReadError",
    ]
  `)
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "FileChatStore",
      "FileTaskStore",
      "SimpleDocumentStore",
    ]
  `)
})

it('has these error codes', () => {
  const { NodeExistsError, RefDocNotFoundError, StoreReadError } = storage
  const errors = [new NodeExistsError('n'), new RefDocNotFoundError('d'), new StoreReadError('p', 'why')]
  expect(Object.fromEntries(errors.map(({ name, code }) => [name, code]))).toMatchInlineSnapshot(`
    {
      "NodeExistsError": "node_exists",
      "RefDocNotFoundError": "ref_doc_not_found",
      "StoreReadError": "store_read",
    }
  `)
})
