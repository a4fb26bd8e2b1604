/**
 * @module
 * Calls that wait for a decision, with other arguments.
 */
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { FunctionTool } from '../tool/function-tool.ts'
import { toolCheck } from '../tool/tool-check.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import type { ToolMetadata } from '../tool/tool-metadata.ts'
import type { ToolCallingProtocol } from './tool-calling-protocol.ts'

/** A tool, or what is known of it. */
interface Checked {
  readonly '~check'?: FunctionTool['~check']
  readonly metadata: Partial<Pick<ToolMetadata, 'fnSchema' | 'jsonSchema'>>
}

/** @throws {ToolInputError} if the arguments of a call do not match the schema of its tool. */
export async function checkInput(
  { name }: ToolCall,
  args: Record<string, unknown>,
  { '~check': check, metadata }: Checked,
): Promise<void> {
  const { issues } = await (check ?? toolCheck(name, metadata.fnSchema, metadata.jsonSchema, 'refuse'))(args)
  if (issues.length > 0) throw new ToolInputError(name, issues)
}

/**
 * Returns a call that waits with other arguments, also where the conversation shows them. A call of an agent behind a tool stands in the
 * conversation of that agent.
 * @param tool - the tool of the loop with the name of the call.
 * @throws {ToolInputError} if the arguments do not match the schema of the tool.
 */
export async function editedCall(
  call: PendingToolCall,
  args: Record<string, unknown>,
  { tool, task, protocol }: { tool: AsyncBaseTool | undefined; task: TaskLike; protocol: ToolCallingProtocol },
): Promise<PendingToolCall> {
  const isInner = call.parent !== undefined
  const own = isInner ? undefined : tool
  await checkInput(call, args, own ?? { metadata: { fnSchema: call.schema, jsonSchema: call.schema } })
  const edited = { ...call, arguments: args }
  if (!isInner) protocol.editCall(edited, task)
  return edited
}
