/**
 * @module
 * The base of parsers that find tables: summaries by a model, index nodes for the summaries, nodes for the tables.
 */
import { type BaseLLM, Document, IndexNode, TextNode } from '@x/core-model'
import { mapConcurrently, untilAborted } from '@x/core-model/internal'
import { idMaker, lookOf } from '../build-nodes.ts'
import { checkOptions, cutText, hideLineNumbers } from '../chunking.ts'
import { DanglingIndexNodeError, MissingModelError, MissingTableOutputError } from '../errors.ts'
import type { MarkdownElementNodeParserFields, MarkdownElementNodeParserOptions } from '../generated/models.ts'
import { InputText } from '../input-text.ts'
import { NodeParser, type ParseOptions } from '../node-parser.ts'
import type { Element, TableCandidate, TableFilter, TableOutput } from './element.ts'
import { isFullTable, newElement } from './extract-elements.ts'
import {
  askModel,
  summarizeByHeaders,
  type TableContext,
  type TableSummarizer,
  tableContext,
} from './summarize-table.ts'
import { tableParts } from './table-parts.ts'
import { columnSchema, describeTable } from './table-text.ts'

/** What an element parser is built from. */
export type ElementNodeParserOptions = Omit<MarkdownElementNodeParserOptions, 'summarizer'> & {
  /** Who summarizes tables: the model, caption or heading with the header cells, or a function. @defaultValue 'llm' */
  summarizer?: 'llm' | 'headers' | TableSummarizer | undefined
}

/** Nodes to index, and index nodes that hold their tables. */
export interface NodesAndObjects {
  /** Everything that is neither an index node nor the target of one, in order. */
  nodes: TextNode[]
  /** Copies of the index nodes, each with its table as `obj`. */
  objects: IndexNode[]
}

export interface BaseElementNodeParser extends MarkdownElementNodeParserFields {}

/**
 * The base class of element parsers. A subclass finds the elements of a text by `extractElements`.
 * Each table becomes an index node with a summary, which is what a query finds, and right after it the table itself.
 */
export abstract class BaseElementNodeParser extends NodeParser {
  constructor({ summarizer, ...options }: ElementNodeParserOptions = {}) {
    const { chunkSize, chunkOverlap } = options
    super({
      ...options,
      ...(typeof summarizer === 'function'
        ? { tableSummarizer: summarizer }
        : summarizer !== undefined && { summarizer }),
      // Small chunks overlap by a fifth unless told otherwise.
      ...(chunkOverlap === undefined &&
        typeof chunkSize === 'number' &&
        chunkSize <= 200 && { chunkOverlap: Math.floor(chunkSize / 5) }),
    } as object)
    checkOptions((this.constructor as typeof NodeParser).className(), this)
  }

  /** The parts of a text, in order; needs no model. */
  abstract extractElements(
    text: string,
    options?: { nodeId?: string | null | undefined; tableFilters?: readonly TableFilter[] | null | undefined },
  ): Element[]

  /** The default filter of tables: at least two columns and one body row. Never throws. */
  filterTable(tableElement: TableCandidate): boolean {
    return isFullTable(tableElement)
  }

  /** The elements that are tables, of any shape. */
  getTableElements(elements: readonly Element[]): Element[] {
    return elements.filter(({ type }) => type !== 'text')
  }

  /** The elements other than well-formed tables. */
  getTextElements(elements: readonly Element[]): Element[] {
    return elements.filter(({ type }) => type !== 'table')
  }

  /**
   * Sets `tableOutput` of the tables, in place. At most `numWorkers` are in work at once, started in order.
   * Errors of the model pass through, and no further table is started.
   * @throws {MissingModelError} when there is a table and no model, before any call.
   */
  async extractTableSummaries(elements: readonly Element[], options: ParseOptions = {}): Promise<void> {
    await this.summarize([{ elements, input: null }], options)
  }

  /**
   * Makes nodes of elements: texts in chunks, and for each table an index node and the table.
   * With `node`, the input that the elements are of, nodes get its metadata, look and source.
   * @throws {MissingTableOutputError} when a table has no summary, before any node is made.
   */
  async getNodesFromElements(
    elements: readonly Element[],
    { node = null, ...options }: { node?: TextNode | null | undefined } & ParseOptions = {},
  ): Promise<TextNode[]> {
    const nodes = await this.buildNodes(elements, node && new InputText(node), options)
    if (node !== null) this.finishNodes(nodes, node)
    return nodes
  }

  /** Extracts, summarizes and builds for one input; neighbours are not linked. */
  async getNodesFromNode(node: TextNode, options: ParseOptions = {}): Promise<TextNode[]> {
    const [nodes = []] = await this.parseNodes([node], options)
    this.finishNodes(nodes, node)
    return nodes
  }

