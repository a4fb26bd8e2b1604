/**
 * @module
 * Tools of layers.
 */

import { type AsyncBaseTool, type ToolCallContext, ToolMetadata } from '@x/agents'
import { ToolExecutionError, ToolInputError } from '@x/agents/errors'
import type { ArgumentsOf, NeedsApproval } from '@x/agents/protocol'
import { errorMessage } from '@x/core/values'
import { type Dict, ToolOutput } from '@x/core-model'
import { output } from './layer-parts.ts'

/** A JSON Schema of the kinds that these tools need. */
interface Schema {
  readonly type: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly minimum?: number
  readonly description?: string
}

/** Returns a tool, without what tools with schemas of any kind need. */
export function ownTool<const Given extends Schema>(tool: {
  name: string
  description: string
  schema: Given
  sequential?: boolean
  needsApproval?: NeedsApproval
  fn: (args: ArgumentsOf<Given>, context: ToolCallContext) => string | ToolOutput | Promise<string | ToolOutput>
}): AsyncBaseTool {
  const { name, description, schema, sequential = false, needsApproval = false, fn } = tool
  return {
    takesArguments: true,
    metadata: new ToolMetadata({ name, description, fnSchema: schema as Dict & { type: string } }),
    sequential,
    needsApproval,
    call: async (args, context) => {
      const issues: { path: string; message: string }[] = []
      const read = checked(schema, args, '', issues)
      if (issues.length > 0) throw new ToolInputError(name, issues)
      const made = await called(name, () => fn(read as ArgumentsOf<Given>, { context: undefined, ...context }))
      const { content, rawOutput, untrusted } = typeof made === 'string' ? output(made) : made
      return new ToolOutput({ content, rawOutput, untrusted, toolName: name, rawInput: args })
    },
  }
}

async function called<T>(name: string, call: () => T): Promise<Awaited<T>> {
  try {
    return await call()
  } catch (cause) {
    throw new ToolExecutionError(name, errorMessage(cause), {
      cause,
      fatal: (cause as { fatal?: unknown } | null)?.fatal === true,
    })
  }
}

/** Returns a value as a schema describes it, and adds what is wrong with it to the issues. */
function checked(schema: Schema, given: unknown, path: string, issues: { path: string; message: string }[]): unknown {
  const { type, properties = {}, required = [], items, enum: values, minLength = 0, minimum } = schema
  const value = type === 'integer' && typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given
  const isType =
    type === 'integer' ? Number.isSafeInteger(value) : type === 'array' ? Array.isArray(value) : typeof value === type
  const isInside = !values?.length || values.includes(value as string)
  if (!isType || value === null || !isInside || (value as string).length < minLength || (value as number) < minimum!) {
    const bounds = minLength > 0 ? ' that is not empty' : minimum === undefined ? '' : ` of at least ${minimum}`
    const wanted = values?.length ? values.map((one) => JSON.stringify(one)).join(' or ') : `${type}${bounds}`
    issues.push({ path, message: `expected ${wanted}, received ${JSON.stringify(given)?.slice(0, 100) ?? 'nothing'}` })
    return value
  }
  if (items) return (value as unknown[]).map((item, i) => checked(items, item, `${path}[${i}]`, issues))
  if (type !== 'object') return value
  const known = Object.entries(properties).filter(([key]) => required.includes(key) || (value as Dict)[key] != null)
  return Object.fromEntries(
    known.map(([key, part]) => [key, checked(part, (value as Dict)[key], path ? `${path}.${key}` : key, issues)]),
  )
}
