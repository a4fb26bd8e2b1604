/**
 * @module
 * Calls that wait for a decision, with other arguments.
 */
import type { PendingToolCall } from '../task/agent-event.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { toolCheck } from '../tool/check-arguments.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import type { ToolCallingProtocol } from './tool-calling-protocol.ts'

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
  const own = isInner ? undefined : tool?.metadata
  const { fnSchema, jsonSchema } = own ?? { fnSchema: call.schema, jsonSchema: call.schema }
  const { issues } = await toolCheck(call.name, fnSchema, jsonSchema, 'refuse')(args)
  if (issues.length > 0) throw new ToolInputError(call.name, issues)
  const edited = { ...call, arguments: args }
  if (!isInner) protocol.editCall(edited, task)
  return edited
}
