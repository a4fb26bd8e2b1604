/** Tools that a case describes, their functions, outputs and nodes. */
import { type AsyncBaseTool, type BaseTool, FunctionTool, QueryEngineTool, type Tool, ToolMetadata } from '@x/agents'
import { adaptToAsyncTool, QueryResponse } from '@x/agents/protocol'
import { type Dict, NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { apiKeys, type Json, named } from '../given.ts'

export function scoredNodeOf({ id, text = '', score = null, metadata = {} }: Json): NodeWithScore {
  return new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })
}

// The functions of tools.

/** Returns the functions, with a counter of their own. */
function toolFunctions(): Record<string, (args: Json) => unknown> {
  let calls = 0
  return {
    add: ({ a, b }) => sum(a, b),
    multiply: ({ a, b }) => Number(a) * Number(b),
    concat: ({ a, b }) => `${a}${b}`,
    echo: ({ text }) => text,
    upper: ({ text }) => upper(text),
    fail: ({ message }) => {
      throw new Error(String(message))
    },
    nothing: () => null,
    obj: ({ k }) => ({ key: k, n: 1 }),
    items: ({ n }) => Array.from({ length: Number(n) }, (_, index) => index + 1),
    truthy: ({ x }) => Boolean(x),
    count: () => ++calls,
  }
}

/** The sum of two values: a string unless both are numbers. */
export function sum(a: unknown, b: unknown): unknown {
  return typeof a === 'number' && typeof b === 'number' ? a + b : `${a}${b}`
}

function upper(text: unknown): string {
  if (typeof text !== 'string') throw new Error('upper: expected a string')
  return text.toUpperCase()
}

// Tool outputs in the form of the cases.

export const toolOutputOf = (record: Dict): ToolOutput => new ToolOutput(apiKeys(record))

/** `is_error` is listed only when it is true. */
export function toolOutputForm({ toolName, content, rawInput, rawOutput, isError }: ToolOutput): Dict {
  const raw = rawOutput instanceof QueryResponse ? { $response: rawOutput.response } : rawOutput
  return { tool_name: toolName, content, raw_input: rawInput, raw_output: raw, ...(isError && { is_error: true }) }
}

// Tools that a case describes.

/** Name, description and schema. An absent schema means the default one, null means no schema. */
export function toolMetadataOf(record: Json): ToolMetadata {
  const { name = null, description = '' } = record
  return new ToolMetadata({ name, description, ...('schema' in record && { fnSchema: record.schema ?? null }) })
}

export function toolOf(record: Json): Tool {
  const kinds = { plain: plainTool, query_engine: queryEngineTool, function: functionTool }
  return named<(record: Json) => Tool>(kinds, record.kind ?? 'function')(record)
}

/** A tool that takes one string. */
function plainTool({ name, description = '' }: Json): BaseTool {
  return {
    metadata: new ToolMetadata({ name: name ?? null, description }),
    call: (input) =>
      new ToolOutput({ content: `<${input}>`, toolName: name ?? '', rawInput: { input }, rawOutput: input }),
  }
}

function queryEngineTool(record: Json): AsyncBaseTool {
  const { name, description, prefix = '', nodes = [], resolve_input_errors: resolveInputErrors } = record
  const sourceNodes = nodes.map(scoredNodeOf)
  return new QueryEngineTool({
    queryEngine: { query: (query) => new QueryResponse({ response: `${prefix}${query}`, sourceNodes }) },
    ...(typeof name === 'string' && { name }),
    ...(description !== undefined && { description }),
    resolveInputErrors,
  })
}

function functionTool(record: Json): AsyncBaseTool {
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

export const toolsOf = (records: readonly Json[] = []): Tool[] => records.map(toolOf)

/** Calls any tool with the input of a case, which may not fit the tool. */
export async function callTool(tool: Tool, input: unknown, adapt: boolean): Promise<ToolOutput> {
  const called: { call(input: unknown): unknown } = adapt ? adaptToAsyncTool(tool) : tool
  const output = await called.call(input)
  if (!(output instanceof ToolOutput)) throw new Error('the tool returned no ToolOutput')
  return output
}
