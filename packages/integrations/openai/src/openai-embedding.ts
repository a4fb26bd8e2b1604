/**
 * @module
 * Embedding models behind the OpenAI interface.
 */

import { unchecked, wholeNumber } from '@x/core/options'
import type { EmbedOptions } from '@x/core-model'
import { BaseEmbedding, type BaseEmbeddingOptions, BatchEmbedding, checkModelOptions } from '@x/llm'
import { ModelServer, type ModelServerOptions, serverOptions } from '@x/llm/server'
import { OPENAI, otherNames, providerOf } from './openai-model.ts'
import { type Json, object } from './values.ts'

/** Options of {@link OpenAIEmbedding}. */
interface OpenAIEmbeddingOptions extends BaseEmbeddingOptions, ModelServerOptions {
  /** The name of the model on the server. */
  modelName: string
  /** The length of the vectors, for models that can shorten them. @defaultValue that of the model */
  dimensions?: number | undefined
  /** Further fields of every request, under the names of the server. */
  body?: Readonly<Record<string, unknown>> | undefined
}

/**
 * An embedding model behind the OpenAI interface (`POST /embeddings`).
 * @example
 * const embedding = new OpenAIEmbedding({ baseUrl: 'http://localhost:11434/v1', modelName: 'nomic-embed-text' })
 * embedding.modelName // => 'nomic-embed-text'
 */
export class OpenAIEmbedding extends BatchEmbedding {
  static override className(): string {
    return 'OpenAIEmbedding'
  }

  private readonly server: ModelServer
  private readonly settings: Json

  constructor(options: OpenAIEmbeddingOptions) {
    checkModelOptions(BaseEmbedding, 'OpenAIEmbedding', options, {
      ...otherNames,
      ...serverOptions,
      dimensions: wholeNumber(1),
      body: unchecked,
    })
    const [server, { dimensions, body, ...fields }] = ModelServer.of(options, {
      title: 'OpenAIEmbedding',
      baseUrl: OPENAI,
    })
    super(fields)
    this.server = server
    this.settings = { dimensions, ...body }
  }

  override get provider(): string {
    return providerOf(this.server)
  }

  override get endpoint() {
    return this.server.endpoint
  }

  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const body = { model: this.modelName, input: texts, encoding_format: 'float', ...this.settings }
    const { data, usage } = await this.server.json('/embeddings', body, options)
    const tokens = object(usage)?.['prompt_tokens']
    if (typeof tokens === 'number') options.onUsage?.(tokens)
    const items = Array.isArray(data) ? (data as Json[]) : []
    const vectors: number[][] = []
    for (const [position, item] of items.entries()) {
      const vector = item?.['embedding']
      const index = typeof item?.['index'] === 'number' ? item['index'] : position
      if (!Array.isArray(vector) || !vector.every(Number.isFinite))
        throw this.server.error(`embedding ${index} is not an array of numbers`, 'bad_response')
      vectors[index] = vector
    }
    for (let index = 0; index < texts.length; index++)
      if (!vectors[index]) throw this.server.error(`embedding ${index} of ${texts.length} is missing`, 'bad_response')
    return vectors
  }
}
