/**
 * @module
 * Whether a call needs approval.
 */
import type { ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { hasUntrusted } from '../tool/outside-text.ts'

/**
 * Whether a call needs approval.
 * @param read - reads the arguments of the call.
 */
export async function needsApproval(
  call: ToolCall,
  tool: AsyncBaseTool | undefined,
  { task, context }: { task: TaskLike; context?: unknown },
  read: (call: ToolCall) => Record<string, unknown>,
): Promise<boolean> {
  const needed = tool?.needsApproval ?? false
  if (needed === 'after-untrusted') return hasUntrusted(task as Task)
  if (typeof needed !== 'function') return needed
  try {
    return Boolean(await needed(read(call) as never, { toolCallId: call.id, task: task as Task, context }))
  } catch {
    // If `needsApproval` throws, the call needs approval.
    return true
  }
}
