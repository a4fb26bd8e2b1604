import { type QueryBundleFields, type QueryBundleOptions, queryBundleSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'

export interface QueryBundle extends QueryBundleFields {}

/** A query, with the strings or the vector that it is searched by. */
export class QueryBundle extends Model {
  constructor(options: QueryBundleOptions) {
    super(options)
  }

  static override spec() {
    return queryBundleSpec
  }

  /** The strings to embed: the custom ones, else the query, else an empty array. */
  get embeddingStrs(): string[] {
    return this.customEmbeddingStrs ?? (this.queryStr === '' ? [] : [this.queryStr])
  }

  /** The query. */
  override toString(): string {
    return this.queryStr
  }
}
