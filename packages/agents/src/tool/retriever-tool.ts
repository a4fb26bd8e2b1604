/**
 * @module
 * Tools for retrievers.
 */
import { list, required } from '@x/core/options'
import {
  type NodesPostprocessor,
  type NodeWithScore,
  type ObjectRetriever,
  QueryBundle,
  ToolOutput,
} from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import { QueryResponse } from '../answer/query-response.ts'
import type { ToolCallContext } from './base-tool.ts'
import { isUntrusted } from './outside-text.ts'
import { QuestionTool, type QuestionToolOptions } from './question-tool.ts'
import { untrustedContent } from './untrusted.ts'

/** Options of `RetrieverTool`. */
export interface RetrieverToolOptions<Name extends string = string, Context = unknown>
  extends QuestionToolOptions<Name> {
  /** Finds nodes for a query. If it requires a `context`, runs of the calling agent require that context. */
  retriever: ObjectRetriever<NodeWithScore, Context>
  /** Process the nodes, in order. @defaultValue [] */
  nodePostprocessors?: readonly NodesPostprocessor[] | undefined
}

const DEFAULTS = { name: 'retriever_tool', description: 'Finds passages of documents. Write what you look for.' }

const RETRIEVER_OPTIONS = { retriever: required('a retriever', 'retrieve'), nodePostprocessors: list }

const NOTHING = 'Nothing was found.'

/**
 * Finds nodes and returns their text and metadata, as models see them, without another model call. The nodes become source nodes of
 * the agent's answer. A node with the metadata `untrusted: true` is text from outside, as with `untrusted` of `@x/agents/loop`.
 * @example
 * const nodes = [new NodeWithScore({ node: new TextNode({ text: 'Pears are green.' }), score: 1 })]
 * const tool = new RetrieverTool({ retriever: { retrieve: () => nodes }, name: 'fruits' })
 * String(await tool.call({ input: 'pear' })) // => 'Pears are green.'
 */
export class RetrieverTool<Name extends string = string, Context = unknown> extends QuestionTool<Context, Name> {
  readonly retriever: ObjectRetriever<NodeWithScore, Context>
  private readonly nodePostprocessors: readonly NodesPostprocessor[]

  constructor(options: RetrieverToolOptions<Name, Context>) {
    super(options, DEFAULTS, 'RetrieverTool', RETRIEVER_OPTIONS)
    this.retriever = options.retriever
    this.nodePostprocessors = options.nodePostprocessors ?? []
  }

  /** Creates an instance, like the constructor. */
  static fromDefaults<Name extends string = string, Context = unknown>(
    options: RetrieverToolOptions<Name, Context>,
  ): RetrieverTool<Name, Context> {
    return new RetrieverTool(options)
  }

  /** Finds nodes for a query, which is a string or an object with the argument `input`. */
  async call(
    input: Record<string, unknown> | string | number,
    context: Partial<ToolCallContext<Context>> = {},
  ): Promise<ToolOutput> {
    const { signal, onProgress, parentId } = context
    const queryStr = await this.question(input)
    const retrieveOptions = { signal, parentId, context: context.context }
    const query = new QueryBundle({ queryStr })
    let nodes: readonly NodeWithScore[] = await this.retriever.retrieve(queryStr, retrieveOptions)
    for (const postprocessor of this.nodePostprocessors) {
      nodes = await postprocessor.postprocessNodes(nodes, {
        ...queryFor(postprocessor, query),
        signal,
        onProgress,
        parentId,
      })
    }
    const texts = nodes.map(({ node }) => (isUntrusted(node) ? untrustedContent(node) : node.getContent('llm')))
    const content = texts.join('\n\n') || NOTHING
    return new ToolOutput({
      content,
      toolName: this.metadata.name ?? '',
      rawInput: { input: queryStr },
      untrusted: nodes.some(({ node }) => isUntrusted(node)),
      rawOutput: new QueryResponse({ response: content, sourceNodes: nodes }),
    })
  }
}
