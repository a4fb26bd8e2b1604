import { expect, it } from 'vitest'
import * as retrieval from './index.ts'

it('exports these names', () => {
  expect(Object.keys(retrieval).sort().join(' ')).toMatchInlineSnapshot(
    `"Bm25Index Bm25Retriever ObjectIndex ObjectRetriever Retriever ToolNodeMapping VectorIndex VectorRetriever englishStopWords frenchStopWords germanStopWords spanishStopWords tokenizeWords wordTokenizer"`,
  )
})
