/**
 * @module
 * Decides calls that wait, in a loop without a runner.
 */
import { findTool, type Loop } from '../loop/loop.ts'
import type { LoopState } from '../loop/loop-state.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Json } from '../task/durable.ts'
import { ApprovalError } from '../task/task-errors.ts'
import type { TaskLike } from '../task/task-like.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import { checkToolArguments } from '../tool/tool-schema.ts'

/** A decision about a call that waits. */
export type LoopDecision =
  /** `arguments` replaces those of the model. */
  | { decision: 'approve'; arguments?: Record<string, unknown> | undefined }
  /** The model receives the reason. */
  | { decision: 'reject'; reason?: string | undefined }
  /** A result from outside; the tool does not run. */
  | { decision: 'result'; result: Json; isError?: boolean | undefined }

/**
 * Decides a call that waits. The task continues with `loop.resume(task)` when all its calls are decided.
 * @throws {ApprovalError} if no call with this id waits.
 * @throws {ToolInputError} if new arguments do not match the schema of the tool.
 */
export async function decide(loop: Loop, task: TaskLike, callId: string, decision: LoopDecision): Promise<void> {
  const state = task.extraState as unknown as LoopState
  const calls = state.pending_calls ?? []
  const index = calls.findIndex(({ id, decision: made }) => id === callId && made === null)
  const call = calls[index]
  if (!call) throw new ApprovalError(`Task "${task.taskId}": no tool call "${callId}" waits for a decision.`)
  const { arguments: args, ...made } = { arguments: undefined, ...decision }
  const decided: PendingToolCall = { ...call, ...(made as Pick<PendingToolCall, 'decision'>) }
  if (args) {
    await checkArguments(loop, call, args)
    decided.arguments = args
    loop.protocol.editCall(decided, task)
  }
  state.pending_calls = calls.with(index, decided)
}

async function checkArguments(loop: Loop, call: PendingToolCall, args: Record<string, unknown>): Promise<void> {
  const { fnSchema, jsonSchema } = findTool(loop.tools, call.name)?.metadata ?? {
    fnSchema: call.schema,
    jsonSchema: call.schema,
  }
  const { issues } = fnSchema ? await checkToolArguments(fnSchema, jsonSchema, args) : { issues: [] }
  if (issues.length > 0) throw new ToolInputError(call.name, issues)
}
