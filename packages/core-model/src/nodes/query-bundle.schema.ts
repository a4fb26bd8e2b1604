import { nullable, plainRecord } from '@x/core/schemas'
import { Array as List, Number as Num, String as Text } from 'typebox'

export const QueryBundle = plainRecord('QueryBundle', 'A query, with the strings or the vector for the search.', {
  queryStr: Text({ description: 'The query.' }),
  imagePath: nullable(Text(), { description: 'Path of an image that belongs to the query.' }),
  customEmbeddingStrs: nullable(List(Text()), { description: 'Strings to embed instead of the query.' }),
  embedding: nullable(List(Num()), { description: 'The vector of the query, if it is known.' }),
})
