/**
 * @module
 * The base of embedding models that embed several strings in each request.
 */
import type { EmbedOptions } from '@x/core-model'
import { BaseEmbedding } from './base-embedding.ts'

/**
 * The base of embedding models that embed several strings in each request. A subclass has `textsRequest`; queries are embedded like texts,
 * unless it also has `queriesRequest`.
 * @example
 * class Lengths extends BatchEmbedding {
 *   protected async textsRequest(texts: readonly string[]) {
 *     return texts.map((text) => [text.length])
 *   }
 * }
 * await new Lengths().getQueryEmbedding('a pear') // => [6]
 */
export abstract class BatchEmbedding extends BaseEmbedding {
  protected abstract override textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>

  protected override queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.textsRequest(queries, options)
  }

  protected override async queryRequest(query: string, options: EmbedOptions): Promise<number[]> {
    const [vector] = await this.queriesRequest([query], options)
    return vector!
  }

  protected override async textRequest(text: string, options: EmbedOptions): Promise<number[]> {
    const [vector] = await this.textsRequest([text], options)
    return vector!
  }
}
