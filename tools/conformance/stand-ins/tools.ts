/** Tools that a case describes. */
import {
  type AsyncBaseTool,
  adaptToAsyncTool,
  type BaseTool,
  FunctionTool,
  QueryEngineTool,
  QueryResponse,
  type Tool,
  ToolMetadata,
  type ToolSchema,
} from '@x/agents'
import { ToolOutput } from '@x/core-model'
import { argument, list, nullable, optional, type Read, string, variants } from '../reader.ts'
import { scoredNode, scoredNodeOf } from './scored-node.ts'
import { toolFunctionName, toolFunctions } from './tool-functions.ts'

const described = {
  name: optional(nullable(string)),
  description: optional(string),
  schema: argument<ToolSchema | null | undefined>(),
}

/** Reads a tool; a function when it names no kind. */
export const tool = variants(
  'kind',
  {
    function: { ...described, fn: optional(toolFunctionName) },
    plain: described,
    query_engine: {
      ...described,
      prefix: optional(string),
      nodes: optional(list(scoredNode)),
      resolve_input_errors: argument<boolean | undefined>(),
    },
  },
  'function',
)

export type ToolRecord = Read<typeof tool>

/** Name, description and schema. An absent schema means the default one, null means no schema. */
export function toolMetadataOf(record: ToolRecord): ToolMetadata {
  const { name = null, description = '' } = record
  return new ToolMetadata({ name, description, ...('schema' in record && { fnSchema: record.schema ?? null }) })
}

export function toolOf(record: ToolRecord): Tool {
  switch (record.kind) {
    case 'plain':
      return plainTool(record)
    case 'query_engine':
      return queryEngineTool(record)
    case 'function':
      return functionTool(record)
  }
}

/** A tool that takes one string. */
function plainTool({ name, description = '' }: ToolRecord): BaseTool {
  return {
    metadata: new ToolMetadata({ name: name ?? null, description }),
    call: (input) =>
      new ToolOutput({ content: `<${input}>`, toolName: name ?? '', rawInput: { input }, rawOutput: input }),
  }
}

function queryEngineTool(record: Extract<ToolRecord, { kind: 'query_engine' }>): AsyncBaseTool {
  const { name, description, prefix = '', nodes = [], resolve_input_errors: resolveInputErrors } = record
  const sourceNodes = nodes.map(scoredNodeOf)
  return new QueryEngineTool({
    queryEngine: { query: (query) => new QueryResponse({ response: `${prefix}${query}`, sourceNodes }) },
    ...(typeof name === 'string' && { name }),
    ...(description !== undefined && { description }),
    resolveInputErrors,
  })
}

function functionTool(record: Extract<ToolRecord, { kind: 'function' }>): AsyncBaseTool {
  const { name, description = '', schema, fn: functionName = 'echo' } = record
  const fn = toolFunctions()[functionName]
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
