/**
 * @module
 * The base class of parsers that find tables: it creates summaries, index nodes for the summaries, and nodes for the tables.
 */
import { checkGiven, having } from '@x/core/options'
import { type BaseLLM, Document, ImageNode, IndexNode, TextNode } from '@x/core-model'
import { mapConcurrently, mapInTurns, untilAborted } from '@x/core-model/async'
import { displaySettings, idMaker, LINE_KEYS } from '../build-nodes.ts'
import { checkLimits, hideLineNumbers, splitRange } from '../chunking.ts'
import { countTokens } from '../count-tokens.ts'
import { DanglingIndexNodeError, MetadataTooLongError, MissingModelError, MissingTableOutputError } from '../errors.ts'
import { BaseElementNodeParserModel, type BaseElementNodeParserOptions } from '../generated/base-element-node-parser.ts'
import { InputText, isLaterPart, metadataWith, setContext } from '../input-text.ts'
import { checkParse, type NodeParser, nodeList, type ParseOptions } from '../node-parser.ts'
import {
  type Element,
  isRejected,
  isTable,
  rejectedAsText,
  runsOf,
  type TableCandidate,
  type TableFilter,
} from './element.ts'
import { type ExtractOptions, isFullTable, sourceOfElements } from './extract-elements.ts'
import {
  checkedOutput,
  summarizeByHeaders,
  summarizeByModel,
  summarizeOnce,
  type TableContext,
  type TableSummarizer,
  tableContext,
} from './summarize-table.ts'
import type { TableOutput } from './table-output.ts'
import { startWithin, tableParts } from './table-parts.ts'
import { columnSchema, describeTable } from './table-text.ts'

/** The options of element parsers. */
export type ElementNodeParserOptions = Omit<BaseElementNodeParserOptions, 'summarizer'> & {
  /** How tables are summarized: by the model, from the caption or heading and the header cells, or by a function. @defaultValue 'llm' */
  summarizer?: 'llm' | 'headers' | TableSummarizer | undefined
}

/** The nodes to index, and the index nodes with their tables. */
export interface NodesAndObjects {
  /** The nodes that are neither index nodes nor the tables that index nodes refer to, in order. */
  nodes: TextNode[]
  /** Copies of the index nodes, each with its table node as `obj`. Index nodes of rows refer to the index node of their table instead. */
  objects: IndexNode[]
}

/**
 * The base class of element parsers. A subclass implements `extractElements`.
 * Each table becomes two adjacent nodes: an index node with its summary, for retrieval, and a text node with the table.
 */
export abstract class BaseElementNodeParser extends BaseElementNodeParserModel {
  constructor(options: ElementNodeParserOptions = {}) {
    const { summarizer, ...rest } = options ?? {}
    const { chunkSize, chunkOverlap } = rest
    super({
      ...rest,
      ...(typeof summarizer === 'function'
        ? { tableSummarizer: summarizer }
        : summarizer !== undefined && { summarizer }),
      // The default overlap of small chunks is a fifth of their size.
      ...(chunkOverlap === undefined &&
        typeof chunkSize === 'number' &&
        chunkSize <= 200 && { chunkOverlap: Math.floor(chunkSize / 5) }),
    } as object)
    checkLimits((this.constructor as typeof NodeParser).className(), this)
  }

  /** Returns the elements of a document, in order. Needs no model. */
  abstract extractElements(
    text: string,
    options?: Pick<ExtractOptions, 'nodeId' | 'tableFilters' | 'isLater'>,
  ): Element[]

  /** The default table filter: whether a table has at least two columns and one body row. Never throws. */
  filterTable(tableElement: TableCandidate): boolean {
    return isFullTable(tableElement)
  }

  /** Returns the elements that are tables, well-formed or not. */
  getTableElements(elements: readonly Element[]): Element[] {
    return elements.filter(isTable)
  }

  /** Returns the elements that are not well-formed tables. */
  getTextElements(elements: readonly Element[]): Element[] {
    return elements.filter(({ type }) => type !== 'table')
  }

  /**
   * Summarizes the tables without a summary and sets `tableOutput` on the elements, so that a call after a failed one continues where
   * that one stopped. At most `numWorkers` tables are summarized at the same time. With `onError: 'throw'` errors of the model are
   * thrown unchanged, and no further table is started.
   * @throws {MissingModelError} before any call, if a table needs a model and no model is configured.
   */
  async extractTableSummaries(elements: readonly Element[], options: ParseOptions = {}): Promise<void> {
    checkParse('extractTableSummaries', options)
    await this.summarize([{ elements, input: null }], options)
  }