  /**
   * For each index node, the node that it refers to; and all nodes that are not referred to, in order.
   * @throws {DanglingIndexNodeError} when an index node refers to a node that is not in the list.
   */
  getBaseNodesAndMappings(nodes: readonly TextNode[]): {
    baseNodes: TextNode[]
    nodeMappings: Record<string, TextNode>
  } {
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const mappings = new Map<string, TextNode>()
    for (const node of nodes) {
      if (!isIndexNode(node)) continue
      const target = byId.get(node.indexId)
      if (target === undefined) throw new DanglingIndexNodeError(node.id, node.indexId)
      mappings.set(node.indexId, target)
    }
    return {
      baseNodes: nodes.filter(({ id }) => !mappings.has(id)),
      nodeMappings: Object.fromEntries(mappings),
    }
  }

  /**
   * The nodes to index as they are, and the index nodes with their tables. The given nodes are not changed.
   * @throws {DanglingIndexNodeError} when an index node refers to a node that is not in the list.
   */
  getNodesAndObjects(nodes: readonly TextNode[]): NodesAndObjects {
    const { baseNodes, nodeMappings } = this.getBaseNodesAndMappings(nodes)
    return {
      nodes: baseNodes.filter((node) => !isIndexNode(node)),
      objects: nodes
        .filter(isIndexNode)
        .map((node) => node.copy({ update: { obj: nodeMappings[node.indexId] } as object })),
    }
  }

  /** Parses, and gives the nodes to index followed by the index nodes with their tables. */
  override async transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]> {
    const parsed = this.getNodesAndObjects(await this.getNodesFromDocuments(nodes, options))
    return [...parsed.nodes, ...parsed.objects]
  }

  protected override async parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]> {
    const tableFilters: TableFilter[] = [(table) => this.filterTable(table)]
    const parts = inputs.map((node) => ({
      input: new InputText(node),
      elements: this.extractElements(node.text, { nodeId: node.id, tableFilters }),
    }))
    await this.summarize(parts, options)
    const parsed: TextNode[][] = []
    for (const { input, elements } of parts) {
      const kept = this.onReject === 'text' ? rejectedAsText(elements, input.text) : elements
      parsed.push(await this.buildNodes(kept, input, options))
    }
    return parsed
  }

  /** Summarizes the tables of all inputs, in document order. */
  private async summarize(
    parts: readonly { elements: readonly Element[]; input: InputText | null }[],
    { signal, onProgress, showProgress = this.showProgress }: ParseOptions,
  ): Promise<void> {
    // Headings are looked for only where somebody reads them.
    const needed = this.headerPath || this.tableSummarizer !== null || this.summarizer === 'headers'
    const tables: TableContext[] = []
    for (const { elements, input } of parts) {
      elements.forEach(({ type, startCharIdx }, index) => {
        if (type === 'text') return
        const path = needed ? (input?.headingsAt(startCharIdx ?? 0).map(({ text }) => text) ?? []) : []
        const section = this.headerPath && path.length > 0 ? `Section: ${path.join(this.headerPathSeparator)}` : null
        tables.push(tableContext(elements, index, path, section))
      })
    }
    if (tables.length === 0) return
    const summarizer = this.chosenSummarizer()
    let done = 0
    await mapConcurrently(tables, this.numWorkers, async (table) => {
      table.element.tableOutput = await untilAborted(signal, () => summarizer(table, { signal }))
      done++
      if (showProgress) onProgress?.({ done, total: tables.length })
    })
  }

  private chosenSummarizer(): TableSummarizer {
    if (this.tableSummarizer !== null) return this.tableSummarizer
    if (this.summarizer === 'headers') return summarizeByHeaders
    const { llm, summaryQueryStr: question, tokenizer } = this
    if (llm === null) throw new MissingModelError((this.constructor as typeof NodeParser).className())
    return (table, { signal }) => askModel(llm as BaseLLM, table, { question, tokenizer, signal })
  }

  /** The nodes of elements, with places in the text that the elements are of, before source and metadata of the input. */
  private async buildNodes(
    elements: readonly Element[],
    input: InputText | null,
    options: ParseOptions,
  ): Promise<TextNode[]> {
    for (const { type, tableOutput, id } of elements) {
      if (type !== 'text' && tableOutput === null) throw new MissingTableOutputError(id)
    }
    const maker: NodeMaker = {
      nodes: [],
      input,
      newId: idMaker(input?.node ?? new TextNode({ id: 'none' }), this.idFunc),
    }
    for (const { texts, table } of runsOf(elements)) {
      if (texts.length > 0) await this.buildTexts(texts, maker, options)
      if (table !== null && !(this.onReject === 'drop' && isRejected(table))) this.buildTable(table, maker)
    }
    if (this.lineNumbers) maker.nodes.forEach(hideLineNumbers)
    return maker.nodes
  }

  /** The nodes of a text between tables. */
  private async buildTexts(elements: readonly Element[], maker: NodeMaker, options: ParseOptions): Promise<void> {
    const { input, newId, nodes } = maker
    const text = elements.map(({ element }) => element).join('\n\n')
    if (text.trim() === '') return
    const base = elements.length === 1 ? (elements[0] as Element).startCharIdx : null
    const push = (piece: string, own: Record<string, unknown>, start: number | null, end: number | null) => {
      const place = base === null || start === null || end === null ? null : { start: base + start, end: base + end }
      const id = newId(piece, 'TextNode')
      nodes.push(new TextNode({ ...this.fieldsOf(input, place, own, [], []), id, text: piece }))
    }
    if (this.nestedNodeParser !== null) {
      const inner = new Document({ id: input?.node.id, text })
      const { showProgress, onProgress, signal } = options
      const parsed = await this.nestedNodeParser.getNodesFromDocuments([inner], { showProgress, onProgress, signal })
      for (const node of parsed) push(node.text, node.metadata, node.startCharIdx, node.endCharIdx)
      return
    }
    // The blocks of the whole input serve for all of its texts.
    const inPlace = base !== null && input?.text.startsWith(text, base) === true
    const whole = inPlace ? input : new InputText(new Document({ text }))
    const from = inPlace ? base : 0
    for (const { start, end } of cutText(whole, from, from + text.length, this))
      push(whole.text.slice(start, end), {}, start - from, end - from)
  }

  /** The index node of a table and the table, or such a pair for each part of a large one. */
  private buildTable(element: Element, { input, newId, nodes }: NodeMaker): void {
    const summary = describeTable(element)
    const { columns } = element.tableOutput as TableOutput
    const parts = tableParts(element, this.maxTableTokens, this.tokenizer)
    parts.forEach(({ text, data, startCharIdx: start, endCharIdx: end }, index) => {
      const place = start === null || end === null ? null : { start, end }
      const numbered = parts.length > 1 ? { table_part: `${index + 1}/${parts.length}` } : {}
      const found = index === 0 ? summary : `${summary.trimEnd()}\n(part ${index + 1} of ${parts.length})`
      const content = index === 0 ? `${summary}\n${text}` : text
      const id = newId(found, 'IndexNode')
      const indexId = newId(content, 'TextNode', text)
      const schema = { col_schema: columnSchema(columns), ...numbered }
      const indexFields = this.fieldsOf(input, place, schema, Object.keys(schema), Object.keys(numbered))
      nodes.push(new IndexNode({ ...indexFields, id, text: found, indexId }))
      const own = { ...(this.tableData === 'metadata' && { table_df: data }), table_summary: summary, ...numbered }
      const fields = this.fieldsOf(input, place, own, Object.keys(own), Object.keys(own))
      nodes.push(new TextNode({ ...fields, id: indexId, text: content }))
    })
  }

  /** What a node has besides id and text; embeddings and models do not see the keys named for them. */
  private fieldsOf(
    input: InputText | null,
    place: { start: number; end: number } | null,
    own: Readonly<Record<string, unknown>>,
    hiddenFromEmbed: readonly string[],
    hiddenFromLlm: readonly string[],
  ) {
    const { excludedEmbedMetadataKeys = [], excludedLlmMetadataKeys = [], ...look } = input ? lookOf(input.node) : {}
    return {
      ...look,
      excludedEmbedMetadataKeys: [...new Set([...hiddenFromEmbed, ...excludedEmbedMetadataKeys])],
      excludedLlmMetadataKeys: [...new Set([...hiddenFromLlm, ...excludedLlmMetadataKeys])],
      metadata: { ...own, ...(input && place && input.placeMetadata(place.start, place.end, this)) },
      startCharIdx: place?.start ?? null,
      endCharIdx: place?.end ?? null,
    }
  }
}

