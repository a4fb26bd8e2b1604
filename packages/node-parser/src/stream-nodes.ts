/**
 * @module
 * Creates nodes from a streamed document, section by section.
 */
import { callOptions, checkOption, checkOptions, choice, having, type OptionTable, required } from '@x/core/options'
import { Document, NodeRelationship, TextNode } from '@x/core-model'
import { displaySettings, sourceOf } from './build-nodes.ts'
import { type FrontMatterReader, InputText, metadataWith, setContext, type TextContext } from './input-text.ts'
import { lineStarts, pageMarks } from './markdown/places.ts'
import type { Element } from './markdown-element/element.ts'
import { streamMarkdownElements } from './markdown-element/stream-elements.ts'
import type { NodeParser } from './node-parser.ts'

/** The options of {@link streamNodes}. */
export interface StreamNodesOptions {
  /** The document of the nodes: its id, metadata and display settings. Its text is not used. @defaultValue a new document */
  document?: TextNode | undefined
  /** The parts that are parsed as soon as they end. @defaultValue 'section' */
  unit?: 'section' | 'block' | undefined
  /** Cancels the parse: the iteration rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * Yields the nodes of a streamed Markdown document, such as the answer of a model or a large file. Each section (the text from a root
 * heading to the next), or each block, is parsed by `parser` as soon as it ends, so that memory is bounded by the largest one. Offsets,
 * lines, pages, headings, ids and links are those of the whole document, for every split into pieces.
 *
 * The nodes of `MarkdownNodeParser` equal those of the whole document, except for headings with links that are defined in later sections;
 * with `minChunkSize`, no sections are joined.
 * Other parsers receive each section separately, so that no node extends over two sections. With `includePrevNextRel` the last node of a
 * section is yielded together with the first node of the next section, to which it is linked.
 * @throws {ModelValidationError} if an option is unknown or invalid.
 * @example
 * const parser = new MarkdownNodeParser()
 * const texts: string[] = []
 * for await (const node of streamNodes(parser, ['# A\none\n\n', '# B\ntwo'])) texts.push(node.text)
 * texts // => ['# A\none', '# B\ntwo']
 */
export async function* streamNodes(
  parser: NodeParser,
  source: AsyncIterable<string> | Iterable<string>,
  options: StreamNodesOptions = {},
): AsyncGenerator<TextNode, void, undefined> {
  checkOption('streamNodes', 'parser', parser, required('a node parser', 'getNodesFromDocuments'))
  checkOptions('streamNodes', options, {
    document: having('a document', 'text'),
    unit: choice('section', 'block'),
    signal: callOptions.signal,
  } satisfies OptionTable<StreamNodesOptions>)
  const { document = new Document(), unit = 'section', signal } = options
  const stream = new DocumentStream(parser, document)
  const divided = { textUnit: unit, tableFilters: [() => false] }
  for await (const section of streamMarkdownElements(stream.watch(source), divided)) {
    signal?.throwIfAborted()
    const nodes = await stream.parse(section, signal)
    yield* parser.includePrevNextRel ? stream.link(nodes) : nodes
  }
  yield* stream.held
}

/** The parser options that affect a stream. */
interface StreamedParser {
  frontMatter?: FrontMatterReader | null
  pageBreak?: string | null
}

/** The state of a partly read document. */
class DocumentStream {
  /** The nodes that wait for the next node, to be linked to it. */
  held: TextNode[] = []
  private readonly parser: NodeParser
  private readonly document: TextNode
  private metadata: Record<string, unknown>
  /** The text after `position`, which was not parsed yet. */
  private rest = ''
  private position = 0
  private context: TextContext & { firstLine: number; pageLabel: string }

  constructor(parser: NodeParser, document: TextNode) {
    const { idFunc } = parser
    let count = 0
    const numbered: typeof idFunc = idFunc && ((_, __, made) => idFunc(count++, document, made))
    this.parser = parser.copy({ update: { idFunc: numbered } as object })
    this.document = document
    this.metadata = document.metadata
    this.context = { headings: [], firstLine: 1, pageLabel: String(document.metadata['page_label'] ?? 1) }
  }

  /** Yields the pieces of a source, and stores their text until it is parsed. */
  async *watch(source: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const piece of source) {
      this.rest += piece
      yield piece
    }
  }

  /** Returns the nodes of a section. */
  async parse({ element: text, startCharIdx, endCharIdx }: Element, signal?: AbortSignal): Promise<TextNode[]> {
    const { pageBreak = null, frontMatter = null } = this.parser as NodeParser & StreamedParser
    const start = startCharIdx as number
    const skipped = this.skip(start, pageBreak)
    const node = new TextNode({
      ...displaySettings(this.document),
      id: this.document.id,
      text,
      metadata: this.metadata,
      relationships: { [NodeRelationship.source]: sourceOf(this.document) },
      startCharIdx,
      endCharIdx,
    })
    // A byte-order mark is outside of the sections.
    const isFirst = start === skipped.length && /^\ufeff?$/.test(skipped) && text.charCodeAt(0) !== 0xfeff
    this.context = { ...this.context, isLater: !isFirst }
    setContext(node, this.context)
    if (!this.context.isLater) this.metadata = metadataWith(frontMatter, node)
    const nodes = await this.parser.getNodesFromDocuments([node], { signal })
    this.context = { ...this.context, headings: new InputText(node).headingsAt(text.length) }
    return nodes
  }

  /** Returns the nodes that are linked to their neighbors, and stores the others. */
  link(nodes: readonly TextNode[]): TextNode[] {
    // Rows of tables have no previous and next nodes.
    const isChained = (node: TextNode) => node.parentNode === null
    const first = nodes.find(isChained)
    const before = this.held[0]
    if (first === undefined) {
      this.held.push(...nodes)
      return []
    }
    if (before !== undefined) {
      before.relationships = { ...before.relationships, [NodeRelationship.next]: first.asRelatedNodeInfo() }
      first.relationships = { ...first.relationships, [NodeRelationship.previous]: before.asRelatedNodeInfo() }
    }
    const last = nodes.findLastIndex(isChained)
    const complete = [...this.held, ...nodes.slice(0, last)]
    this.held = nodes.slice(last)
    return complete
  }

  /** Counts the lines and pages before an offset, and returns the text before it that was not skipped yet. */
  private skip(offset: number, pageBreak: string | null): string {
    const skipped = this.rest.slice(0, offset - this.position)
    this.rest = this.rest.slice(skipped.length)
    this.position = offset
    const { headings, firstLine, pageLabel } = this.context
    this.context = {
      headings,
      firstLine: firstLine + lineStarts(skipped).length - 1,
      pageLabel: pageBreak === null ? pageLabel : pageMarks(skipped, pageBreak, pageLabel).lastLabel,
    }
    return skipped
  }
}
