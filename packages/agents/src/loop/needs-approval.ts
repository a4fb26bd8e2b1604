/**
 * @module
 * Whether a call needs approval.
 */
import type { ToolOutput } from '@x/core-model'
import type { ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import type { AsyncBaseTool, ToolCallContext } from '../tool/base-tool.ts'

/**
 * Whether a call needs approval.
 * @param read - reads the arguments of the call.
 */
export async function needsApproval(
  call: ToolCall,
  tool: AsyncBaseTool | undefined,
  context: Partial<ToolCallContext>,
  read: (call: ToolCall) => Record<string, unknown>,
): Promise<boolean> {
  const needed = tool?.needsApproval ?? false
  if (needed === 'after-untrusted') return hasUntrusted(context.task)
  if (typeof needed !== 'function') return needed
  try {
    return Boolean(await needed(read(call) as never, context))
  } catch {
    // If `needsApproval` throws, the call needs approval.
    return true
  }
}

/** Whether text from outside is in the context of a task: in an output of its own, or in the conversation before. */
async function hasUntrusted(task: Task | undefined): Promise<boolean> {
  // Without a task nothing is known.
  if (!task) return true
  const sources = (task.extraState['sources'] ?? []) as readonly ToolOutput[]
  if (sources.some((output) => output.untrusted)) return true
  const messages = await task.memory.getAll()
  return messages.some(({ additionalKwargs }) => additionalKwargs['untrusted'] === true)
}
