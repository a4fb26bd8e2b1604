/**
 * @module
 * Calls that wait for a decision, with other arguments.
 */
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import type { ToolMetadata } from '../tool/tool-metadata.ts'
import { findTool } from './loop.ts'
import type { LoopState } from './loop-state.ts'

/** @throws {ToolInputError} if the tool of a call can check arguments, and these do not match. */
export async function checkInput(
  { name }: ToolCall,
  args: Record<string, unknown>,
  tool: Partial<Pick<AsyncBaseTool, '~check' | 'metadata'>> | undefined,
): Promise<void> {
  const { '~check': check = (tool?.metadata as Partial<ToolMetadata> | undefined)?.['~check'] } = tool ?? {}
  const { issues } = (await check?.(args)) ?? { issues: [] }
  if (issues.length > 0) throw new ToolInputError(name, issues)
}

/**
 * Returns a call that waits with other arguments. The conversation shows them as soon as the call runs. Where the tool of the call does not
 * exist now, the arguments are checked where the call runs.
 * @param tools - those of the loop.
 * @throws {ToolInputError} if the arguments do not match the schema of the tool.
 */
export async function editedCall(
  call: PendingToolCall,
  args: Record<string, unknown>,
  { tools, task }: { tools: readonly AsyncBaseTool[]; task: TaskLike },
): Promise<PendingToolCall> {
  const { name, parent, schema, arguments: asked, approval } = call
  if (parent === undefined) {
    await checkInput(call, args, findTool(tools, name))
    return { original: { arguments: asked, approval }, ...call, arguments: args }
  }
  const { pending_calls } = task.extraState as unknown as LoopState
  const caller = pending_calls?.find(({ id }) => id === parent)
  // The tool with the agent brings the check of the schemas of its calls.
  const own = findTool(tools, caller?.name ?? '') as Partial<Pick<AgentTool, '~checkInner'>> | undefined
  await checkInput(call, args, { '~check': own?.['~checkInner']?.(name, schema, schema, 'refuse') })
  return { ...call, arguments: args }
}
