import type { EmbedOptions } from '@x/core-model'
import { UnexpectedCallError } from '@x/core-model/testing'
import { BaseEmbedding } from '../embedding/base-embedding.ts'
import type { BaseEmbeddingOptions } from '../generated/base-embedding.ts'

/** A vector, or an error to throw. */
type TableEntry = readonly number[] | Error

/** The options of {@link TableEmbedding}. */
export interface TableEmbeddingOptions extends BaseEmbeddingOptions {
  /** The vector of each string. */
  texts?: Readonly<Record<string, TableEntry>>
  /** The vector of each query. @defaultValue `texts` */
  queries?: Readonly<Record<string, TableEntry>>
}

/**
 * An embedding model for tests that looks vectors up in a table. Throws for a string that is not in the table.
 * @example
 * const embedding = new TableEmbedding({ texts: { cat: [1, 0] } })
 * await embedding.getTextEmbedding('cat') // => [1, 0]
 */
export class TableEmbedding extends BaseEmbedding {
  static override className(): string {
    return 'TableEmbedding'
  }

  /** The requests so far: `query`, `text`, `texts` or `queries`, and the strings that were sent. */
  readonly requests: (readonly ['query' | 'text', string] | readonly ['texts' | 'queries', readonly string[]])[] = []
  private readonly texts: ReadonlyMap<string, TableEntry>
  private readonly queries: ReadonlyMap<string, TableEntry>

  constructor({ texts = {}, queries = texts, ...options }: TableEmbeddingOptions = {}) {
    super(options)
    this.texts = new Map(Object.entries(texts))
    this.queries = new Map(Object.entries(queries))
  }

  protected override async queryRequest(query: string, { signal }: EmbedOptions): Promise<number[]> {
    signal?.throwIfAborted()
    this.requests.push(['query', query])
    return lookUp(this.queries, query)
  }

  protected override async textRequest(text: string, { signal }: EmbedOptions): Promise<number[]> {
    signal?.throwIfAborted()
    this.requests.push(['text', text])
    return lookUp(this.texts, text)
  }

  protected override async textsRequest(texts: readonly string[], { signal }: EmbedOptions): Promise<number[][]> {
    signal?.throwIfAborted()
    this.requests.push(['texts', texts])
    return texts.map((text) => lookUp(this.texts, text))
  }

  protected override async queriesRequest(queries: readonly string[], { signal }: EmbedOptions): Promise<number[][]> {
    signal?.throwIfAborted()
    this.requests.push(['queries', queries])
    return queries.map((query) => lookUp(this.queries, query))
  }
}

function lookUp(table: ReadonlyMap<string, TableEntry>, text: string): number[] {
  const entry = table.get(text)
  if (entry === undefined)
    throw new UnexpectedCallError(`TableEmbedding: the table contains no vector for ${JSON.stringify(text)}.`)
  if (entry instanceof Error) throw entry
  return [...entry]
}
