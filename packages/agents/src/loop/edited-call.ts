/**
 * @module
 * Calls that wait for a decision, with other arguments.
 */
import { compactJson, deepEqual, isPlainObject, parseExactly } from '@x/core/values'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { Json } from '../task/durable.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { ToolInputError, ToolNotFoundError, validArguments } from '../tool/tool-errors.ts'
import type { ToolMetadata } from '../tool/tool-metadata.ts'
import type { Scope } from './layer.ts'
import { findTool } from './loop.ts'
import { loopState } from './loop-state.ts'

type Checking = Partial<Pick<AsyncBaseTool, '~check' | 'metadata'>> | undefined

/**
 * Returns what the tool of a call makes of arguments.
 * @throws {ToolInputError} if the tool can check arguments, and these do not match.
 */
export async function checkInput({ name }: ToolCall, args: Record<string, unknown>, tool: Checking): Promise<unknown> {
  const { '~check': check = (tool?.metadata as Partial<ToolMetadata> | undefined)?.['~check'] } = tool ?? {}
  return validArguments(name, (await check?.(args)) ?? { value: args, issues: [] })
}

/** Returns why a call cannot run; undefined if it can. */
export async function faultOf(call: ToolCall, { tools, loop }: Pick<Scope, 'tools' | 'loop'>): Promise<unknown> {
  try {
    const tool = findTool(tools, call.name)
    if (!tool) return new ToolNotFoundError(call.name, [])
    await checkInput(call, loop.argumentsOf(call), tool)
    return undefined
  } catch (error) {
    return error
  }
}

/** The arguments that a person is shown of a call. */
export type ShownArguments = Pick<PendingToolCall, 'runsWith'> & { arguments?: Record<string, unknown> }

/**
 * Returns what is different in a call when its tool has read the arguments: the arguments with default values and conversions, if the tool
 * makes nothing else of these; otherwise `runsWith`.
 * @throws {ToolInputError} if the arguments do not match the schema of the tool.
 */
export async function shownArguments(
  call: ToolCall,
  args: Record<string, unknown>,
  tool: Checking,
): Promise<ShownArguments> {
  const value = await checkInput(call, args, tool)
  if (deepEqual(value, args)) return { runsWith: undefined }
  const text = compactJson(value ?? null)
  const shown = parseExactly(text)
  const again = isPlainObject(shown) ? await checkInput(call, shown, tool).catch(() => undefined) : undefined
  return again !== undefined && compactJson(again) === text
    ? { arguments: shown as Record<string, unknown>, runsWith: undefined }
    : { runsWith: shown as Json }
}

/**
 * Returns a call that waits with other arguments, as its tool reads them. The conversation shows them as soon as the call runs. Where the
 * tool of the call does not exist now, the arguments are checked where the call runs.
 * @param tools - those of the loop.
 * @throws {ToolInputError} if the arguments do not match the schema of the tool, if the tool would run with others although they are
 * `exact`, or if the call may have run with those of the question: services know it by its key.
 */
export async function editedCall(
  call: PendingToolCall,
  { arguments: args, exact }: { arguments: Record<string, unknown>; exact: boolean | undefined },
  { tools, task }: { tools: readonly AsyncBaseTool[]; task: TaskLike },
): Promise<PendingToolCall> {
  const { name, parent, schema, arguments: asked, approval } = call
  if (call.begun) {
    const message = 'the call may have run already with those of the question; approve or reject it'
    throw new ToolInputError(name, [{ path: 'arguments', message }])
  }
  const { pending_calls } = loopState(task)
  const caller = parent === undefined ? undefined : pending_calls?.find(({ id }) => id === parent)
  const tool = findTool(tools, caller?.name ?? name)
  // The tool with the agent brings the check of the schemas of its calls.
  const own = tool as Partial<Pick<AgentTool, '~checkInner'>> | undefined
  const checking = parent === undefined ? tool : { '~check': own?.['~checkInner']?.(name, schema, schema, 'refuse') }
  const { arguments: read, runsWith } = await shownArguments(call, args, checking)
  const others = read ?? runsWith
  if (exact && others !== undefined) {
    const message = `expected those with which the tool runs, ${compactJson(others)}`
    throw new ToolInputError(name, [{ path: 'arguments', message }])
  }
  const edited = { ...call, arguments: read ?? args, runsWith }
  return parent === undefined
    ? { original: { arguments: asked, runsWith: call.runsWith, approval }, ...edited }
    : edited
}