/** The nodes of one input as they are made. */
interface NodeMaker {
  nodes: TextNode[]
  input: InputText | null
  newId: ReturnType<typeof idMaker>
}

/** Whether the summary of a table finds it not worth keeping. */
function isRejected({ tableOutput }: Element): boolean {
  return tableOutput?.shouldKeep === false
}

/** The elements with rejected tables as text, joined with the texts around them. */
function rejectedAsText(elements: readonly Element[], text: string): Element[] {
  const kept: Element[] = []
  for (const element of elements) {
    if (element.type !== 'text' && !isRejected(element)) {
      kept.push(element)
      continue
    }
    const joined = kept.at(-1)?.type === 'text' ? kept.pop() : undefined
    const start = (joined ?? element).startCharIdx ?? 0
    const end = element.endCharIdx ?? 0
    kept.push(newElement('text', text.slice(start, end), start, end))
  }
  return kept
}

/** Texts that follow each other, and the table after them. */
function* runsOf(elements: readonly Element[]): Generator<{ texts: Element[]; table: Element | null }> {
  let texts: Element[] = []
  for (const element of elements) {
    if (element.type === 'text') texts.push(element)
    else {
      yield { texts, table: element }
      texts = []
    }
  }
  if (texts.length > 0) yield { texts, table: null }
}

function isIndexNode(node: TextNode): node is IndexNode {
  return 'indexId' in node
}