  /**
   * Creates nodes from elements: chunks of text, and for each table an index node and a table node.
   * Pass the parsed document as `node` to set metadata, display settings and source on the nodes.
   * @throws {MissingTableOutputError} before any node is created, if a table has no summary.
   */
  async getNodesFromElements(
    elements: readonly Element[],
    options: { node?: TextNode | null | undefined } & ParseOptions = {},
  ): Promise<TextNode[]> {
    checkParse('getNodesFromElements', options, { node: having('a node', 'text') })
    const { node = null, ...rest } = options
    const nodes = await this.buildNodes(elements, node && new InputText(node, this.syntax), rest)
    if (node !== null) this.finishNodes(nodes, node)
    else this.rowNodes?.link(nodes)
    return nodes
  }

  /** Parses one document: extracts elements, summarizes tables and creates nodes. Does not link previous and next nodes. */
  async getNodesFromNode(node: TextNode, options: ParseOptions = {}): Promise<TextNode[]> {
    checkGiven('getNodesFromNode', { node }, 'a document or a node', 'text', 'asRelatedNodeInfo')
    checkParse('getNodesFromNode', options)
    const [nodes = []] = await this.parseNodes([node], options)
    this.finishNodes(nodes, node)
    return nodes
  }

  /**
   * Returns `nodeMappings`, the nodes that index nodes refer to by their id, and `baseNodes`, all other nodes in order.
   * @throws {DanglingIndexNodeError} if an index node refers to a node that is not in the list.
   */
  getBaseNodesAndMappings(nodes: readonly TextNode[]): {
    baseNodes: TextNode[]
    nodeMappings: Record<string, TextNode>
  } {
    checkGiven('getBaseNodesAndMappings', { nodes }, nodeList)
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const mappings = new Map<string, TextNode>()
    for (const node of nodes) {
      if (!isIndexNode(node)) continue
      const target = byId.get(node.indexId)
      if (target === undefined) throw new DanglingIndexNodeError(node.id, node.indexId)
      mappings.set(node.indexId, target)
    }
    return {
      baseNodes: nodes.filter((node) => isIndexNode(node) || !mappings.has(node.id)),
      nodeMappings: Object.fromEntries(mappings),
    }
  }

  /**
   * Returns the nodes to index, and copies of the index nodes with their tables. Does not change the input.
   * @throws {DanglingIndexNodeError} if an index node refers to a node that is not in the list.
   */
  getNodesAndObjects(nodes: readonly TextNode[]): NodesAndObjects {
    const { baseNodes, nodeMappings } = this.getBaseNodesAndMappings(nodes)
    return {
      nodes: baseNodes.filter((node) => !isIndexNode(node)),
      objects: nodes.filter(isIndexNode).map((node) => {
        const target = nodeMappings[node.indexId] as TextNode
        // If index nodes of rows contained the table, it would be repeated for each row. They refer to its index node instead.
        return isIndexNode(target) ? node.copy() : node.copy({ update: { obj: target } as object })
      }),
    }
  }

