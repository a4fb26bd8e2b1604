/**
 * @module
 * Splits text where its subject changes.
 */
import { EmbeddingDimensionError, type EmbeddingModel, similarity, type TextNode } from '@x/core-model'
import { mapInTurns, untilAborted } from '@x/core-model/async'
import { CHARACTERS, type Chunk, type ChunkLimits, piecesOf, refine, type Unit } from './chunk-text.ts'
import { nodesOfChunks } from './chunking.ts'
import { tokenCounter } from './count-tokens.ts'
import { SemanticSplitterNodeParserModel } from './generated/semantic-splitter-node-parser.ts'
import type { ParseOptions } from './node-parser.ts'
import { sentences } from './sentence-splitter.ts'

/**
 * Splits text between sentences where its subject changes: where the embeddings of adjacent sentences, each with its neighbours, are
 * further apart than the others. Nodes are exact slices with offsets. The sentences of a document are embedded with one request.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * import { TableEmbedding } from '@x/llm/testing'
 * const texts = { 'Cats purr.': [1, 0], 'Cats sleep.': [1, 0.1], 'Rust compiles.': [0, 1] }
 * const embedModel = new TableEmbedding({ texts })
 * const parser = new SemanticSplitterNodeParser({ embedModel, bufferSize: 0, breakpointPercentileThreshold: 50 })
 * const nodes = await parser.getNodesFromDocuments([new Document({ text: 'Cats purr. Cats sleep. Rust compiles.' })])
 * nodes.map(({ text }) => text) // => ['Cats purr. Cats sleep.', 'Rust compiles.']
 */
export class SemanticSplitterNodeParser extends SemanticSplitterNodeParserModel {
  protected override async parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]> {
    return mapInTurns(inputs, options.signal, async (input) =>
      nodesOfChunks(await this.chunksOf(input.text, options), input, { idFunc: this.idFunc }),
    )
  }

  private async chunksOf(text: string, options: ParseOptions): Promise<Chunk[]> {
    const { chunkSize, tokenizer } = this
    const limits: ChunkLimits = {
      chunkSize: chunkSize ?? Number.POSITIVE_INFINITY,
      chunkOverlap: 0,
      count: chunkSize === null ? () => 0 : tokenCounter(text, 0, text.length, tokenizer),
    }
    const units = this.unitsOf(text, limits)
    const distances = await this.distancesOf(text, units, options)
    const limit = percentile(distances, this.breakpointPercentileThreshold)
    const chunks: Chunk[] = []
    let first = 0
    for (let index = 0; index < units.length; index++) {
      if (index + 1 < units.length && (distances[index] as number) <= limit) continue
      for (const [from, to] of fitting(units, distances, first, index, limits))
        chunks.push({ start: (units[from] as Unit).start, end: (units[to] as Unit).end })
      first = index + 1
    }
    return chunks
  }

  /** Returns the sentences; those larger than a chunk are cut. */
  private unitsOf(text: string, limits: ChunkLimits): Unit[] {
    const { sentenceSplitter } = this
    const units: Unit[] = []
    const levels = [sentences('SemanticSplitterNodeParser', sentenceSplitter), piecesOf(/\s+/g), piecesOf(CHARACTERS)]
    refine(text, 0, text.length, levels, limits, units)
    return units
  }

  /** Returns the distance of each sentence to the next one: 1 minus the cosine of their embeddings. */
  private async distancesOf(
    text: string,
    units: readonly Unit[],
    { signal, parentId }: ParseOptions,
  ): Promise<number[]> {
    if (units.length < 2) return []
    const { bufferSize } = this
    const windows = units.map((_, index) => {
      const from = units[Math.max(0, index - bufferSize)] as Unit
      const to = units[Math.min(units.length - 1, index + bufferSize)] as Unit
      return text.slice(from.start, to.end)
    })
    const model = this.embedModel as EmbeddingModel
    const vectors = await untilAborted(signal, () => model.getTextEmbeddingBatch(windows, { signal, parentId }))
    if (vectors.length !== windows.length)
      throw new EmbeddingDimensionError('SemanticSplitterNodeParser: number of vectors', windows.length, vectors.length)
    return vectors.slice(1).map((vector, index) => 1 - similarity(vectors[index] as number[], vector))
  }
}

/** Returns ranges of units from `first` to `last` that fit, split at the largest distances. */
function fitting(
  units: readonly Unit[],
  distances: readonly number[],
  first: number,
  last: number,
  { chunkSize, count }: ChunkLimits,
): [from: number, to: number][] {
  const ranges: [number, number][] = []
  const rest: [number, number][] = [[first, last]]
  for (let range = rest.pop(); range !== undefined; range = rest.pop()) {
    const [from, to] = range
    if (from === to || count((units[from] as Unit).start, (units[to] as Unit).end) <= chunkSize) {
      ranges.push(range)
      continue
    }
    const middle = (from + to - 1) / 2
    let best = from
    for (let index = from; index < to; index++) {
      const more = (distances[index] as number) - (distances[best] as number)
      // Of equal distances, the one in the middle.
      if (more > 0 || (more === 0 && Math.abs(index - middle) < Math.abs(best - middle))) best = index
    }
    rest.push([best + 1, to], [from, best])
  }
  return ranges
}

/** Returns the value that a percentage of the values does not exceed, between two values by interpolation. */
function percentile(values: readonly number[], percentage: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const rank = ((sorted.length - 1) * percentage) / 100
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0]
  return low + (high - low) * (rank - Math.floor(rank))
}
