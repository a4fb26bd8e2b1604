import { expect, it } from 'vitest'
import * as storage from './index.ts'
import * as testing from './testing.ts'

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
