/**
 * @module
 * Whether a call needs approval, or is free to run.
 */
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import type { TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { hasUntrusted } from '../tool/outside-text.ts'
import type { LoopCall, Scope } from './layer.ts'
import { findTool, placeOf, positionOf } from './loop.ts'

/** Whether a call needs approval; `unjudged`: it does, because `needsApproval` failed. */
type Judgement = boolean | 'unjudged'

/**
 * Whether a call needs approval.
 * @param read - reads the arguments of the call.
 */
export async function needsApproval(
  call: ToolCall,
  tool: AsyncBaseTool | undefined,
  { task, context }: { task: TaskLike; context?: unknown },
  read: (call: ToolCall) => Record<string, unknown>,
): Promise<Judgement> {
  const needed = tool?.needsApproval ?? false
  if (needed === 'after-untrusted') return hasUntrusted(task as Task)
  if (typeof needed !== 'function') return needed
  try {
    return Boolean(await needed(read(call) as never, { toolCallId: call.id, task: task as Task, context }))
  } catch {
    return 'unjudged'
  }
}

/**
 * Judges whether a call needs approval, or returns what an earlier attempt of its step has found: a call that was free to run may have
 * begun, and what it is judged by may have changed since.
 * @param name - of the judgement.
 */
export async function judgedOnce(
  name: string,
  call: LoopCall,
  scope: Scope,
  judge: () => Promise<Judgement>,
): Promise<Judgement> {
  const { remember, state, tools, saving } = scope
  const isFixed = typeof (findTool(tools, call.name)?.needsApproval ?? false) === 'boolean' && !state.allowed_tools
  // By an earlier version of the tool, it may have been free.
  if (!remember || (isFixed && !saving?.isSaved(placeOf(call, scope), name))) return judge()
  const free = scope.freeMark?.(call) ?? 'free'
  const mark = await remember(
    `${name}-${positionOf(call, scope)}`,
    async () => {
      const found = await judge()
      return found === true ? 'asked' : found || free
    },
    (data) => typeof data === 'string',
  )
  return mark === 'unjudged' ? mark : mark !== free
}

/** Returns a call that runs without a decision, as one of a turn that waits. */
export function freeCall(call: LoopCall, scope: Scope): PendingToolCall {
  return { ...call, place: placeOf(call, scope), needsApproval: false, decision: 'approve' }
}
