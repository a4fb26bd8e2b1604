/**
 * @module
 * The calls of a turn that runs or waits, and the decisions about them.
 */
import type { DecidedCall, TurnMarks } from '@x/core-model'
import type { OpenCall } from '@x/core-model/memory'
import { type PendingToolCall, withJson } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import { pendingCalls } from '../task/approvals.ts'

/** A call, with its result if it has run. */
export interface Call extends OpenCall {
  result?: { content: string; isError: boolean } | undefined
}

/** Returns a call of a turn that waits; with its result, if it ran while others wait. */
export function withOutput(call: PendingToolCall): Call {
  const { output } = call
  return { ...withJson(call), ...(output && { result: { content: output.content, isError: output.isError } }) }
}

/** Returns the calls of a task that waits. */
export function pendingOf(state: TaskState): readonly PendingToolCall[] | undefined {
  const calls = pendingCalls(state)
  return calls.length > 0 ? calls.map(plainCall) : undefined
}

/** Returns a call that waits without what has run. */
export function plainCall({ output: _, agentTask: _t, usage: _u, ...call }: PendingToolCall): PendingToolCall {
  return call
}

/** Returns a call as a turn has it that waits, with the question that the page was shown. */
export function askedIn(turn: TurnMarks | undefined, { id }: { id?: unknown }): PendingToolCall | undefined {
  return (turn?.waiting as readonly PendingToolCall[] | undefined)?.find((call) => call.id === id)
}

/** Returns the decision about a call: about the question as the page was shown it, which an edit has changed. */
export function decisionOf(call: PendingToolCall, before: TurnMarks | undefined): [string, DecidedCall] {
  const asked = askedIn(before, call) ?? call
  const reason = call.decision === 'reject' ? call.reason : undefined
  const { problem } = asked
  const decided = {
    id: asked.approval?.id ?? call.id,
    approved: call.decision === 'approve',
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
  }
  return [call.id, decided]
}

export function idsOf(calls: unknown): string[] {
  return Array.isArray(calls) ? calls.flatMap((call) => (call as { id?: string }).id ?? []) : []
}