  /** Parses, and returns the nodes to index, followed by the index nodes with their tables. */
  override async transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]> {
    const parsed = this.getNodesAndObjects(await this.getNodesFromDocuments(nodes, options))
    return [...parsed.nodes, ...parsed.objects]
  }

  protected override async parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]> {
    const tableFilters: TableFilter[] = [(table) => this.filterTable(table)]
    const parts = await mapInTurns(inputs, options.signal, (node) => {
      const elements = this.extractElements(node.text, { nodeId: node.id, tableFilters, isLater: isLaterPart(node) })
      return { elements, input: new InputText(node, this.syntax, sourceOfElements(elements)) }
    })
    await this.summarize(parts, options)
    return mapInTurns(parts, options.signal, ({ input, elements }) => {
      const kept = this.onReject === 'text' ? rejectedAsText(elements, input.text) : elements
      return this.buildNodes(kept, input, options)
    })
  }

  protected override inheritedMetadata(input: TextNode): Record<string, unknown> {
    return metadataWith(this.frontMatter, input)
  }

  protected override finishNodes(nodes: readonly TextNode[], input: TextNode): void {
    super.finishNodes(nodes, input)
    this.rowNodes?.link(nodes)
  }

  protected override linkNodes(nodes: readonly TextNode[]): void {
    super.linkNodes(nodes.filter((node) => this.rowNodes?.has(node) !== true))
  }

  /** Summarizes the tables of all inputs, in document order. */
  private async summarize(
    parts: readonly { elements: readonly Element[]; input: InputText | null }[],
    { signal, parentId, durable, onProgress, showProgress = this.showProgress }: ParseOptions,
  ): Promise<void> {
    // Headings are computed only if they are used.
    const needed =
      this.headerPath || this.tableSummarizer !== null || this.summarizer === 'headers' || this.onError === 'headers'
    const tables: TableContext[] = []
    for (const { elements, input } of parts) {
      elements.forEach((element, index) => {
        const { startCharIdx, tableOutput } = element
        if (!isTable(element) || tableOutput !== null) return
        const path = needed ? (input?.headingsAt(startCharIdx ?? 0).map(({ text }) => text) ?? []) : []
        const section = this.headerPath && path.length > 0 ? `Section: ${path.join(this.headerPathSeparator)}` : null
        tables.push(tableContext(elements, index, path, section))
      })
    }
    if (tables.length === 0) return
    const chosen = this.chosenSummarizer()
    const summarizer = durable ? summarizeOnce(chosen, durable) : chosen
    let done = 0
    await mapConcurrently(tables, this.numWorkers, async (table) => {
      table.element.tableOutput = await this.summaryOf(table, summarizer, { signal, parentId })
      done++
      if (showProgress) await onProgress?.({ done, total: tables.length })
    })
  }

  private async summaryOf(
    table: TableContext,
    summarizer: TableSummarizer,
    options: Pick<ParseOptions, 'signal' | 'parentId'>,
  ): Promise<TableOutput> {
    try {
      return await untilAborted(options.signal, () => summarizer(table, options))
    } catch (error) {
      if (this.onError === 'throw' || options.signal?.aborted === true) throw error
      return summarizeByHeaders(table)
    }
  }

  private chosenSummarizer(): TableSummarizer {
    const { tableSummarizer } = this
    if (tableSummarizer !== null) {
      const name = (this.constructor as typeof NodeParser).className()
      return async (table, options) => checkedOutput(name, await tableSummarizer(table, options))
    }
    if (this.summarizer === 'headers') return summarizeByHeaders
    const { llm, summaryQueryStr: question, tokenizer } = this
    if (llm === null) throw new MissingModelError((this.constructor as typeof NodeParser).className())
    return summarizeByModel(llm as BaseLLM, { question, tokenizer })
  }

  /** Creates the nodes of elements, with offsets in the input. Source and inherited metadata are added by `finishNodes`. */
  private async buildNodes(
    elements: readonly Element[],
    input: InputText | null,
    options: ParseOptions,
  ): Promise<TextNode[]> {
    for (const element of elements) {
      if (isTable(element) && element.tableOutput === null) throw new MissingTableOutputError(element.id)
    }
    const document = input?.node ?? new TextNode({ id: 'none' })
    const settings = displaySettings(document)
    const maker: NodeMaker = { nodes: [], input, settings, newId: idMaker(document, this.idFunc) }
    for (const { texts, table } of runsOf(elements)) {
      await this.buildTexts(texts, maker, options)
      if (table !== null && !(this.onReject === 'drop' && isRejected(table))) this.buildTable(table, maker)
    }
    if (this.lineNumbers) maker.nodes.forEach(hideLineNumbers)
    return maker.nodes
  }

  /** Creates the nodes of the text between two tables. */
  private async buildTexts(elements: readonly Element[], maker: NodeMaker, options: ParseOptions): Promise<void> {
    const { input, newId, nodes } = maker
    const text = elements.map(({ element }) => element).join('\n\n')
    if (text.trim() === '') return
    const base = elements.length === 1 ? (elements[0] as Element).startCharIdx : null
    const { imageUrl, ...info } = elements[0]?.info ?? {}
    const hidden = Object.keys(info)
    const push = (piece: string, own: Record<string, unknown>, start: number | null, end: number | null) => {
      const place = placeOf(start, end, base)
      const fields = { ...this.fieldsOf(maker, place, { ...own, ...info }, hidden, hidden), text: piece }
      nodes.push(
        imageUrl === undefined
          ? new TextNode({ ...fields, id: newId(piece, 'TextNode') })
          : new ImageNode({ ...fields, id: newId(piece, 'ImageNode'), imageUrl: imageUrl as string }),
      )
    }
    if (this.nestedNodeParser !== null && hidden.length === 0) {
      const inner = new Document({ id: input?.node.id, text })
      setContext(inner, (base === null ? null : input?.contextAt(base)) ?? { headings: [], firstLine: null })
      const parsed = await this.nestedNodeParser.getNodesFromDocuments([inner], options)
      for (const node of parsed) push(node.text, node.metadata, node.startCharIdx, node.endCharIdx)
      return
    }
    // All text elements share the block structure of the input.
    const inPlace = base !== null && input?.text.startsWith(text, base) === true
    const whole = inPlace ? input : new InputText(new Document({ text }), this.syntax)
    const from = inPlace ? base : 0
    for (const { start, end } of splitRange(whole, from, from + text.length, this, { parentId: options.parentId }))
      push(whole.text.slice(start, end), {}, start - from, end - from)
  }

  /** Creates an index node and a table node for a table, or for each part of a large table. */
  private buildTable(element: Element, maker: NodeMaker): void {
    const { newId, nodes } = maker
    const summary = describeTable(element)
    const colSchema = columnSchema((element.tableOutput as TableOutput).columns)
    const room = this.tableRoom(element, maker)
    const parts = tableParts(element, room, this.tokenizer, summary)
    const whole = [summary, colSchema] as const
    // The parts may be as many as the columns, so that only the first one has the whole of a long summary and list of columns.
    const short = parts.length > 1 ? whole.map((text) => startWithin(text, room as number, this.tokenizer)) : whole
    parts.forEach((part, index) => {
      const [ownSummary, ownSchema] = index === 0 ? whole : short
      const { text, content, indexText, data, startCharIdx: start, endCharIdx: end } = part
      const place = placeOf(start, end)
      const numbered = parts.length > 1 ? { table_part: `${index + 1}/${parts.length}` } : {}
      const id = newId(indexText, 'IndexNode')
      const indexId = newId(text, 'TextNode', content)
      const schema = { col_schema: ownSchema, ...numbered }
      const indexFields = this.fieldsOf(maker, place, schema, Object.keys(schema), Object.keys(numbered))
      nodes.push(new IndexNode({ ...indexFields, id, text: indexText, indexId }))
      const own = { ...(this.tableData === 'metadata' && { table_df: data }), table_summary: ownSummary, ...numbered }
      const fields = this.fieldsOf(maker, place, own, Object.keys(own), Object.keys(own))
      const table = new TextNode({ ...fields, id: indexId, text })
      nodes.push(table)
      this.rowNodes?.build({ element, part, summary, table, nodes }, (row, text, start, end) => {
        const rowFields = this.fieldsOf(maker, placeOf(start, end), { table_row: row }, ['table_row'], ['table_row'])
        const shown = room === null ? text : startWithin(text, room, this.tokenizer)
        return new IndexNode({ ...rowFields, id: newId(shown, 'IndexNode'), text: shown, indexId: id })
      })
    })
  }

  /** Returns the tokens that a part of a table may have: `maxTableTokens` without what is embedded of its metadata. */
  private tableRoom(element: Element, maker: NodeMaker): number | null {
    const { maxTableTokens, tokenizer } = this
    if (maxTableTokens === null) return null
    const fields = this.fieldsOf(maker, placeOf(element.startCharIdx, element.endCharIdx), {}, [], [])
    const own = this.lineNumbers ? LINE_KEYS : []
    const probe = new TextNode({
      ...fields,
      metadata: { ...(maker.input && this.inheritedMetadata(maker.input.node)), ...fields.metadata },
      excludedEmbedMetadataKeys: [...fields.excludedEmbedMetadataKeys, ...own],
    })
    const embedded = probe.getContent('embed').trimEnd()
    const tokens = embedded === '' ? 0 : countTokens(`${embedded}\n\n`, tokenizer)
    if (tokens < maxTableTokens) return maxTableTokens - tokens
    const name = (this.constructor as typeof NodeParser).className()
    throw new MetadataTooLongError(name, tokens, maxTableTokens, 'maxTableTokens')
  }

  /** Returns the fields of a node other than id and text. `hiddenFromEmbed` and `hiddenFromLlm` name metadata keys to exclude. */
  private fieldsOf(
    { input, settings: { excludedEmbedMetadataKeys, excludedLlmMetadataKeys, ...settings } }: NodeMaker,
    place: { start: number; end: number } | null,
    own: Readonly<Record<string, unknown>>,
    hiddenFromEmbed: readonly string[],
    hiddenFromLlm: readonly string[],
  ) {
    return {
      ...settings,
      excludedEmbedMetadataKeys: [...new Set([...hiddenFromEmbed, ...excludedEmbedMetadataKeys])],
      excludedLlmMetadataKeys: [...new Set([...hiddenFromLlm, ...excludedLlmMetadataKeys])],
      metadata: { ...own, ...(input && place && input.placeMetadata(place.start, place.end, this)) },
      startCharIdx: place?.start ?? null,
      endCharIdx: place?.end ?? null,
    }
  }
}

/** The nodes created so far from one input. */
interface NodeMaker {
  nodes: TextNode[]
  input: InputText | null
  settings: ReturnType<typeof displaySettings>
  newId: ReturnType<typeof idMaker>
}

/** Returns the place of a text; null if its offsets, or that of the text that contains it, are unknown. */
function placeOf(start: number | null, end: number | null, base: number | null = 0) {
  return start === null || end === null || base === null ? null : { start: base + start, end: base + end }
}

function isIndexNode(node: TextNode): node is IndexNode {
  return 'indexId' in node
}
