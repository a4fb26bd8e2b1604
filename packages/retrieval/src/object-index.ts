/**
 * @module
 * An index that finds objects, such as tools, by the embeddings of their descriptions.
 */

import { checkNames, checkOption, checkOptions, list, required, wholeNumber } from '@x/core/options'
import {
  DefinedComponent,
  type EmbeddingModel,
  isInstance,
  type ObjectRetriever,
  QueryBundle,
  type QueryComponent,
  TextNode,
  type ToolLike,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { checkVectors } from './embed-nodes.ts'
import { type CancelOptions, cancelOptions } from './retriever.ts'
import { VectorIndex } from './vector-index.ts'

/** Maps objects to the nodes that are embedded for them. */
export interface ObjectNodeMapping<T> {
  /** Returns the key of an object. A second object with the same key replaces the first. */
  key(object: T): string
  /** Returns the node whose content is embedded and searched. */
  toNode(object: T): TextNode
}

/** Maps tools to nodes: the key is the name of the tool; its name, description and schema are searched. */
export class ToolNodeMapping<T extends ToolLike = ToolLike> implements ObjectNodeMapping<T> {
  key({ metadata }: T): string {
    return metadata.getName()
  }

  toNode({ metadata }: T): TextNode {
    const name = metadata.getName()
    const schema = metadata.fnSchema ? `Tool schema: ${metadata.fnSchemaStr}\n` : ''
    return new TextNode({
      id: name,
      text: `Tool name: ${name}\nTool description: ${metadata.description}\n${schema}`,
      metadata: { name },
      excludedEmbedMetadataKeys: ['name'],
      excludedLlmMetadataKeys: ['name'],
    })
  }
}

/** The options of {@link ObjectIndex}. */
interface ObjectIndexOptions {
  embedModel: EmbeddingModel
}

const objectIndexOptions = { embedModel: required('an embedding model', 'getTextEmbeddingBatch') }
const objectMapping = required('a mapping', 'key', 'toNode')

/**
 * Finds objects by the embeddings of their descriptions.
 * @example
 * const mapping = { key: (color: string) => color, toNode: (text: string) => new TextNode({ text }) }
 * const embedModel = new TableEmbedding({ texts: { red: [1, 0], blue: [0, 1] }, queries: { sky: [0.1, 1] } })
 * const index = await ObjectIndex.fromObjects(['red', 'blue'], mapping, { embedModel })
 * await index.asRetriever({ similarityTopK: 1 }).retrieve('sky') // => ['blue']
 */
export class ObjectIndex<T> {
  private readonly mapping: ObjectNodeMapping<T>
  private readonly embedModel: EmbeddingModel
  private readonly vectors = new VectorIndex()
  private readonly objects: T[] = []
  private readonly places = new Map<string, number>()

  /** @throws {ModelValidationError} if `mapping` is no mapping, or an option is unknown, invalid or missing. */
  constructor(mapping: ObjectNodeMapping<T>, options: ObjectIndexOptions) {
    checkOption('ObjectIndex', 'mapping', mapping, objectMapping)
    checkOptions('ObjectIndex', options, objectIndexOptions)
    this.mapping = mapping
    this.embedModel = options.embedModel
  }

  /** Creates an index and embeds all objects in one batch. */
  static async fromObjects<T>(
    objects: readonly T[],
    mapping: ObjectNodeMapping<T>,
    options: ObjectIndexOptions & CancelOptions,
  ): Promise<ObjectIndex<T>> {
    const { signal, ...own } = options ?? {}
    const index = new ObjectIndex(mapping, own)
    checkOption('ObjectIndex', 'objects', objects, required(list))
    checkOptions('ObjectIndex', { signal }, cancelOptions)
    const contents = objects.map((object) => mapping.toNode(object).getContent('embed'))
    const vectors = contents.length > 0 ? await own.embedModel.getTextEmbeddingBatch(contents, { signal }) : []
    checkVectors(vectors, contents.length)
    objects.forEach((object, i) => {
      index.put(object, vectors[i]!)
    })
    return index
  }

  /** Adds an object, or replaces the object with the same key. */
  async insertObject(object: T, options: CancelOptions = {}): Promise<void> {
    checkOptions('ObjectIndex.insertObject', options, cancelOptions)
    const text = this.mapping.toNode(object).getContent('embed')
    const vectors = await this.embedModel.getTextEmbeddingBatch([text], { signal: options.signal })
    checkVectors(vectors, 1)
    this.put(object, vectors[0]!)
  }

  /**
   * Returns a retriever over these objects.
   * @param options.similarityTopK - the maximum number of objects returned, an integer of at least 0; default 2
   * @throws {ModelValidationError} if `similarityTopK` is out of range.
   */
  asRetriever(options: { similarityTopK?: number } = {}): IndexObjectRetriever<T> {
    checkOptions('ObjectIndex.asRetriever', options, { similarityTopK: wholeNumber(0) })
    const similarityTopK = options.similarityTopK ?? 2
    return new IndexObjectRetriever(async (query, { signal }) => {
      const vector = await this.embedModel.getQueryEmbedding(query, { signal })
      return this.vectors.search(vector, similarityTopK).map(({ index }) => this.objects[index]!)
    })
  }

  private put(object: T, vector: readonly number[]): void {
    const key = this.mapping.key(object)
    const place = this.places.get(key)
    if (place === undefined) {
      this.places.set(key, this.vectors.add(vector))
      this.objects.push(object)
    } else {
      this.vectors.replace(place, vector)
      this.objects[place] = object
    }
  }
}

/** Returns the objects that match a query. */
export class IndexObjectRetriever<T> implements ObjectRetriever<T> {
  private readonly find: (query: string, options: CancelOptions) => Promise<T[]>

  constructor(find: (query: string, options: CancelOptions) => Promise<T[]>) {
    this.find = find
  }

  /** Returns the matching objects, best first. */
  retrieve(query: string | QueryBundle, options: CancelOptions = {}): Promise<T[]> {
    return this.find(isInstance(query, QueryBundle) ? query.queryStr : query, options)
  }

  /** Returns a query pipeline component: its input is `input`, its output is `output`, an array of objects. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial'])
    return new DefinedComponent({
      name: 'Object retriever component',
      inputKeys: () => ({ required: ['input'], optional: [] }),
      outputKeys: ['output'],
      partial: options.partial,
      run: async ({ input }, { signal }) => ({
        output: await this.retrieve(await inputTextOrStream(input, 'input'), { signal }),
      }),
    })
  }
}
