/**
 * @module
 * Tools of a layer, which read the state of the task and change it.
 */

import { type AsyncBaseTool, type Task, type ToolCallContext, ToolMetadata } from '@x/agents'
import { ToolExecutionError, ToolInputError } from '@x/agents/errors'
import type { Layer, Outcome, RecordTurn, Scope } from '@x/agents/loop'
import type { ArgumentsOf, NeedsApproval } from '@x/agents/protocol'
import { errorMessage } from '@x/core/values'
import { ChatMessage, type Dict, ToolOutput } from '@x/core-model'

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

/**
 * Returns a layer with tools. A tool reads the state of the task but does not change it, because its saved output is used when a step is
 * repeated. `note` changes the state, from the raw output of a call.
 */
export function withTools(
  name: string,
  tools: readonly AsyncBaseTool[],
  note?: (output: ToolOutput, scope: Scope) => void,
): Layer {
  const isOwn = (called: string) => tools.some(({ metadata }) => metadata.name === called)
  const noted = (called: string, output: ToolOutput | undefined, scope: Scope) => {
    if (note && output && !output.isError && isOwn(called)) note(output, scope)
    return output
  }
  return {
    name,
    tools,
    calls: (next) => (calls, scope) => {
      // The calls of a turn that continues have their outputs already.
      for (const call of calls) if ('output' in call) noted(call.name, call.output, scope)
      return next(calls, scope)
    },
    tool: (next) => async (call, scope) => {
      if (!isOwn(call.name)) return next(call, scope)
      const callContext = { ...scope.callContext, task: scope.task as Task }
      return noted(call.name, await next(call, { ...scope, callContext }), scope)
    },
  }
}

/** Returns the output of a tool: what the model reads, and the data for `note` and for pages. */
export function output(content: string, rawOutput: unknown = content, untrusted = false): ToolOutput {
  return new ToolOutput({ content, toolName: '', rawInput: {}, rawOutput, untrusted })
}

/** Returns a part of the state of a task. */
export function stateOf<T>(task: { readonly extraState: object } | undefined, key: string): T | undefined {
  return (task?.extraState as Record<string, T> | undefined)?.[key]
}

/** Whether text from outside is in the context of a call: what the model writes may come from it. */
export async function hasUntrusted({ task }: Partial<ToolCallContext>): Promise<boolean> {
  if (!task) return false
  const sources = stateOf<readonly ToolOutput[]>(task, 'sources') ?? []
  if (sources.some(({ untrusted }) => untrusted)) return true
  const messages = await task.memory.getAll()
  return messages.some(({ additionalKwargs }) => additionalKwargs['untrusted'] === true)
}

/** Returns messages with a text at the end of their system message, or with a system message. */
export function withSystemText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...others] = messages
  if (first?.role === 'system' && typeof first.content === 'string')
    return [first.copy({ update: { content: `${first.content}\n\n${text}` } }), ...others]
  return [new ChatMessage({ role: 'system', content: text }), ...messages]
}

/** Reads data from outside once per step: a step that is repeated has the same. */
export function once<T>({ remember }: Scope, name: string, read: () => Promise<T[]>): Promise<T[]> {
  return remember ? remember(name, read, Array.isArray) : read()
}

/**
 * Records an answer as a turn, and continues the task with messages that came meanwhile.
 * @param accept - adds them to the task.
 */
export async function continued(
  [next, turn, outputs, scope]: [RecordTurn, ...Parameters<RecordTurn>],
  accept: () => Promise<void>,
): Promise<Outcome> {
  // The answer is part of the conversation now, not at the end of the task.
  const outcome = await next(turn, outputs, { ...scope, defer: undefined })
  if (outcome.kind !== 'answer') return outcome
  await accept()
  return { kind: 'next', text: outcome.text }
}

/** Whether a turn ends the task, and the task could continue instead. */
export function mayContinue(turn: Parameters<RecordTurn>[0], scope: Scope): boolean {
  const { mustAnswer, state, loop, tools, defer } = scope
  // Other text that streams was passed on as the answer already.
  const isOpen = !defer || (loop.protocol.name === 'native' && tools.length > 0)
  return turn.kind === 'answer' && !mustAnswer && !state.last_call && isOpen
}
