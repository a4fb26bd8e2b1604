/**
 * @module
 * Tools of layers, whose arguments have simple schemas.
 */

import type { ArgumentIssue } from '@x/core/arguments'
import { jsonTypes } from '@x/core/json-schema'
import { checkGiven } from '@x/core/options'
import { joinPath, mismatch } from '@x/core/values'
import { type Dict, ToolOutput } from '@x/core-model'
import type { AsyncBaseTool, NeedsApproval, ToolCallContext } from './base-tool.ts'
import { neutralized } from './control-tokens.ts'
import { PlainToolMetadata } from './plain-tool-metadata.ts'
import { validArguments } from './tool-errors.ts'
import type { ArgumentsOf } from './tool-schema.ts'

/** A JSON Schema of the kinds that these tools need. */
interface PlainSchemaFields {
  readonly type: string
  readonly properties?: PlainArgumentFields
  readonly required?: readonly string[]
  readonly items?: PlainSchemaFields
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly minimum?: number
}
type PlainArgumentFields = Readonly<Record<string, PlainSchemaFields>>

/** What a tool returns: the string that the model reads, and the data for `note` and for pages. */
type PlainResultFields = string | { content: string; rawOutput?: unknown; untrusted?: boolean }

/**
 * Creates a tool whose arguments have simple schemas, for layers: without the checks that a `FunctionTool` needs for schemas of any kind.
 * What `fn` throws is the failure of the call. The content of an output that is `untrusted` is neutralized.
 * @param tool.needed - the schemas of the arguments that a call must have, by name.
 * @param tool.optional - those that it may have. @defaultValue {}
 * @example
 * const shout = plainTool({
 *   name: 'shout',
 *   description: 'Returns the text in capitals.',
 *   needed: { text: { type: 'string', minLength: 1 } },
 *   fn: ({ text }) => text.toUpperCase(),
 * })
 * String(await shout.call({ text: 'hi' })) // => 'HI'
 * await shout.call({ text: '' }) // => throws tool_input
 */
export function plainTool<
  const Needed extends PlainArgumentFields,
  const Optional extends PlainArgumentFields = Record<never, PlainSchemaFields>,
>(tool: {
  name: string
  description: string
  needed: Needed
  optional?: Optional
  returnDirect?: boolean | undefined
  sequential?: boolean
  needsApproval?: NeedsApproval | undefined
  timeoutMs?: number | null | undefined
  fn: (
    args: ArgumentsOf<{ properties: Needed & Optional; required: readonly (keyof Needed)[] }>,
    context: ToolCallContext,
  ) => PlainResultFields | Promise<PlainResultFields>
}): AsyncBaseTool {
  checkGiven('plainTool', { tool }, 'an object of options', 'name', 'needed', 'fn')
  const { name, description, needed, optional, returnDirect, fn, ...others } = tool
  const schema = { type: 'object', properties: { ...needed, ...optional }, required: Object.keys(needed) }
  const check = (args: unknown) => {
    const issues: ArgumentIssue[] = []
    return { value: checked(schema, args, '', issues), issues }
  }
  return {
    ...others,
    takesArguments: true,
    metadata: new PlainToolMetadata({ name, description, fnSchema: schema, returnDirect }),
    '~check': check,
    call: async (args, context) => {
      const made = await fn(validArguments(name, check(args)) as never, { context: undefined, ...context })
      const { content, rawOutput = content, untrusted } = typeof made === 'string' ? { content: made } : made
      const shown = untrusted ? neutralized(content) : content
      return new ToolOutput({ content: shown, rawOutput, untrusted, toolName: name, rawInput: args })
    },
  }
}

/** Returns a value as a schema describes it, and adds what is wrong with it to the issues. */
function checked(schema: PlainSchemaFields, given: unknown, path: string, issues: ArgumentIssue[]): unknown {
  const { type, properties, required = [], items, enum: values = [], minLength = 0, minimum = 0 } = schema
  const value = (type === 'integer' && /^\d{1,9}$/.test(given as string) ? Number(given) : given) as string
  const [words, isType] = jsonTypes[type]!
  const isInside = values.length === 0 || values.includes(value)
  if (!isType(value) || !isInside || value.length < minLength || Number(value) < minimum) {
    const bounds = minLength > 0 ? ' that is not empty' : minimum > 0 ? ` of at least ${minimum}` : ''
    const wanted = values.map((one) => JSON.stringify(one)).join(' or ') || words + bounds
    issues.push({ path, message: mismatch(wanted, given) })
  } else if (items) return [...value].map((item, i) => checked(items, item, `${path}[${i}]`, issues))
  else if (properties) {
    const known = Object.keys(properties).filter((key) => required.includes(key) || (given as Dict)[key] != null)
    const partOf = (key: string) => checked(properties[key]!, (given as Dict)[key], joinPath(path, key), issues)
    return Object.fromEntries(known.map((key) => [key, partOf(key)]))
  }
  return value
}
