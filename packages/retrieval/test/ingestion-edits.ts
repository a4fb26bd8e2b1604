/**
 * The property of every store and every index that an ingestion writes: after any edits they equal those of a fresh ingestion, and exactly
 * the changed texts were embedded. The tests of the stores run it.
 */
import { isDeepStrictEqual } from 'node:util'
import { Document, type NodeWithScore, type TextNode } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { type IngestionIndex, IngestionPipeline, type IngestionStore, type IngestionTarget } from '@x/retrieval'

/** What a pipeline writes to. */
export interface EditedTarget {
  store: Omit<IngestionStore, 'getRefDocInfo'> & {
    docs(): Promise<Record<string, TextNode>>
    getRefDocInfo(
      id: string,
    ): Promise<{ nodeIds: readonly string[]; metadata: Readonly<Record<string, unknown>> } | null>
  }
  indexes: readonly (IngestionIndex & { retrieve(query: string): Promise<NodeWithScore[]> })[]
  transaction?: <T>(work: (inside: IngestionTarget) => Promise<T>) => Promise<T>
}

/** Counts the texts that it embeds. */
export class CountingEmbedding {
  texts = 0
  async getQueryEmbedding() {
    return [1, 1]
  }
  async getTextEmbedding(text: string) {
    return [text.length, 1]
  }
  async getTextEmbeddingBatch(texts: readonly string[]) {
    this.texts += texts.length
    return Promise.all(texts.map((text) => this.getTextEmbedding(text)))
  }
}

/** The options of {@link runEdits}. */
export interface EditOptions {
  /** Opens the target before each ingestion; a store that saves its state may be opened again each time. */
  open: () => Promise<EditedTarget>
  embedModel: CountingEmbedding
  edits: number
  seed?: number
  lineNumbers?: boolean
  /** Whether the pipeline embeds the nodes, and not the index. @defaultValue true */
  embeds?: boolean
  /** Called after each ingestion, to save the state. */
  close?: (target: EditedTarget) => Promise<void>
}

/** Metadata keys of the document, each of which some versions do not have. */
const KEYS = ['a', 'b', 'c']

/** Edits a document, ingests it after each edit, and returns the differences from a fresh ingestion. None is expected. */
export async function runEdits({ open, embedModel, edits, seed = 3, ...options }: EditOptions): Promise<string[]> {
  const { lineNumbers = false, embeds = true, close } = options
  const random = sequence(seed)
  const parser = () => new MarkdownNodeParser({ idFunc: fromContent(), lineNumbers })
  const parts = Array.from({ length: 8 }, (_, i) => `# S${i}\n\ntext ${i}`)
  const differences: string[] = []
  let seen = new Set<string>()
  for (let edit = 0; edit <= edits; edit++) {
    if (edit > 0) change(parts, random, edit)
    const document = new Document({
      id: 'd',
      text: parts.join('\n\n'),
      metadata: { [KEYS[edit % KEYS.length]!]: edit },
      excludedEmbedMetadataKeys: KEYS,
    })
    const target = await open()
    embedModel.texts = 0
    const pipeline = new IngestionPipeline({
      transformations: [parser()],
      ...target,
      ...(embeds && { embedModel }),
    })
    await pipeline.run([document])
    const needed = parts.filter((part) => !seen.has(part)).length
    if (embedModel.texts !== needed) differences.push(`edit ${edit}: embedded ${embedModel.texts} texts, not ${needed}`)
    seen = new Set(parts)
    const nodes = await parser().getNodesFromDocuments([document])
    const fresh = nodes.map(view).sort()
    const stored = Object.values(await target.store.docs())
    const places: [string, readonly TextNode[]][] = [['store', stored]]
    for (const index of target.indexes)
      places.push([index.constructor.name, (await index.retrieve('text')).map(({ node }) => node)])
    for (const [name, nodes] of places)
      if (nodes.map(view).sort().join('\n') !== fresh.join('\n')) differences.push(`edit ${edit}: ${name}`)
    const merged = Object.assign({}, ...nodes.map(({ metadata }) => metadata))
    const source = await target.store.getRefDocInfo('d')
    if (!isDeepStrictEqual(source?.metadata, merged)) differences.push(`edit ${edit}: metadata of the source`)
    if (source?.nodeIds.join() !== nodes.map(({ id }) => id).join())
      differences.push(`edit ${edit}: order of the nodes`)
    for (const node of embeds ? stored : [])
      if (node.embedding?.[0] !== node.getContent('embed').length)
        differences.push(`edit ${edit}: vector of ${node.id}`)
    await close?.(target)
  }
  return differences
}

/**
 * Runs over documents of which one is missing, and ingests another one by a second target meanwhile. Returns what the first run did, how
 * often it read the list of the store, and the ids of the documents that the store and each index contain after it.
 */
export async function runTwo(first: EditedTarget, second: EditedTarget) {
  const documents = Object.fromEntries(
    ['kept', 'slow', 'gone', 'new'].map((id) => [id, new Document({ id, text: `# Text\n\ntext of ${id}` })]),
  )
  const empty = new Document({ id: 'empty', text: '' })
  const pick = (...ids: string[]) => ids.map((id) => documents[id]!)
  const parser = new MarkdownNodeParser({ idFunc: fromContent() })
  await new IngestionPipeline({ transformations: [parser], ...first }).run([...pick('kept', 'gone'), empty])
  const meanwhile = new IngestionPipeline({ transformations: [parser], ...second })
  const transform = async (nodes: readonly TextNode[]) => {
    await meanwhile.run(pick('kept', 'new'))
    return parser.transform(nodes)
  }
  let lists = 0
  const store = Object.assign(Object.create(first.store), {
    getAllRefDocInfo: () => ++lists && first.store.getAllRefDocInfo(),
  })
  const slow = new IngestionPipeline({ ...first, store, transformations: [{ transform }] })
  const counts = await slow.run(pick('kept', 'slow'), { removeMissing: (id) => id !== 'empty' })
  const found: readonly TextNode[][] = await Promise.all([
    first.store.docs().then((nodes) => Object.values(nodes)),
    ...first.indexes.map(async (index) => (await index.retrieve('text')).map(({ node }) => node)),
  ])
  return { counts, lists, ids: found.map((nodes) => nodes.map(({ refDocId }) => refDocId).sort()) }
}

function change(parts: string[], random: () => number, edit: number): void {
  const at = Math.floor(random() * parts.length)
  const kind = Math.floor(random() * 4)
  if (kind === 0) parts.splice(at, 0, `# N${edit}\n\nnew text ${edit}`)
  else if (kind === 1 && parts.length > 2) parts.splice(at, 1)
  else if (kind === 2) parts[at] += ' more'
  else parts.push(...parts.splice(at, 1))
}

const view = (node: TextNode) => JSON.stringify({ ...node.toDict(), embedding: null })

function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}
