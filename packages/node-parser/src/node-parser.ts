/**
 * @module
 * The base of all parsers that make nodes of documents.
 */
import {
  type CallbackManager,
  Model,
  NodeRelationship,
  type RelatedNodeInfo,
  type TextNode,
  withEvent,
} from '@x/core-model'
import { isSliceOfSource, sourceOf } from './build-nodes.ts'
import type { NodeParserFields, NodeParserOptions } from './generated/models.ts'

/** How far a parser is. */
export interface ParseProgress {
  /** Tables that have their summary. */
  done: number
  /** Tables found. */
  total: number
}

/** What a parse takes besides the documents. */
export interface ParseOptions {
  /** Whether `onProgress` is told. @defaultValue the parser's own `showProgress`, else true */
  showProgress?: boolean | undefined
  /** Told after each table. */
  onProgress?: ((progress: ParseProgress) => void) | undefined
  /** Stops the work: no further model call is made, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export interface NodeParser extends NodeParserFields {}

/**
 * The base class of node parsers. A subclass gives its fields by `spec()` and its algorithm by `parseNodes`;
 * source, metadata, places and neighbours are added here.
 */
export abstract class NodeParser extends Model {
  constructor(options?: NodeParserOptions) {
    super(options)
  }

  /**
   * The nodes of each input, with places in the text of that input and with metadata of their own only.
   * Called with all inputs at once.
   */
  protected abstract parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>

  /**
   * Makes nodes of documents, or of the nodes of another parser. The inputs are not changed.
   * Nodes of one input follow each other; inputs keep their order.
   */
  async getNodesFromDocuments(documents: readonly TextNode[], options: ParseOptions = {}): Promise<TextNode[]> {
    return withEvent(
      this.callbackManager as CallbackManager | null,
      'node_parsing',
      () => ({ documents }),
      async (event) => {
        try {
          options.signal?.throwIfAborted()
          const parsed = await this.parseNodes(documents, options)
          for (const [index, nodes] of parsed.entries()) this.finishNodes(nodes, documents[index] as TextNode)
          const nodes = parsed.flat()
          this.linkNodes(nodes)
          event.end({ nodes })
          return nodes
        } catch (exception) {
          // Also when a model has told of the error before: a failed parse says why.
          event.end({ exception })
          throw exception
        }
      },
    )
  }

  /** The parser as a step that turns nodes into nodes: the same as `getNodesFromDocuments`. */
  async transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]> {
    return this.getNodesFromDocuments(nodes, options)
  }

  /** Gives new nodes the source, the place in it, and the metadata of the input. */
  protected finishNodes(nodes: readonly TextNode[], input: TextNode): void {
    if (nodes.length === 0) return
    const source = sourceOf(input)
    // Places count in the text of the source; a piece of it knows where it starts, or nobody does.
    const base = input.sourceNode === null ? 0 : isSliceOfSource(input) ? input.startCharIdx : null
    for (const node of nodes) {
      node.relationships = { ...node.relationships, [NodeRelationship.source]: source.copy() }
      if (base === null || node.startCharIdx === null || node.endCharIdx === null) {
        node.startCharIdx = null
        node.endCharIdx = null
      } else {
        node.startCharIdx += base
        node.endCharIdx += base
      }
      if (this.includeMetadata) {
        const own = node.metadata
        const theirs = Object.entries(input.metadata).filter(([key]) => !Object.hasOwn(own, key))
        node.metadata = Object.fromEntries([...Object.entries(own), ...theirs])
      }
    }
  }

  /** Links neighbours of the same source both ways, with what is final of them. */
  private linkNodes(nodes: readonly TextNode[]): void {
    const { previous, next, source } = NodeRelationship
    const records: (RelatedNodeInfo | null)[] = nodes.map(() => null)
    // Each record has two owners: the first gets it, the second a copy.
    const recordOf = (index: number): RelatedNodeInfo => {
      const known = records[index] ?? null
      if (known !== null) return known.copy()
      const record = (nodes[index] as TextNode).asRelatedNodeInfo()
      records[index] = record
      return record
    }
    const sourceId = (index: number) => (nodes[index]?.relationships[source] as RelatedNodeInfo | undefined)?.nodeId
    nodes.forEach((node, index) => {
      const { [previous]: _previous, [next]: _next, ...others } = node.relationships
      const relationships: TextNode['relationships'] = others
      if (this.includePrevNextRel) {
        if (index > 0 && sourceId(index - 1) === sourceId(index)) relationships[previous] = recordOf(index - 1)
        if (index + 1 < nodes.length && sourceId(index + 1) === sourceId(index))
          relationships[next] = recordOf(index + 1)
      }
      node.relationships = relationships
    })
  }
}
