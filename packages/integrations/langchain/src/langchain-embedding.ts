import { required } from '@x/core/options'
import type { EmbedOptions } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { BaseEmbedding, type BaseEmbeddingOptions, checkModelOptions, modelCallErrorOf } from '@x/llm'
import { errorFacts } from './langchain-error.ts'
import type { LangChainEmbeddings } from './langchain-types.ts'

/** Options of {@link LangChainEmbedding}. */
interface LangChainEmbeddingOptions extends BaseEmbeddingOptions {
  /** An embedding model of LangChain. */
  model: LangChainEmbeddings
}

/**
 * An embedding model of LangChain as a model of `@x`. Embedding models of LangChain accept no signal: an abort rejects immediately,
 * and the result of the request is ignored.
 * @example
 * import { FakeEmbeddings } from '@langchain/core/utils/testing'
 *
 * const embedModel = new LangChainEmbedding({ model: new FakeEmbeddings() })
 * await embedModel.getTextEmbedding('a pear') // => [0.1, 0.2, 0.3, 0.4]
 */
export class LangChainEmbedding extends BaseEmbedding {
  static override className(): string {
    return 'LangChainEmbedding'
  }

  readonly model: LangChainEmbeddings

  constructor(options: LangChainEmbeddingOptions) {
    checkModelOptions(BaseEmbedding, 'LangChainEmbedding', options, {
      model: required('an embedding model of LangChain', 'embedQuery'),
    })
    const { model, ...fields } = options
    const name: unknown = Reflect.get(model, 'model') ?? Reflect.get(model, 'modelName')
    super({ ...(typeof name === 'string' && { modelName: name }), ...fields })
    this.model = model
  }

  protected override queryRequest(query: string, options: EmbedOptions): Promise<number[]> {
    return this.explained(options, () => this.model.embedQuery(query))
  }

  protected override async textRequest(text: string, options: EmbedOptions): Promise<number[]> {
    const [vector] = await this.textsRequest([text], options)
    return vector!
  }

  protected override textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.explained(options, () => this.model.embedDocuments([...texts]))
  }

  private async explained<T>({ signal }: EmbedOptions, work: () => Promise<T>): Promise<T> {
    try {
      return await untilAborted(signal, work)
    } catch (error) {
      signal?.throwIfAborted()
      throw modelCallErrorOf(this.modelName, error, errorFacts(this.model, error))
    }
  }
}
