import { type QueryBundleFields, type QueryBundleOptions, queryBundleSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'

export interface QueryBundle extends QueryBundleFields {}

/** A query with what it is embedded by. */
export class QueryBundle extends Model {
  constructor(options: QueryBundleOptions) {
    super(options)
  }

  static override spec() {
    return queryBundleSpec
  }

  /** The texts to embed: the custom ones when given, else the query, else none. */
  get embeddingStrs(): string[] {
    return this.customEmbeddingStrs ?? (this.queryStr === '' ? [] : [this.queryStr])
  }

  /** The query. */
  override toString(): string {
    return this.queryStr
  }
}
