/**
 * @module
 * Tools for query engines.
 */
import { required } from '@x/core/options'
import { type QueryEngine, ToolOutput } from '@x/core-model'
import { isToolAgent } from './agent-calls.ts'
import { AgentTool } from './agent-tool.ts'
import type { ToolCallContext } from './base-tool.ts'
import { isMadeOfUntrusted } from './outside-text.ts'
import { QuestionTool, type QuestionToolOptions } from './question-tool.ts'
import { toolCheck } from './tool-check.ts'

/** Options of `QueryEngineTool`. */
export interface QueryEngineToolOptions<Name extends string = string> extends QuestionToolOptions<Name> {
  queryEngine: QueryEngine
}

const DEFAULTS = {
  name: 'query_engine_tool',
  description: 'Answers questions in natural language from a collection of documents. Ask a complete question.',
}

/**
 * Calls a query engine. The source nodes of its answer become source nodes of the agent's answer. An agent as query engine is called like
 * an {@link AgentTool}: its calls may need approval, and its events and usage are part of the task.
 * @example
 * const tool = new QueryEngineTool({
 *   queryEngine: { query: (question) => `You asked: ${question}` },
 *   name: 'ask',
 *   schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *   toQuestion: ({ city }) => `How big is ${city}?`,
 *   timeoutMs: 5000,
 * })
 * String(await tool.call({ city: 'Lima' })) // => 'You asked: How big is Lima?'
 */
export class QueryEngineTool<Name extends string = string> extends QuestionTool<unknown, Name> {
  readonly queryEngine: QueryEngine
  /** Whether the query engine is an agent, which may wait for approval. */
  readonly canWait: boolean
  readonly isDurable: boolean
  /** See `AgentTool`. @internal */
  readonly '~checkInner' = toolCheck
  private readonly agentTool: AgentTool<unknown, Name> | undefined

  constructor(options: QueryEngineToolOptions<Name>) {
    super(options, DEFAULTS, 'QueryEngineTool', { queryEngine: required('a query engine') })
    const { queryEngine, ...others } = options
    this.queryEngine = queryEngine
    this.agentTool = isToolAgent(queryEngine)
      ? new AgentTool({ ...others, agent: queryEngine }, DEFAULTS.name)
      : undefined
    this.canWait = this.agentTool !== undefined
    this.isDurable = this.canWait
  }

  /** Creates an instance, like the constructor. */
  static fromDefaults<Name extends string = string>(options: QueryEngineToolOptions<Name>): QueryEngineTool<Name> {
    return new QueryEngineTool(options)
  }

  /** Answers a question, which is a string or an object with the argument `input`. */
  async call(
    input: Record<string, unknown> | string | number,
    context: Partial<ToolCallContext> = {},
  ): Promise<ToolOutput> {
    if (this.agentTool) return this.agentTool.call(input, context)
    const query = await this.question(input)
    const { signal, parentId } = context
    const response = await this.queryEngine.query(query, { signal, parentId })
    return new ToolOutput({
      content: String(response),
      toolName: this.metadata.name ?? '',
      rawInput: { input: query },
      rawOutput: response,
      untrusted: isMadeOfUntrusted(Object(response)),
    })
  }
}
