/** Tools that a case describes. */
import {
  type AsyncBaseTool,
  type BaseTool,
  FunctionTool,
  QueryEngineTool,
  type Tool,
  ToolMetadata,
  type ToolSchema,
} from '@x/agents'
import { adaptToAsyncTool, QueryResponse } from '@x/agents/protocol'
import { ToolOutput } from '@x/core-model'
import { named } from '../given.ts'
import { type ScoredNode, scoredNodeOf } from './scored-node.ts'
import { toolFunctions } from './tool-functions.ts'

/** A tool; a function when it names no kind. */
export interface ToolRecord {
  kind?: string
  name?: string | null
  description?: string
  schema?: ToolSchema | null
  fn?: string
  prefix?: string
  nodes?: ScoredNode[]
  resolve_input_errors?: boolean
}

/** Name, description and schema. An absent schema means the default one, null means no schema. */
export function toolMetadataOf(record: ToolRecord): ToolMetadata {
  const { name = null, description = '' } = record
  return new ToolMetadata({ name, description, ...('schema' in record && { fnSchema: record.schema ?? null }) })
}

export function toolOf(record: ToolRecord): Tool {
  const kinds = { plain: plainTool, query_engine: queryEngineTool, function: functionTool }
  return named<(record: ToolRecord) => Tool>(kinds, record.kind ?? 'function')(record)
}

/** A tool that takes one string. */
function plainTool({ name, description = '' }: ToolRecord): BaseTool {
  return {
    metadata: new ToolMetadata({ name: name ?? null, description }),
    call: (input) =>
      new ToolOutput({ content: `<${input}>`, toolName: name ?? '', rawInput: { input }, rawOutput: input }),
  }
}

function queryEngineTool(record: ToolRecord): AsyncBaseTool {
  const { name, description, prefix = '', nodes = [], resolve_input_errors: resolveInputErrors } = record
  const sourceNodes = nodes.map(scoredNodeOf)
  return new QueryEngineTool({
    queryEngine: { query: (query) => new QueryResponse({ response: `${prefix}${query}`, sourceNodes }) },
    ...(typeof name === 'string' && { name }),
    ...(description !== undefined && { description }),
    resolveInputErrors,
  })
}

function functionTool(record: ToolRecord): AsyncBaseTool {
  const { name, description = '', schema } = record
  const fn = named(toolFunctions(), record.fn ?? 'echo')
  if (schema && name) return FunctionTool.fromDefaults({ fn, name, description, schema })
  // Without a name or a schema of its own: the metadata of the case around a function that checks nothing.
  const unchecked = FunctionTool.fromDefaults({ fn, name: name ?? 'unnamed', description, schema: schema ?? {} })
  return {
    takesArguments: true,
    metadata: toolMetadataOf(record),
    call: (args, context) => unchecked.call(args, context),
  }
}

export const toolsOf = (records: readonly ToolRecord[] = []): Tool[] => records.map(toolOf)

/** Calls any tool with the input of a case, which may not fit the tool. */
export async function callTool(tool: Tool, input: unknown, adapt: boolean): Promise<ToolOutput> {
  const called: { call(input: unknown): unknown } = adapt ? adaptToAsyncTool(tool) : tool
  const output = await called.call(input)
  if (!(output instanceof ToolOutput)) throw new Error('the tool returned no ToolOutput')
  return output
}
