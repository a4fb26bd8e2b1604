/**
 * @module
 * Rerank services over HTTP: they receive a query with documents, and return the relevance of each.
 */
import {
  checkOption,
  checkOptions,
  choice,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import { addToList, wellFormed } from '@x/core/values'
import type { CrossEncoder } from '@x/core-model'
import { mapConcurrently, RetryPolicy, raceAbort, withDeadline } from '@x/core-model/async'
import { ModelServer, type ModelServerOptions, type ServerData, serverOptions } from '@x/llm/server'

/** The form of a service: its requests and answers. `cohere`, `jina` and `vllm` differ in their addresses. */
export type RerankForm = 'cohere' | 'jina' | 'voyage' | 'mixedbread' | 'vllm' | 'tei'

/** Options of {@link RerankService}. */
export interface RerankServiceOptions extends ModelServerOptions {
  /** The form of the service. Servers with another name that say "Cohere compatible" or "Jina compatible" have that form. */
  service: RerankForm
  /** The name of the model. TEI serves one model, and needs none. */
  modelName?: string | undefined
  /** The maximum number of documents in a request, at least 1. @defaultValue 32 for TEI, whose servers refuse more, otherwise 500 */
  batchSize?: number | undefined
  /** The maximum number of requests at the same time, at least 1. @defaultValue 4 */
  concurrency?: number | undefined
  /** How often a request is sent that fails with an error that may pass, at least 1. @defaultValue 3 */
  maxAttempts?: number | undefined
  /** The maximum wait before the first repetition, in milliseconds; it doubles with each. @defaultValue 500 */
  baseDelayMs?: number | undefined
  /** Time limit of a request, in milliseconds, at least 1; null for none. @defaultValue 120000 */
  timeoutMs?: number | null | undefined
  /** Further fields of every request, under the names of the service. */
  body?: Readonly<Record<string, unknown>> | undefined
}

interface Form {
  readonly baseUrl: string
  /** @defaultValue '/rerank' */
  readonly path?: string
  /** The name of the documents in a request. @defaultValue 'documents' */
  readonly documents?: string
  /** The name of the maximum number of results, of which some services have a low default. */
  readonly top?: string
  /** @defaultValue 500 */
  readonly batchSize?: number
  readonly body?: ServerData
}

const forms: Readonly<Record<RerankForm, Form>> = {
  cohere: { baseUrl: 'https://api.cohere.com/v2', top: 'top_n' },
  jina: { baseUrl: 'https://api.jina.ai/v1', top: 'top_n', body: { return_documents: false } },
  voyage: { baseUrl: 'https://api.voyageai.com/v1', top: 'top_k' },
  mixedbread: { baseUrl: 'https://api.mixedbread.com/v1', path: '/reranking', documents: 'input', top: 'top_k' },
  vllm: { baseUrl: 'http://localhost:8000/v1', top: 'top_n' },
  tei: { baseUrl: 'http://localhost:8080', documents: 'texts', batchSize: 32, body: { truncate: true } },
}

const modelName: OptionCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty'

const isPair = (pair: unknown) => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'

const listOfPairs: OptionCheck = (value) =>
  Array.isArray(value) && value.every(isPair) ? undefined : 'an array of pairs of a query and a text'

const options: OptionTable<RerankServiceOptions> = {
  ...serverOptions,
  service: required(choice(...Object.keys(forms))),
  modelName,
  batchSize: wholeNumber(1),
  concurrency: wholeNumber(1),
  maxAttempts: wholeNumber(1),
  baseDelayMs: milliseconds(),
  timeoutMs: milliseconds(1, 'or null'),
  body: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object'),
}

/**
 * A rerank service as the `crossEncoder` of `SentenceTransformerRerank`: Cohere, Jina, Voyage, Mixedbread, vLLM and Text Embeddings
 * Inference (TEI). Scores are read by the index that the service returns. Blank documents are not sent; their score is 0.
 * @throws {ModelValidationError} if an option is unknown or out of range, or the service needs a model.
 * @example
 * const service = new RerankService({ service: 'cohere', modelName: 'rerank-v4', apiKey: () => 'K-1234' })
 * JSON.stringify(service) // => '{"modelName":"rerank-v4"}'
 */
export class RerankService implements CrossEncoder {
  /** The name of the model; that of the service if it needs none. */
  readonly modelName: string
  readonly #server: ModelServer
  readonly #form: Form
  readonly #body: ServerData
  readonly #batchSize: number
  readonly #concurrency: number
  readonly #retries: RetryPolicy
  readonly #timeoutMs: number | null

  constructor(given: RerankServiceOptions) {
    checkOptions('RerankService', given, options)
    const { service, modelName: name, body, batchSize, concurrency = 4, timeoutMs = 120_000, ...others } = given
    const { maxAttempts, baseDelayMs, ...server } = others
    if (service !== 'tei') checkOption('RerankService', 'modelName', name, modelName)
    this.#form = forms[service]
    ;[this.#server] = ModelServer.of(server, { title: 'RerankService', baseUrl: this.#form.baseUrl })
    this.#body = { ...(name !== undefined && { model: name }), ...this.#form.body, ...body }
    this.#batchSize = batchSize ?? this.#form.batchSize ?? 500
    this.#concurrency = concurrency
    this.#retries = new RetryPolicy('RerankService', { maxAttempts, baseDelayMs })
    this.#timeoutMs = timeoutMs
    this.modelName = name ?? service
  }

  /**
   * Returns one score per pair of query and document, in the order of the pairs. Pairs with the same query share requests.
   * @throws {ModelValidationError} for values that are no pairs of strings.
   * @throws {ModelCallError} if a request fails or takes too long, or its answer lacks the score of a document. It contains no key.
   */
  async predict(
    pairs: readonly (readonly [query: string, text: string])[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<readonly number[]> {
    checkOption('RerankService.predict', 'pairs', pairs, listOfPairs)
    const scores = pairs.map(() => 0)
    const byQuery = new Map<string, number[]>()
    for (const [index, [query, text]] of pairs.entries()) {
      if (text.trim() !== '') addToList(byQuery, query, index)
    }
    const batches = [...byQuery].flatMap(([query, indexes]) =>
      Array.from({ length: Math.ceil(indexes.length / this.#batchSize) }, (_, at) => ({
        query,
        indexes: indexes.slice(at * this.#batchSize, (at + 1) * this.#batchSize),
      })),
    )
    await mapConcurrently(batches, this.#concurrency, async ({ query, indexes }) => {
      const { path = '/rerank', documents = 'documents', top } = this.#form
      const texts = indexes.map((index) => pairs[index]![1])
      const body = wellFormed({ ...this.#body, query, [documents]: texts, ...(top && { [top]: texts.length }) })
      const request = async () => this.#inTime(signal, (limited) => this.#server.list(path, body, { signal: limited }))
      const found = this.#read(await this.#retries.repeat(request, signal), indexes.length)
      for (const [at, index] of indexes.entries()) scores[index] = found[at]!
    })
    return scores
  }

  #inTime<T>(signal: AbortSignal | undefined, send: (limited: AbortSignal | undefined) => Promise<T>) {
    const milliseconds = this.#timeoutMs
    const error = () => this.#server.error(`no answer within ${milliseconds} ms`, 'timeout')
    return withDeadline({ milliseconds, signal, error }, async (limited) => raceAbort(send(limited), limited))
  }

  /** Returns the scores of an answer in the order of its documents. */
  #read(answer: ServerData | readonly unknown[], count: number): number[] {
    const items = Array.isArray(answer)
      ? answer
      : [(answer as ServerData)['results'], (answer as ServerData)['data']].find(Array.isArray)
    if (!items) throw this.#server.error('expected scores, received an answer without results', 'bad_response')
    const scores: number[] = []
    for (const item of items) {
      const { index, relevance_score: relevance, score = relevance } = Object(item)
      if (!Number.isInteger(index) || index < 0 || index >= count || scores[index] !== undefined)
        throw this.#server.error(`index ${index} is not one of ${count} documents, or occurs twice`, 'bad_response')
      if (!Number.isFinite(score))
        throw this.#server.error(`the score of document ${index} is not a number`, 'bad_response')
      scores[index] = score
    }
    for (let index = 0; index < count; index++)
      if (scores[index] === undefined)
        throw this.#server.error(`document ${index} of ${count} has no score`, 'bad_response')
    return scores
  }
}
