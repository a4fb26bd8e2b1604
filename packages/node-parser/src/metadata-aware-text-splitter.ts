/**
 * @module
 * The base class of splitters that leave room for the metadata of a document.
 */
import { checkGiven, list, text as string } from '@x/core/options'
import { type CallbackManager, ModelValidationError, type TextNode } from '@x/core-model'
import { mapInTurns } from '@x/core-model/async'
import { type Chunk, type ChunkLimits, fillChunks, type PieceEnds, refine, type Unit } from './chunk-text.ts'
import { nodesOfChunks } from './chunking.ts'
import { countTokens, tokenCounter } from './count-tokens.ts'
import { MetadataTooLongError } from './errors.ts'
import { MetadataAwareTextSplitterModel } from './generated/metadata-aware-text-splitter.ts'
import { isSpaceAt } from './markdown/characters.ts'
import type { NodeParser, ParseOptions } from './node-parser.ts'

/** The options that all splitters of this kind share. */
interface OverlapOptions {
  chunkSize: number
  chunkOverlap: number
}

/**
 * Checks that the overlap is not larger than a chunk.
 * @throws {ModelValidationError} if `chunkOverlap` is greater than `chunkSize`.
 */
export function checkOverlap(className: string, { chunkSize, chunkOverlap }: OverlapOptions): void {
  if (chunkOverlap <= chunkSize) return
  const message = `expected at most chunkSize (${chunkSize}), received ${chunkOverlap}`
  throw new ModelValidationError(className, [{ path: 'chunkOverlap', message, code: 'bound' }])
}

/**
 * The base class of `SentenceSplitter` and `TokenTextSplitter`. Chunks are exact slices of the text without white space at their ends, in
 * order, and contain every character that is not white space. A chunk has at most `chunkSize` tokens, including the metadata for
 * embedding or language models.
 */
export abstract class MetadataAwareTextSplitter extends MetadataAwareTextSplitterModel {
  /** The tokens reserved for the format of metadata. */
  protected get metadataFormatTokens(): number {
    return 0
  }

  /** Returns the ways to split text that is too large, the largest pieces first. */
  protected abstract levels(): readonly PieceEnds[]

  /** Returns the offsets across which no chunk extends; undefined without such limits. `chunkSize` is the room in a chunk. */
  protected breaksOf(_text: string, _chunkSize: number): ReadonlySet<number> | undefined {
    return undefined
  }

  /** Returns the chunks of a string, without room for metadata; an empty array if the string is blank. */
  splitText(text: string): string[] {
    checkGiven('splitText', { text }, string)
    return this.chunksOf(text, this.chunkSize).map(({ start, end }) => text.slice(start, end))
  }

  /** Returns the chunks of several strings, one after the other. */
  splitTexts(texts: readonly string[]): string[] {
    checkGiven('splitTexts', { texts }, list)
    return texts.flatMap((text) => this.splitText(text))
  }

  /**
   * Returns the chunks of a string, each with room for the metadata.
   * @throws {MetadataTooLongError} if the metadata leaves no room.
   */
  splitTextMetadataAware(text: string, metadataStr: string): string[] {
    checkGiven('splitTextMetadataAware', { text, metadataStr }, string)
    return this.chunksOf(text, this.roomBeside(metadataStr)).map(({ start, end }) => text.slice(start, end))
  }

  /** Returns the chunks of several strings, one after the other, each with room for the metadata of its string. */
  splitTextsMetadataAware(texts: readonly string[], metadataStrs: readonly string[]): string[] {
    checkGiven('splitTextsMetadataAware', { texts, metadataStrs }, list)
    return texts.flatMap((text, index) => this.splitTextMetadataAware(text, metadataStrs[index] ?? ''))
  }

  protected override async parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]> {
    const { parentId, signal } = options
    return mapInTurns(inputs, signal, (input) => {
      const size = this.includeMetadata ? this.roomBeside(longestMetadata(input)) : this.chunkSize
      return nodesOfChunks(this.chunksOf(input.text, size, parentId), input, { idFunc: this.idFunc })
    })
  }

  private roomBeside(metadata: string): number {
    const tokens = countTokens(metadata, this.tokenizer) + (metadata === '' ? 0 : this.metadataFormatTokens)
    if (tokens < this.chunkSize) return this.chunkSize - tokens
    throw new MetadataTooLongError((this.constructor as typeof NodeParser).className(), tokens, this.chunkSize)
  }

  private chunksOf(text: string, chunkSize: number, parentId?: string): Chunk[] {
    if (text.trim() === '') return []
    const manager = this.callbackManager as CallbackManager | null
    const event = manager?.startEvent('chunking', () => ({ chunks: [text] }), { parentId })
    const count = tokenCounter(text, 0, text.length, this.tokenizer)
    const breaks = this.breaksOf(text, chunkSize)
    const limits: ChunkLimits = {
      chunkSize,
      chunkOverlap: Math.min(this.chunkOverlap, chunkSize),
      count,
      ...(breaks && { breaks }),
    }
    const units: Unit[] = []
    if (count(0, text.length) <= chunkSize) units.push({ start: 0, end: text.trimEnd().length, isLead: false })
    else refine(text, 0, text.length, this.levels(), limits, units)
    const chunks = fillChunks(text, units, limits)
    for (const chunk of chunks) while (isSpaceAt(text, chunk.start)) chunk.start++
    event?.end({ chunks: chunks.map(({ start, end }) => text.slice(start, end)) })
    return chunks
  }
}

/** Returns the metadata for embedding models or for language models, whichever is longer. */
function longestMetadata(node: TextNode): string {
  const [embed, llm] = [node.getMetadataStr('embed'), node.getMetadataStr('llm')]
  return embed.length > llm.length ? embed : llm
}

/** Returns a function that finds pieces. Each piece except the first begins with a separator. */
export function separatedBy(separator: string): PieceEnds {
  return function* ends(part) {
    if (separator === '') return
    for (let at = part.indexOf(separator); at >= 0; at = part.indexOf(separator, at + separator.length)) yield at
  }
}
