import { expect, it } from 'vitest'
import * as retrieval from './index.ts'
import * as tables from './tables.ts'

it('exports these names', () => {
  expect(Object.keys(retrieval).sort().join(' ')).toMatchInlineSnapshot(
    `"Bm25Index Bm25Retriever HybridRetriever IndexNodeFollower IndexTargetNotFoundError IngestionPipeline ObjectIndex ObjectRetriever RecursiveRetriever Retriever ToolNodeMapping VectorIndex VectorRetriever englishStopWords filterOperators frenchStopWords germanStopWords nodeFilter searchableText spanishStopWords tokenizeWords wordTokenizer"`,
  )
  expect(Object.keys(tables).sort().join(' ')).toMatchInlineSnapshot(
    `"bestRows comparable findColumn findPhrase findRows formatAmount foundRow headingOf isTableNode lookUpTable placeOf placeText plainText readPlace readQuantity readTable tableLookupProperties"`,
  )
})
