/**
 * @module
 * Calls that waited for a decision.
 */
import type { PendingToolCall } from '../task/agent-event.ts'
import type { LoopCall } from './loop.ts'

/** A call that continues, with the decisions on the calls of its agent. */
export interface DecidedCall extends PendingToolCall {
  decisions?: PendingToolCall[]
}

/** Whether a call waited and is decided. */
export function isDecided(call: LoopCall): call is DecidedCall {
  return 'decision' in call
}

/** Whether a call counts towards limits: a tool runs for it, for the first time. */
export function isNewCall(call: LoopCall): boolean {
  if (!isDecided(call)) return true
  return call.decision === 'approve' && !call.output && !call.decisions?.length
}
