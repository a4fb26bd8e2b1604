/**
 * @module
 * The base class of all parsers that create nodes from documents.
 */
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  flag,
  listOf,
  type OptionCheck,
  type OptionTable,
} from '@x/core/options'
import { checkLiveOptions, writeLiveOptions } from '@x/core/reading'
import { merge, pick } from '@x/core/values'
import {
  CallbackManager,
  type Dict,
  type DictOptions,
  type Durable,
  type Model,
  type ModelConstructor,
  NodeRelationship,
  type ReadOptions,
  type RelatedNodeInfo,
  type TextNode,
  withEvent,
} from '@x/core-model'
import { mapInTurns } from '@x/core-model/async'
import { insideEvent } from '@x/core-model/components'
import { isFromSource, LINE_KEYS, sourceOf } from './build-nodes.ts'
import { NodeParserModel } from './generated/node-parser.ts'

/** Accepts an array of documents or nodes. */
export const nodeList = listOf('a document or a node', 'text', 'asRelatedNodeInfo')

/** The progress of a parser. */
interface ParseProgress {
  /** The number of summarized tables. */
  done: number
  /** The number of tables. */
  total: number
}

/** The options of one parse. */
export interface ParseOptions {
  /** Whether `onProgress` is called. @defaultValue the `showProgress` of the parser, otherwise true */
  showProgress?: boolean | undefined
  /** Called after each summarized table. */
  onProgress?: ((progress: ParseProgress) => void) | undefined
  /** Cancels the parse: no further model call is made, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * Runs each summary of a table once: with the saved result of an earlier parse, no model is called. The name of a summary is computed
   * from the table and its context, not from its place. @defaultValue calls the summarizer
   */
  durable?: Durable | undefined
  /** Id of the event that the parse belongs to, where the platform has no async context. */
  parentId?: string | undefined
}

/**
 * Checks the options of a parse.
 * @param where - the name of the method, for errors.
 * @param more - the checks of further options.
 * @throws {ModelValidationError} if an option is unknown or invalid.
 */
export function checkParse(where: string, options: object, more?: Readonly<Record<string, OptionCheck>>): void {
  const table = {
    ...callOptions,
    showProgress: flag,
    onProgress: callback,
    durable: callback,
  } satisfies OptionTable<ParseOptions>
  checkOptions(where, options, { ...table, ...more })
}

/**
 * The base class of node parsers. A subclass declares its fields and implements `parseNodes`.
 * This class adds the source, inherited metadata, offsets in the source, and previous and next nodes.
 */
export abstract class NodeParser extends NodeParserModel {
  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  /**
   * Reads a parser from its wire form. Live options, such as functions, are not part of it: pass them in `overrides`.
   * @throws {ModelValidationError} if the data is invalid, or is of a parser with a live option that `overrides` does not contain.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    // A function as `summarizer` is stored as `tableSummarizer`.
    const { summarizer } = overrides ?? {}
    checkLiveOptions(
      this,
      data,
      typeof summarizer === 'function' ? { ...overrides, tableSummarizer: summarizer } : overrides,
    )
    return super.fromDict.call(this, data, overrides, options) as T
  }

  /** Returns the wire form, with the names of the live options under the key `live_options`: without these it is not read. */
  override toDict(options: DictOptions = {}): Dict {
    return writeLiveOptions(this, options, super.toDict)
  }

  /**
   * Returns the nodes of each input, with offsets in the text of that input and without inherited metadata.
   * Called once with all inputs.
   */
  protected abstract parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>

  /**
   * Creates nodes from documents, or from the nodes of another parser. Does not change the inputs.
   * The nodes are in the order of the inputs and, within one input, in document order.
   * Emits a `node_parsing` event.
   * @throws {ModelValidationError} if `documents` is not an array of documents or nodes, or an option is unknown or invalid.
   */
  async getNodesFromDocuments(documents: readonly TextNode[], options: ParseOptions = {}): Promise<TextNode[]> {
    checkOption('getNodesFromDocuments', 'documents', documents, nodeList)
    checkParse('getNodesFromDocuments', options)
    return withEvent(
      this.callbackManager as CallbackManager | null,
      'node_parsing',
      () => ({ documents }),
      async (event) => {
        try {
          options.signal?.throwIfAborted()
          const parsed = await this.parseNodes(documents, insideEvent(event, options))
          await mapInTurns(parsed, options.signal, (nodes, index) =>
            this.finishNodes(nodes, documents[index] as TextNode),
          )
          const nodes = parsed.flat()
          await mapInTurns(bySource(nodes), options.signal, (group) => this.linkNodes(group))
          event.end({ nodes })
          return nodes
        } catch (exception) {
          // A failed parse reports its error, even if an inner event of a model has already reported it.
          event.end({ exception })
          throw exception
        }
      },
      { parentId: options.parentId },
    )
  }

  /** Transforms nodes into nodes: an alias of `getNodesFromDocuments` for ingestion pipelines. */
  async transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]> {
    return this.getNodesFromDocuments(nodes, options)
  }

  /** Sets the source, the offsets in the source and the inherited metadata of new nodes. */
  protected finishNodes(nodes: readonly TextNode[], input: TextNode): void {
    if (nodes.length === 0) return
    const source = sourceOf(input)
    // Offsets are relative to the source. If the input is not a slice of its source, they are unknown.
    const base = !isFromSource(input) ? null : input.sourceNode === null ? 0 : input.startCharIdx
    const inherited = this.includeMetadata ? this.inheritedMetadata(input) : {}
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
        // A part of the input does not inherit its line numbers, which are those of the whole text.
        const isPart = base === null || node.text !== input.text
        const theirs = pick(inherited, (key) => !Object.hasOwn(own, key) && !(isPart && LINE_KEYS.includes(key)))
        node.metadata = merge(own, theirs)
      }
    }
  }

  /** Returns the metadata that the nodes of an input inherit. Keys of the nodes have priority. */
  protected inheritedMetadata(input: TextNode): Record<string, unknown> {
    return input.metadata
  }

  /** Links adjacent nodes of one source as previous and next node. Called last, because the links contain hashes. */
  protected linkNodes(nodes: readonly TextNode[]): void {
    const { previous, next } = NodeRelationship
    const records: (RelatedNodeInfo | null)[] = nodes.map(() => null)
    // Each record is used twice: first itself, then a copy.
    const recordOf = (index: number): RelatedNodeInfo => {
      const known = records[index] ?? null
      if (known !== null) return known.copy()
      const record = (nodes[index] as TextNode).asRelatedNodeInfo()
      records[index] = record
      return record
    }
    nodes.forEach((node, index) => {
      const { [previous]: _previous, [next]: _next, ...others } = node.relationships
      const relationships: TextNode['relationships'] = others
      if (this.includePrevNextRel) {
        if (index > 0) relationships[previous] = recordOf(index - 1)
        if (index + 1 < nodes.length) relationships[next] = recordOf(index + 1)
      }
      node.relationships = relationships
    })
  }
}

/** Returns the nodes in groups of adjacent ones with the same source. */
function bySource(nodes: readonly TextNode[]): TextNode[][] {
  const groups: TextNode[][] = []
  for (const node of nodes) {
    const group = groups.at(-1)
    if (group?.[0]?.refDocId === node.refDocId) group?.push(node)
    else groups.push([node])
  }
  return groups
}
