/**
 * @module
 * Masks personal data that a named-entity model finds.
 */
import { callback, checkGiven, text as string } from '@x/core/options'
import type { NodeWithScore, TextNode } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { MissingDependencyError, PiiParseError } from '../errors.ts'
import { NERPIINodePostprocessorModel } from '../generated/ner-pii-node-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { textWindows } from '../windows/text-windows.ts'
import { checkedTagName, type TagName } from './keyed-tags.ts'
import { type EntityRecognizer, entityFault, placeEntities } from './mask-entities.ts'
import { maskPlaces, type PlacedEntity } from './mask-places.ts'
import {
  assertReversible,
  type MaskedNodes,
  maskBeforeStoring,
  maskedNodes,
  withMasked,
  withObjects,
} from './masked-node.ts'
import { nodeSource } from './node-strings.ts'
import type { LabelledRow } from './patterns/labelled-text.ts'
import { labelledRows } from './patterns/list-items.ts'
import type { MaskedText } from './read-pii-answer.ts'

/** The overlap of two windows, longer than any name, so that no name is split. */
const windowOverlap = 100

/**
 * Replaces the named entities in each node by tags such as `[PER_5]`: in the text, in the keys and values of metadata for language or
 * embedding models, and in the metadata of relationships.
 * The mapping from tags to originals is stored in the metadata entry `piiNodeInfoKey`, hidden from language and embedding models
 * but not from stores. With `mappingSink` the node does not contain it. `unmask` restores the originals.
 * @example
 * const ner = (text: string) => (text.includes('Bob') ? [{ entity_group: 'PER', word: 'Bob' }] : [])
 * const mask = new NERPIINodePostprocessor({ ner })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Ask Bob.' }) })])
 * entry.text // => 'Ask [PER_4].'
 * unmask(entry.text, entry.metadata['__pii_node_info__'] as Record<string, unknown>) // => 'Ask Bob.'
 */
export class NERPIINodePostprocessor extends NERPIINodePostprocessorModel {
  /**
   * Returns the string with its entities replaced by tags, and the mapping from tags (with brackets) to originals.
   * @throws {PiiParseError} if the model does not return an array.
   * @throws {PiiMaskingError} if the mapping does not restore the string.
   */
  async maskPii(
    ner: EntityRecognizer,
    text: string,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<MaskedText> {
    checkGiven('maskPii', { ner }, callback)
    checkGiven('maskPii', { text }, string)
    const calls = new ModelCalls(this, { query: null, signal }, 1)
    const spans = [{ start: 0, text: 0 }]
    const places = await this.find(ner, text, calls)
    const masked = maskPlaces({ texts: [text], source: text, spans }, places, this.tagsOf(calls))
    assertReversible(calls.className, [text], masked)
    return { text: masked.texts[0]!, mapping: masked.mapping }
  }

  /**
   * Masks the nodes of an ingestion before they are stored, so that neither the store nor an index contains an original: put it behind the
   * parser in `transformations`. `mappingSink` receives the mapping of each node; keep it outside of the store.
   * @throws {ConfigurationError} if `mappingSink` is missing.
   */
  async transform(nodes: readonly TextNode[], options: { signal?: AbortSignal | undefined } = {}): Promise<TextNode[]> {
    return maskBeforeStoring(this, nodes, options, (run) => this.maskNodes(nodes, run, true))
  }

  /**
   * @throws {MissingDependencyError} if `ner` is missing.
   * @throws {PiiMaskingError} if a model would still receive an original, or the mapping does not restore the node.
   */
  protected override async process(entries: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const nodes = entries.map(({ node }) => node)
    return withMasked(entries, await this.maskNodes(nodes, run), run)
  }

  private async maskNodes(nodes: readonly TextNode[], run: PostprocessRun, isStored = false): Promise<MaskedNodes> {
    const { ner } = this
    if (!ner)
      throw new MissingDependencyError(
        NERPIINodePostprocessor.className(),
        'pass ner, a function that returns the entities of a string, such as findPatterns.',
      )
    const all = withObjects(nodes)
    const calls = new ModelCalls(this, run, all.length)
    const masked = await mapConcurrently(all, this.maxConcurrency, async (node) => {
      const searched = nodeSource(node, isStored)
      const { source, content } = searched
      const places = await this.find(ner, content, calls)
      if (source.length > content.length) {
        calls.expect(1)
        for (const { group, start, end } of await this.find(ner, source.slice(content.length), calls))
          places.push({ group, start: start + content.length, end: end + content.length })
      }
      return maskPlaces(searched, places, this.tagsOf(calls))
    })
    return maskedNodes(calls.className, all, masked, this, run.signal)
  }

  private tagsOf({ className }: ModelCalls): TagName | null {
    return checkedTagName(className, this.tagName)
  }

  /** Returns the entities that the model finds in a string, window by window. */
  private async find(ner: EntityRecognizer, text: string, calls: ModelCalls): Promise<PlacedEntity[]> {
    const windows =
      this.windowSize === null ? [{ start: 0, end: text.length, row: undefined }] : windowsOf(text, this.windowSize)
    calls.expect(windows.length - 1)
    const placed: PlacedEntity[] = []
    for (const { start, end, row } of windows) {
      const head = row ? text.slice(row.head.start, row.head.end) : ''
      const above = row ? head + row.below : ''
      const part = above + text.slice(start, end)
      const entities = await calls.run((options) => ner(part, options))
      // Reading this as "no entities" would leave the data unmasked.
      if (!Array.isArray(entities))
        throw new PiiParseError(calls.className, String(entities), 'is not an array of entities')
      const fault = entityFault(entities)
      if (fault) throw new PiiParseError(calls.className, String(entities), fault)
      for (const entity of placeEntities(part, entities)) {
        const isAbove = row !== undefined && entity.end <= head.length
        const offset = isAbove ? row.head.start : start - above.length
        if (isAbove || entity.start >= above.length)
          placed.push({ ...entity, start: entity.start + offset, end: entity.end + offset })
      }
    }
    return placed
  }
}

/**
 * Returns the windows of a string. One that begins in a table or in a list with a label begins with a row of it, and has its header or
 * label to be read before.
 */
function windowsOf(text: string, size: number): { start: number; end: number; row: LabelledRow | undefined }[] {
  if (text.length <= size) return [{ start: 0, end: text.length, row: undefined }]
  const half = Math.floor(size / 2)
  const lengthOf = ({ head, below }: LabelledRow) => head.end - head.start + below.length
  const rows = labelledRows
    .flatMap((rowsOf) => [...rowsOf(text)].filter((row) => lengthOf(row) <= half))
    .sort((a, b) => a.start - b.start)
  const longest = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 0)
  // Room for the header, and for the beginning of a row that the previous window contains too.
  const room = rows.length === 0 ? size : Math.max(half, size - longest - windowOverlap)
  const windows = textWindows(text, { size: room, overlap: windowOverlap })
  let next = 0
  return windows.map(({ start, end }) => {
    while (next < rows.length && rows[next]!.start <= start) next++
    const row = rows[next - 1]
    const isInside = row !== undefined && start <= (row.cells.at(-1)?.end ?? -1)
    if (!isInside || start - row.start + lengthOf(row) + end - start > size) return { start, end, row: undefined }
    return { start: row.start, end, row }
  })
}
