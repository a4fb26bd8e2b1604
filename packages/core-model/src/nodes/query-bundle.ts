import { QueryBundleModel } from '../generated/query-bundle.ts'

/** A query, with the strings or the vector for the search. */
export class QueryBundle extends QueryBundleModel {
  /** The strings to embed: the custom ones, else the query, else an empty array. */
  get embeddingStrs(): string[] {
    return this.customEmbeddingStrs ?? (this.queryStr === '' ? [] : [this.queryStr])
  }

  /** The query. */
  override toString(): string {
    return this.queryStr
  }
}
