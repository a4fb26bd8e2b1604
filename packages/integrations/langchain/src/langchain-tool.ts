import { FunctionTool, type FunctionTool as Tool, ToolMetadata } from '@x/agents'
import type { NeedsApproval } from '@x/agents/protocol'
import { checkOption, checkOptions, required, unchecked } from '@x/core/options'
import { ToolOutput } from '@x/core-model'
import type { LangChainTool } from './langchain-types.ts'

/** Options of {@link langChainTool}. */
interface LangChainToolOptions {
  /** Whether a call needs approval. @defaultValue false */
  needsApproval?: NeedsApproval | undefined
  /** Time limit of a call, in milliseconds. @defaultValue no limit */
  timeoutMs?: number | null | undefined
  /** The JSON Schema for the model, if the schema library of the tool cannot generate one. */
  parameters?: object | undefined
}

/** The properties of a tool message that are read. */
interface ToolMessage {
  content: unknown
  artifact?: unknown
  status?: string
}

/**
 * A tool of LangChain as a tool of an agent. The text of its message is the output for the model, its artifact the raw output; a
 * message with status `error` is a failure.
 * @example
 * import { tool } from '@langchain/core/tools'
 * import { z } from 'zod'
 *
 * const add = langChainTool(
 *   tool(({ a, b }) => a + b, { name: 'add', description: 'Adds.', schema: z.object({ a: z.number(), b: z.number() }) }),
 * )
 * const output = await add.call({ a: 1, b: 2 })
 * output.content // => '3'
 */
export function langChainTool(tool: LangChainTool, options: LangChainToolOptions = {}): Tool {
  checkOption('langChainTool', 'tool', tool, required('a tool of LangChain', 'name', 'invoke'))
  const { name, description, schema, returnDirect } = tool
  // The tool checks their values.
  checkOptions('langChainTool', options, { needsApproval: unchecked, timeoutMs: unchecked, parameters: unchecked })
  const { parameters, needsApproval, timeoutMs } = options
  // The tool parses its arguments itself, which may change them. Here they are only checked against the JSON Schema.
  const metadata = new ToolMetadata({ name, description, fnSchema: schema as object, parameters })
  const { '~standard': _, ...jsonSchema } = metadata.getParametersDict()
  return FunctionTool.fromDefaults({
    name,
    description,
    schema: jsonSchema,
    unchecked: 'accept',
    returnDirect,
    needsApproval: needsApproval as boolean | undefined,
    timeoutMs,
    fn: async (args, { toolCallId, signal }) => {
      const call = { type: 'tool_call', id: toolCallId ?? name, name, args }
      return contentOf(await tool.invoke(call as never, signal ? { signal } : {}))
    },
  })
}

function contentOf(result: unknown): unknown {
  if (!isToolMessage(result)) return result
  const { content, artifact, status } = result
  const text = Array.isArray(content) ? content.map(blockText).join('\n') : String(content)
  if (status === 'error') throw new Error(text)
  return artifact === undefined ? text : new ToolOutput({ toolName: '', content: text, rawOutput: artifact })
}

function isToolMessage(value: unknown): value is ToolMessage {
  return typeof value === 'object' && value !== null && 'content' in value && 'tool_call_id' in value
}

function blockText(block: { type?: unknown; text?: unknown } | null): string {
  if (typeof block?.text === 'string') return block.text
  return `[${String(block?.type ?? 'data')}]`
}
