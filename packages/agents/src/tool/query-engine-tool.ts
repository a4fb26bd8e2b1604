/**
 * @module
 * Tools for query engines, such as other agents.
 */
import { ToolOutput } from '@x/core-model'
import { ToolInputError } from '../errors.ts'
import type { AsyncBaseTool, ToolCallContext } from './base-tool.ts'
import { ToolMetadata } from './tool-metadata.ts'

/** An object that answers questions. */
export interface QueryEngine {
  /** Returns the answer. Its string form is the text; its `sourceNodes`, if any, are the nodes that it is based on. */
  query(query: string, options?: { signal?: AbortSignal | undefined }): unknown
}

/** Options of `QueryEngineTool`. */
export interface QueryEngineToolOptions {
  queryEngine: QueryEngine
  /** @defaultValue 'query_engine_tool' */
  name?: string | undefined
  /** The topics of the engine. */
  description?: string | undefined
  /** Whether arguments other than `input` are used as the question, as JSON. @defaultValue true */
  resolveInputErrors?: boolean | undefined
  /** Whether the answer of the engine is the answer of the task. @defaultValue false */
  returnDirect?: boolean | undefined
}

const DESCRIPTION = 'Answers questions in natural language from a collection of documents. Ask a complete question.'

/** Calls a query engine. The source nodes of its answer become source nodes of the agent's answer. */
export class QueryEngineTool implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata: ToolMetadata
  readonly queryEngine: QueryEngine
  private readonly resolveInputErrors: boolean

  constructor(options: QueryEngineToolOptions) {
    this.queryEngine = options.queryEngine
    this.resolveInputErrors = options.resolveInputErrors ?? true
    this.metadata = new ToolMetadata({
      name: options.name ?? 'query_engine_tool',
      description: options.description ?? DESCRIPTION,
      returnDirect: options.returnDirect,
    })
  }

  /** Calls the constructor. */
  static fromDefaults(options: QueryEngineToolOptions): QueryEngineTool {
    return new QueryEngineTool(options)
  }

  /** Answers a question, which is a string or an object with the argument `input`. */
  async call(input: Record<string, unknown> | string | number, context: ToolCallContext = {}): Promise<ToolOutput> {
    const query = this.question(input)
    const response = await this.queryEngine.query(query, { signal: context.signal })
    return new ToolOutput({
      content: String(response),
      toolName: this.metadata.name ?? '',
      rawInput: { input: query },
      rawOutput: response,
    })
  }

  private question(input: Record<string, unknown> | string | number): string {
    if (typeof input !== 'object') return String(input)
    const given = input['input']
    if (given !== undefined) return typeof given === 'string' ? given : JSON.stringify(given)
    if (this.resolveInputErrors) return JSON.stringify(input)
    throw new ToolInputError(this.metadata.name ?? '', [
      { path: 'input', message: 'expected a question, received nothing' },
    ])
  }
}
