import { expect, it } from 'vitest'
import * as docsMcp from './index.ts'

it('has these error codes', () => {
  const { DocsFolderError, DocsPathError, DocsStoreError } = docsMcp
  const errors = [DocsFolderError, DocsPathError, DocsStoreError].map((Class) => new Class('p', 'why'))
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toMatchInlineSnapshot(`
    [
      "DocsFolderError docs_folder",
      "DocsPathError docs_path",
      "DocsStoreError docs_store",
    ]
  `)
})
