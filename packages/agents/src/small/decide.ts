/**
 * @module
 * Decides calls that wait, in a loop without a runner.
 */
import { checkGiven, checkNames, checkOption, flag, invalidOption, required, text } from '@x/core/options'
import type { Loop } from '../loop/layer.ts'
import { loopState } from '../loop/loop-state.ts'
import type { CallDecision } from '../task/agent-event.ts'
import type { Approval } from '../task/approval-record.ts'
import { pendingCalls, waitingCall } from '../task/approvals.ts'
import type { TaskLike } from '../task/task-like.ts'

/** A decision about a call that waits. */
export type LoopDecision = Exclude<CallDecision, { decision: 'approve' | null }> | ({ decision: 'approve' } & Approval)

/**
 * Decides a call that waits. The task continues with `loop.resume(task)` when all its calls are decided.
 * @throws {ApprovalError} if no call with this id waits.
 * @throws {ToolInputError} if new arguments do not match the schema of the tool.
 * @throws {ModelValidationError} if the decision is not one of these.
 */
export async function decide(loop: Loop, task: TaskLike, callId: string, decision: LoopDecision): Promise<void> {
  checkGiven('decide', { task }, 'a task', 'extraState')
  const call = waitingCall({ task }, callId)
  const { approval, made } = readDecision(decision)
  const approved = approval && (await loop.approve?.(call, approval, task, loop))
  const decided = { ...(approved ?? call), ...made }
  loopState(task).pending_calls = pendingCalls({ task }).map((one) => (one === call ? decided : one))
}

/** The fields of decisions, by their kinds. */
const FIELDS: Readonly<Record<LoopDecision['decision'], readonly string[]>> = {
  approve: ['arguments', 'exact', 'always', 'by', 'approvalId'],
  reject: ['reason'],
  result: ['result', 'isError'],
}

/** Returns the parts of a decision, which may come from JSON. */
function readDecision(given: LoopDecision): { approval?: Approval; made: CallDecision } {
  const decision = (given ?? {}) as LoopDecision
  if (Object.hasOwn(FIELDS, decision.decision))
    checkNames('decide', decision, ['decision', ...FIELDS[decision.decision]])
  if (decision.decision === 'approve') {
    const { decision: made, ...approval } = decision
    return { approval, made: { decision: made } }
  }
  if (decision.decision === 'reject') {
    const { reason } = decision
    if (reason !== undefined) checkOption('decide', 'reason', reason, required(text))
    return { made: { decision: 'reject', reason } }
  }
  if (decision.decision !== 'result')
    throw invalidOption('decide', 'decision', '"approve", "reject" or "result"', (decision as LoopDecision).decision)
  const { result, isError } = decision
  if (result === undefined) throw invalidOption('decide', 'result', 'a JSON value', result)
  if (isError !== undefined) checkOption('decide', 'isError', isError, flag)
  return { made: { decision: 'result', result, isError } }
}
