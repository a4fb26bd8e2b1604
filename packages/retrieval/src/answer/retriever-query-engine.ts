/**
 * @module
 * A query engine over a retriever: what a program asks, and what an agent has as a tool.
 */
import {
  callback,
  checkNames,
  checkOptions,
  invalidOption,
  list,
  type OptionTable,
  required,
  text,
} from '@x/core/options'
import {
  type BaseLLM,
  DefinedComponent,
  isInstance,
  type NodesPostprocessor,
  type NodeWithScore,
  QueryBundle,
  type QueryComponent,
  type QueryEngine,
  type QueryEngineOptions,
} from '@x/core-model'
import { inputTextOrStream, queryFor } from '@x/core-model/components'
import type { FiltersInput } from '../metadata-filters.ts'
import type { RetrieverLike } from '../retriever.ts'
import {
  type AnswerSource,
  answerWithSources,
  checkUnmask,
  maskMapping,
  type SourcedAnswerStream,
  type Unmask,
} from './answer-with-sources.ts'
import type { CheckedCitation } from './citations.ts'

/** The options of one question. */
interface RetrieverQueryOptions extends QueryEngineOptions {
  /** Conditions on the metadata of the nodes, in addition to those of the retriever. */
  filters?: FiltersInput | undefined
}

/** The options of {@link RetrieverQueryEngine}. */
interface RetrieverQueryEngineOptions {
  retriever: RetrieverLike
  llm: BaseLLM
  /** Filter, reorder or rewrite the nodes, in this order. @defaultValue none */
  nodePostprocessors?: readonly NodesPostprocessor[] | undefined
  /** The answer if nothing was found. @defaultValue that of `answerWithSources` */
  nothingFound?: string | undefined
  /** Further instructions for the model, such as the language or the length of answers. @defaultValue none */
  instructions?: string | undefined
  /** Restores masked data in the answer: pass `unmaskStream` of `@x/postprocessors`. @defaultValue tags stay */
  unmask?: Unmask | undefined
  /**
   * The mapping from tags to originals, if masking did not store it in the nodes: the object to which `mappingSink` of the mask adds. It is
   * read when a question is asked. @defaultValue that of the nodes
   */
  mapping?: Readonly<Record<string, unknown>> | undefined
}

const engineOptions: OptionTable<RetrieverQueryEngineOptions> = {
  retriever: required('a retriever', 'retrieve'),
  llm: required('a language model', 'streamChat'),
  nodePostprocessors: list,
  nothingFound: text,
  instructions: text,
  unmask: callback,
  mapping: maskMapping,
}

/** The answer of a {@link RetrieverQueryEngine}. Its string form is the text. */
export class QueryEngineResponse {
  readonly response: string
  /** The nodes that the model received, best first. An agent's answer has them too. */
  readonly sourceNodes: readonly NodeWithScore[]
  /** The cited passages, with the file and lines of each and the check of its citation. */
  readonly sources: readonly AnswerSource[]
  readonly citations: readonly CheckedCitation[]

  constructor(
    response: string,
    sourceNodes: readonly NodeWithScore[],
    sources: readonly AnswerSource[],
    citations: readonly CheckedCitation[],
  ) {
    this.response = response
    this.sourceNodes = sourceNodes
    this.sources = sources
    this.citations = citations
  }

  /** Returns the text of the answer. */
  toString(): string {
    return this.response
  }
}

/**
 * Answers questions from what a retriever finds: it retrieves, applies postprocessors, and asks the model with `answerWithSources`. Pass it
 * to `QueryEngineTool` as the tool of an agent, or add it to a query pipeline.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * const retriever = new Bm25Retriever({ nodes: [new TextNode({ id: 'a', text: 'Pears keep 3 weeks.' })] })
 * const llm = new ScriptedLLM({ answers: ['Pears keep 3 weeks [1].'] })
 * const engine = new RetrieverQueryEngine({ retriever, llm })
 * const answer = await engine.query('How long do pears keep?')
 * String(answer) // => 'Pears keep 3 weeks [1].'
 * answer.sourceNodes.map(({ id }) => id) // => ['a']
 */
export class RetrieverQueryEngine implements QueryEngine {
  private readonly options: RetrieverQueryEngineOptions

  constructor(options: RetrieverQueryEngineOptions) {
    checkOptions('RetrieverQueryEngine', options, engineOptions)
    checkUnmask('RetrieverQueryEngine', options)
    this.options = options
  }

  /** Returns the nodes for a question, after the postprocessors, best first. */
  async retrieve(query: string | QueryBundle, options: RetrieverQueryOptions = {}): Promise<readonly NodeWithScore[]> {
    const bundle = bundleOf(query)
    const { retriever, nodePostprocessors = [] } = this.options
    const { signal, parentId } = options
    let nodes: readonly NodeWithScore[] = await retriever.retrieve(bundle, options)
    for (const step of nodePostprocessors)
      nodes = await step.postprocessNodes(nodes, { ...queryFor(step, bundle), signal, parentId })
    return nodes
  }

  /** Returns the answer with its sources. Rejects with the signal's reason when it is aborted. */
  async query(query: string | QueryBundle, options: RetrieverQueryOptions = {}): Promise<QueryEngineResponse> {
    const { answer, sourceNodes } = await this.streamQuery(query, options)
    const { text, sources, citations } = await answer.result()
    return new QueryEngineResponse(text, sourceNodes, sources, citations)
  }

  /** Returns the nodes, and the answer as a stream: iterate it for its pieces, and read `answer.result()` for its sources. */
  async streamQuery(
    query: string | QueryBundle,
    options: RetrieverQueryOptions = {},
  ): Promise<{ answer: SourcedAnswerStream; sourceNodes: readonly NodeWithScore[] }> {
    const { queryStr: question } = bundleOf(query)
    const passages = await this.retrieve(query, options)
    const { retriever: _, nodePostprocessors: __, ...rest } = this.options
    const { signal, parentId } = options
    const answer = answerWithSources({ ...rest, passages, question, signal, parentId })
    return { answer, sourceNodes: passages }
  }

  /** Returns a query pipeline component: its inputs are `input` and `scope`, its output is `output`, a {@link QueryEngineResponse}. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial'])
    return new DefinedComponent({
      name: 'Query engine component',
      inputKeys: () => ({ required: ['input'], optional: ['scope'] }),
      outputKeys: ['output'],
      partial: options.partial,
      run: async ({ input, scope }, { signal, parentId }) => {
        const query = isInstance(input, QueryBundle) ? input : await inputTextOrStream(input, 'input')
        return { output: await this.query(query, { signal, parentId, scope: scope as QueryEngineOptions['scope'] }) }
      },
    })
  }
}

function bundleOf(query: string | QueryBundle): QueryBundle {
  if (typeof query === 'string') return new QueryBundle({ queryStr: query })
  if (typeof query?.queryStr === 'string') return query
  throw invalidOption('RetrieverQueryEngine', 'query', 'a string or a QueryBundle', query)
}
