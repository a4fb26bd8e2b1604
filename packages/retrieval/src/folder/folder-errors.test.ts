import { expect, it } from 'vitest'
import * as entry from './folder-errors.ts'

it('has these error codes', () => {
  const { DocsFolderError, DocsPathError } = entry
  const errors = [DocsFolderError, DocsPathError].map((Class) => new Class('p', 'why'))
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toMatchInlineSnapshot(`
    [
      "DocsFolderError docs_folder",
      "DocsPathError docs_path",
    ]
  `)
})
