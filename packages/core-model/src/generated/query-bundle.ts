// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core'

/** The fields of {@link QueryBundle}. */
export interface QueryBundleFields {
  /** The query. */
  queryStr: string
  /** Path of an image that belongs to the query. @defaultValue null */
  imagePath: string | null
  /** Strings to embed instead of the query. @defaultValue null */
  customEmbeddingStrs: string[] | null
  /** The vector of the query, if it is known. @defaultValue null */
  embedding: number[] | null
}

/** Constructor options of {@link QueryBundle}. */
export interface QueryBundleOptions {
  /** The query. */
  queryStr: string
  /** Path of an image that belongs to the query. @defaultValue null */
  imagePath?: string | null | undefined
  /** Strings to embed instead of the query. @defaultValue null */
  customEmbeddingStrs?: readonly string[] | null | undefined
  /** The vector of the query, if it is known. @defaultValue null */
  embedding?: readonly number[] | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: QueryBundleOptions)
}
interface Declared extends QueryBundleFields {}

/** The typed base class of {@link QueryBundle}. */
export const QueryBundleModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'QueryBundle',
  description: 'A query, with the strings or the vector for the search.',
  className: 'QueryBundle',
  record: true,
  fields: {
    queryStr: { schema: { type: 'string', description: 'The query.' }, required: true },
    imagePath: { schema: { type: ['string', 'null'], description: 'Path of an image that belongs to the query.' } },
    customEmbeddingStrs: { schema: { items: { type: 'string' }, type: ['array', 'null'], description: 'Strings to embed instead of the query.' } },
    embedding: { schema: { items: { type: 'number' }, type: ['array', 'null'], description: 'The vector of the query, if it is known.' } },
  },
})
