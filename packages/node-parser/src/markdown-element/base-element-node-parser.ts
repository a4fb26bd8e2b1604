/**
 * @module
 * The base of parsers that find tables: summaries by a model, index nodes for the summaries, nodes for the tables.
 */
import { type BaseLLM, type CallbackManager, Document, IndexNode, mapConcurrently, TextNode } from '@x/core-model'
import { idMaker, lookOf } from '../build-nodes.ts'
import { chunkText } from '../chunk-text.ts'
import { emitChunking, hideLineNumbers, requireOverlapBelowSize } from '../chunking.ts'
import { tokenCounter } from '../count-tokens.ts'
import { DanglingIndexNodeError, MissingModelError, MissingTableOutputError } from '../errors.ts'
import type { MarkdownElementNodeParserFields, MarkdownElementNodeParserOptions } from '../generated/models.ts'
import type { BlockStructure } from '../markdown/block.ts'
import { scanBlocks } from '../markdown/block-scanner.ts'
import { markdownStart } from '../markdown/front-matter.ts'
import { lineNumbers } from '../markdown/line-numbers.ts'
import { headingsAt, outlineOf } from '../markdown/sections.ts'
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
    requireOverlapBelowSize((this.constructor as typeof NodeParser).className(), this)
  }

  protected static override extensions(): readonly string[] {
    return [
      'chunkSize',
      'chunkOverlap',
      'summarizer',
      'maxTableTokens',
      'htmlTables',
      'onReject',
      'tableData',
      'headerPath',
      'headerPathSeparator',
      'lineNumbers',
    ]
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
    const nodes = await this.buildNodes(elements, node, options)
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
    const parts = inputs.map((input) => ({
      input,
      elements: this.extractElements(input.text, { nodeId: input.id, tableFilters }),
    }))
    await this.summarize(parts, options)
    const parsed: TextNode[][] = []
    for (const { input, elements } of parts) {
      parsed.push(await this.buildNodes(this.withoutRejected(elements, input.text), input, options))
    }
    return parsed
  }

  /** Summarizes the tables of all inputs, in document order. */
  private async summarize(
    parts: readonly { elements: readonly Element[]; input: TextNode | null }[],
    { signal, onProgress, showProgress = this.showProgress }: ParseOptions,
  ): Promise<void> {
    const tables: TableContext[] = []
    for (const { elements, input } of parts) {
      if (!elements.some(({ type }) => type !== 'text')) continue
      // Headings are looked for only where somebody reads them.
      const needed =
        input !== null && (this.headerPath || this.tableSummarizer !== null || this.summarizer === 'headers')
      const headings = needed ? headingsAt(outlineOf(input.text, structureOf(input.text))) : () => []
      elements.forEach(({ type, startCharIdx }, index) => {
        if (type === 'text') return
        const path = headings(startCharIdx ?? 0).map(({ text }) => text)
        const section = this.headerPath && path.length > 0 ? `Section: ${path.join(this.headerPathSeparator)}` : null
        tables.push(tableContext(elements, index, path, section))
      })
    }
    if (tables.length === 0) return
    const summarizer = this.chosenSummarizer()
    let done = 0
    await mapConcurrently(tables, this.numWorkers, async (table) => {
      signal?.throwIfAborted()
      table.element.tableOutput = await summarizer(table, { signal })
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

  /** What `onReject` says becomes of tables that are not worth keeping. */
  private withoutRejected(elements: Element[], text: string): Element[] {
    if (this.onReject === 'keep') return elements
    const kept: Element[] = []
    for (const element of elements) {
      if (element.tableOutput?.shouldKeep !== false) kept.push(element)
      else if (this.onReject === 'text') {
        kept.push(newElement('text', element.element, element.startCharIdx, element.endCharIdx))
      }
      const [before, last] = kept.slice(-2)
      if (this.onReject !== 'text' || before?.type !== 'text' || last?.type !== 'text') continue
      const { startCharIdx } = before
      const { endCharIdx } = last
      kept.splice(-2, 2, newElement('text', text.slice(startCharIdx ?? 0, endCharIdx ?? 0), startCharIdx, endCharIdx))
    }
    return kept
  }

  /** The nodes of elements, with places in the text that the elements are of, before source and metadata of the input. */
  private async buildNodes(
    elements: readonly Element[],
    input: TextNode | null,
    options: ParseOptions,
  ): Promise<TextNode[]> {
    for (const { type, tableOutput, id } of elements) {
      if (type !== 'text' && tableOutput === null) throw new MissingTableOutputError(id)
    }
    const source = input ?? new TextNode({ id: 'none' })
    const newId = idMaker(source, this.idFunc)
    const look = input === null ? {} : lookOf(input)
    const text = input?.text ?? ''
    let structure: BlockStructure | undefined
    const parse = () => (structure ??= structureOf(text))
    const headings = this.headerPath && input !== null ? headingsAt(outlineOf(text, parse())) : null
    const lineOf = this.lineNumbers && input !== null ? lineNumbers(text) : null
    const nodes: TextNode[] = []

    const common = (own: Record<string, unknown>, hidden: string[][], start: number | null, end: number | null) => {
      const [fromEmbed = [], fromLlm = []] = hidden
      const metadata: Record<string, unknown> = { ...own }
      const path = start === null ? [] : (headings?.(start) ?? [])
      if (path.length > 0) metadata['header_path'] = path.map((heading) => heading.text).join(this.headerPathSeparator)
      if (lineOf !== null && start !== null && end !== null) {
        metadata['start_line'] = lineOf(start)
        metadata['end_line'] = lineOf(end)
      }
      return {
        ...look,
        excludedEmbedMetadataKeys: united(fromEmbed, input?.excludedEmbedMetadataKeys),
        excludedLlmMetadataKeys: united(fromLlm, input?.excludedLlmMetadataKeys),
        metadata,
        startCharIdx: start,
        endCharIdx: end,
      }
    }
    const push = (node: TextNode) => {
      if (lineOf !== null) hideLineNumbers(node)
      nodes.push(node)
    }
    const pushText = (piece: string, own: Record<string, unknown>, start: number | null, end: number | null) =>
      push(new TextNode({ ...common(own, [], start, end), id: newId(piece, 'TextNode'), text: piece }))

    for (const { texts, table } of runsOf(elements)) {
      if (texts.length > 0) await this.buildTexts(texts, input, parse, options, pushText)
      if (table !== null) this.buildTable(table, newId, common, push)
    }
    return nodes
  }

  /** The nodes of a text between tables. */
  private async buildTexts(
    elements: readonly Element[],
    input: TextNode | null,
    parse: () => BlockStructure,
    options: ParseOptions,
    push: (text: string, own: Record<string, unknown>, start: number | null, end: number | null) => void,
  ): Promise<void> {
    const text = elements.map(({ element }) => element).join('\n\n')
    if (text.trim() === '') return
    const only = elements.length === 1 ? (elements[0] as Element) : null
    const base = only?.startCharIdx ?? null
    const at = (offset: number | null) => (base === null || offset === null ? null : base + offset)
    if (this.nestedNodeParser !== null) {
      const inner = new Document({ id: input?.id, text })
      const { showProgress, onProgress, signal } = options
      for (const node of await this.nestedNodeParser.getNodesFromDocuments([inner], {
        showProgress,
        onProgress,
        signal,
      }))
        push(node.text, node.metadata, at(node.startCharIdx), at(node.endCharIdx))
      return
    }
    const whole = () => push(text, {}, at(0), only?.endCharIdx ?? null)
    if (this.chunkSize === null) return whole()
    const end = (base ?? 0) + text.length
    const inPlace = base !== null && input !== null && input.text.slice(base, end) === text
    const from = inPlace ? base : 0
    const source = inPlace ? input.text : text
    const count = tokenCounter(source, from, from + text.length, this.tokenizer)
    if (count(from, from + text.length) <= this.chunkSize) return whole()
    const { blocks } = inPlace ? parse() : structureOf(text)
    const { chunkSize, chunkOverlap } = this
    const chunks = chunkText(source, from, from + text.length, blocks, { chunkSize, chunkOverlap, count })
    emitChunking(this.callbackManager as CallbackManager | null, source, from, from + text.length, chunks)
    for (const chunk of chunks)
      push(source.slice(chunk.start, chunk.end), {}, at(chunk.start - from), at(chunk.end - from))
  }

  /** The index node of a table and the table, or such a pair for each part of a large one. */
  private buildTable(
    element: Element,
    newId: (text: string, className: string) => string,
    common: (own: Record<string, unknown>, hidden: string[][], start: number | null, end: number | null) => object,
    push: (node: TextNode) => void,
  ): void {
    const summary = describeTable(element)
    const parts = tableParts(element, this.maxTableTokens, this.tokenizer)
    parts.forEach(({ text, data, startCharIdx: start, endCharIdx: end }, index) => {
      const numbered = parts.length > 1 ? { table_part: `${index + 1}/${parts.length}` } : {}
      const partKeys = Object.keys(numbered)
      const found = index === 0 ? summary : `${summary.trimEnd()}\n(part ${index + 1} of ${parts.length})`
      const content = index === 0 ? `${summary}\n${text}` : text
      const id = newId(found, 'IndexNode')
      const tableId = newId(content, 'TextNode')
      const { columns } = element.tableOutput as TableOutput
      push(
        new IndexNode({
          ...common(
            { col_schema: columnSchema(columns), ...numbered },
            [['col_schema', ...partKeys], partKeys],
            start,
            end,
          ),
          id,
          text: found,
          indexId: tableId,
        }),
      )
      const own = { ...(this.tableData === 'metadata' && { table_df: data }), table_summary: summary, ...numbered }
      const hidden = Object.keys(own)
      push(new TextNode({ ...common(own, [hidden, hidden], start, end), id: tableId, text: content }))
    })
  }
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

function structureOf(text: string): BlockStructure {
  return scanBlocks(text, markdownStart(text))
}

function united(own: readonly string[], theirs: readonly string[] = []): string[] {
  return [...new Set([...own, ...theirs])]
}

function isIndexNode(node: TextNode): node is IndexNode {
  return 'indexId' in node
}
